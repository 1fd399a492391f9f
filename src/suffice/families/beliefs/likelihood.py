"""The likelihoods of our families as functions of their parameters, read from the summary alone.

log L(theta) = sum_i w_i log p(x_i | theta), without the factors that hold no parameter
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import xlog1py, xlogy

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.core.summary import Together
from suffice.families.beliefs.conjugate import one_component
from suffice.families.beliefs.parameter_ranges import ParameterBox, Range, Simplex
from suffice.families.counts.binomial import Binomial
from suffice.families.counts.categorical import Bernoulli, Categorical
from suffice.families.counts.geometric import Geometric
from suffice.families.counts.multinomial import Multinomial
from suffice.families.counts.poisson import Poisson
from suffice.families.counts.rate_priors import totals
from suffice.families.normals.normal import DiagonalNormal
from suffice.summaries.counts import Counts
from suffice.summaries.moments import Moments


@dataclass(frozen=True)
class Likelihood:
    """A log likelihood, where its parameters may lie, and a place to begin."""

    log: Callable[[Array], float]
    within: Range
    start: Array
    names: tuple[Any, ...]

    def __call__(self, theta: Any) -> float:
        """Log likelihood of the parameters; -inf where the rows are impossible."""
        return float(self.log(np.asarray(theta, dtype=np.float64)))


def likelihood_of(family: Any, summary: Any) -> Likelihood:
    """The likelihood of the rows behind a summary of one component and one column.

    Parameters: (chance,) of Bernoulli, Binomial and Geometric, (rate,) of Poisson, (mean, variance) of DiagonalNormal,
    one chance for each label seen of Categorical and for each word of Multinomial.

    >>> from suffice.core.shares import Shares
    >>> R = Shares.hard(np.array([0, 0, 0]), 1)
    >>> log_likelihood = likelihood_of(Poisson(), Moments.of(np.array([[1.0], [4.0], [1.0]]), R))
    >>> round(log_likelihood([2.0]), 6)  # 6 log 2 - 3 * 2
    -1.841117
    """
    read = READINGS.get(type(family))
    if read is None:
        known = ", ".join(kind.__name__ for kind in READINGS)
        raise bad("likelihood_of", "family", f"one of {known}", family, "Write the log likelihood as a function.")
    return read(family, summary)


def _moments(family: Any, summary: Any) -> tuple[float, float, Moments]:
    moments = one_component(family, summary, Moments)
    W, total = totals(moments)
    return float(W[0, 0]), float(total[0, 0]), moments


def _poisson(family: Poisson, summary: Moments) -> Likelihood:
    W, events, _ = _moments(family, summary)
    at = np.array([(events + 1.0) / (W + 1.0)])
    return Likelihood(lambda theta: xlogy(events, theta[0]) - W * theta[0], ParameterBox(((0.0, None),)), at, ("rate",))


def _chance(yes: float, no: float) -> Likelihood:
    def log(theta: Array) -> float:
        return float(xlogy(yes, theta[0]) + xlog1py(no, -theta[0]))

    return Likelihood(log, ParameterBox(((0.0, 1.0),)), np.array([(yes + 1.0) / (yes + no + 2.0)]), ("chance",))


def _binomial(family: Binomial, summary: Moments) -> Likelihood:
    W, successes, _ = _moments(family, summary)
    return _chance(successes, family.trials * W - successes)


def _geometric(family: Geometric, summary: Moments) -> Likelihood:
    W, trials, _ = _moments(family, summary)
    return _chance(W, trials - W)


def _normal(family: DiagonalNormal, summary: Moments) -> Likelihood:
    W, _, moments = _moments(family, summary)
    high, low, scatter = moments.mean.high[0, 0], moments.mean.low[0, 0], float(moments.scatter.value[0, 0])

    def log(theta: Array) -> float:
        gap = (high - theta[0]) + low
        return float(-0.5 * W * np.log(2.0 * np.pi * theta[1]) - (scatter + W * gap * gap) / (2.0 * theta[1]))

    at = np.array([high, scatter / W if scatter > 0 else 1.0])
    return Likelihood(log, ParameterBox(((None, None), (0.0, None))), at, ("mean", "variance"))


def _bernoulli(family: Bernoulli, summary: Counts) -> Likelihood:
    counts = one_component(family, summary, Counts)
    found = dict(zip(counts.labels[0], counts.weight[0].tolist(), strict=True))
    return _chance(found.get(True, 0.0), found.get(False, 0.0))


def _categorical(family: Categorical, summary: Counts) -> Likelihood:
    counts = one_component(family, summary, Counts)
    labels = counts.labels[0] if family.vocabulary is None else family.vocabulary
    found = dict(zip(counts.labels[0], counts.weight[0].tolist(), strict=True))
    return _shares(tuple(labels), np.array([found.get(label, 0.0) for label in labels]))


def _multinomial(family: Multinomial, summary: Together) -> Likelihood:
    counts = summary.parts[1] if isinstance(summary, Together) else summary
    counts, _ = family.counted(one_component(family, counts, Counts))
    return _shares(tuple(counts.labels[0]), counts.weight[0])


def _shares(labels: tuple[Any, ...], weight: Array) -> Likelihood:
    at = (weight + 1.0) / (weight + 1.0).sum()
    return Likelihood(lambda theta: float(xlogy(weight, theta).sum()), Simplex(), at, labels)


READINGS: dict[type[Any], Callable[[Any, Any], Likelihood]] = {
    Bernoulli: _bernoulli,
    Binomial: _binomial,
    Categorical: _categorical,
    DiagonalNormal: _normal,
    Geometric: _geometric,
    Multinomial: _multinomial,
    Poisson: _poisson,
}
