"""The marginal likelihood of a fitted naive Bayes: exact where every family has a proper conjugate prior.

log p(rows, labels | m) = log p(labels) + sum over classes and columns of log p(column | class), parameters integrated
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.special import gammaln

from suffice.bayes.class_priors import EqualPrior, GivenPrior, LearnedPrior, OrderedPrior
from suffice.bayes.naive.naive_plan import encoding_of
from suffice.core.block import Array
from suffice.core.summary import Together
from suffice.families.beliefs.marginal_likelihood import of_events, of_labels, of_normals, of_waits
from suffice.families.counts.bag import log_ways
from suffice.families.counts.binomial import Binomial
from suffice.families.counts.binomial import log_ways as binomial_ways
from suffice.families.counts.categorical import Bernoulli, Categorical
from suffice.families.counts.encoding import Encoding
from suffice.families.counts.geometric import Geometric
from suffice.families.counts.integer_codes import IntegerCodes
from suffice.families.counts.multinomial import Multinomial
from suffice.families.counts.poisson import Poisson
from suffice.families.counts.rate_priors import Gamma, totals
from suffice.families.normals.normal import DiagonalNormal
from suffice.families.normals.variance_priors import NormalInverseGamma
from suffice.families.product import part_columns
from suffice.summaries.counts import Counts
from suffice.summaries.moments import Moments

NO_PRIOR = 1.0  # pseudo-count of each class where the class shares are counted without any: the same for all models


def exact_evidence(model: Any, X: Any, w: Array | None = None) -> float | None:
    """Log marginal likelihood of the rows that a naive Bayes of ours has learned from; None where there is none exact.

    There is none for other models, for priors that are no distributions or are read from the rows (the default of
    normal columns), for weighted columns, and for families whose likelihood is not of the cells as they are.

    Parameters
    ----------
    model : fitted estimator
    X : the rows it was fitted on, for the factors that hold no parameter
    w : their weights
    """
    if hasattr(model, "log_evidence"):
        return model.log_evidence(X, w)  # type: ignore[no-any-return]
    fitted = vars(model).get("fitted_")
    learner: Any = None if fitted is None or not fitted.adds else fitted.plan.learner(fitted.schema)
    product = getattr(learner, "product", None)
    if product is None or learner.powers is not None or not isinstance(fitted.summary.summary, Together):
        return None
    labels = _labels_evidence(learner.prior, learner.over(fitted.summary))
    weighed = replace(product, groups=tuple(replace(g, family=_Weighed(g.family)) for g in product.groups))
    columns: Any = weighed.estimate(fitted.summary.summary).distributions
    if labels is None or any(found is None for found in columns):
        return None
    parts = fitted.block(X).parts
    bases = (_base(group.family, part_columns(parts[group.part], group), w) for group in product.groups)
    return float(labels + sum(columns) + sum(bases))


def describes_cells(model: Any) -> bool:
    """Whether what a model calls the density of a row is of its cells as they are, not of counts cut to levels."""
    fitted = vars(getattr(model, "density_", model)).get("fitted_")
    groups = getattr(getattr(getattr(fitted, "model", None), "factors", None), "groups", ())
    return not any(getattr(encoding_of(group.family), "levels", 0) for group in groups)


class _Weighed:
    """A family whose estimate is the evidence of its columns, so that a product finds the columns of each."""

    def __init__(self, family: Any) -> None:
        self.family = family

    def estimate(self, summary: Any) -> float | None:
        """Log marginal likelihood of the columns; None where there is none exact."""
        read = FAMILIES.get(type(self.family))
        return None if read is None else read(self.family, summary)

    def __getattr__(self, name: str) -> Any:
        """All else as the family has it."""
        return getattr(self.family, name)


def _labels_evidence(prior: Any, summary: Any) -> float | None:
    """Log probability of the labels: with shares integrated out, or as they were given."""
    weight = summary.tally.weight.value
    if isinstance(prior, LearnedPrior):
        pseudo = prior.prior.over(summary.labels, False)
        return float(of_labels(weight, pseudo if (pseudo > 0).all() else np.full(len(weight), NO_PRIOR)))
    if isinstance(prior, (EqualPrior, GivenPrior, OrderedPrior)):
        with np.errstate(divide="ignore"):
            return float(weight @ np.log(prior.estimate(summary.labels, weight)))
    return None


def _categorical(family: Categorical, counts: Counts) -> float | None:
    total, unseen = 0.0, family.vocabulary is None
    for j, seen in enumerate(counts.labels):
        labels = tuple(seen if family.vocabulary is None else family.vocabulary)
        weight = np.zeros((len(counts.rows), len(labels) + unseen))
        weight[:, [labels.index(label) for label in seen]] = counts.column(j)
        total += _shares(weight, family.prior.over(labels, unseen))
    return _finite(total)


def _codes(family: IntegerCodes, counts: Counts) -> float | None:
    weights = family.weights(counts)
    return _finite(sum(_shares(w, family.prior.over(range(w.shape[1]), False)) for w in weights))


def _words(family: Multinomial, summary: Together) -> float | None:
    counts = summary.parts[1]
    assert isinstance(counts, Counts)
    counts, unseen = family.counted(counts)
    return _finite(_shares(np.pad(counts.weight, ((0, 0), (0, unseen))), family.prior.over(counts.labels[0], unseen)))


def _shares(weight: Array, pseudo: Array) -> float:
    """Of all components; NaN where the prior is no distribution."""
    return float(of_labels(weight, pseudo[None]).sum()) if (pseudo > 0).all() else np.nan


def _poisson(family: Poisson, moments: Moments) -> float | None:
    prior: Gamma = family.prior
    if not prior.shape or not prior.rate:
        return None
    rows, events = totals(moments)
    return _finite(float(of_events(prior.shape, prior.rate, events, rows).sum()))


def _binomial(family: Binomial, moments: Moments) -> float | None:
    rows, yes = totals(moments)
    return _waits(family, yes, np.maximum(family.trials * rows - yes, 0.0))


def _geometric(family: Geometric, moments: Moments) -> float | None:
    rows, trials = totals(moments)
    return _waits(family, rows, np.maximum(trials - rows, 0.0))


def _waits(family: Any, yes: Array, no: Array) -> float | None:
    proper = family.prior.yes > 0 and family.prior.no > 0
    return _finite(float(of_waits(family.prior.yes, family.prior.no, yes, no).sum())) if proper else None


def _normal(family: DiagonalNormal, moments: Moments) -> float | None:
    prior = family.prior
    if not isinstance(prior, NormalInverseGamma) or prior.mean is None or prior.variance is None:
        return None
    if not (prior.strength > 0 and prior.mean_strength > 0):
        return None
    W, before = moments.weight.value, prior.strength * prior.variance
    gap = moments.mean.value - prior.mean
    pull = np.divide(prior.mean_strength * W, prior.mean_strength + W)
    after = before + moments.scatter.value + pull * gap * gap
    return _finite(float(of_normals(prior.strength, prior.mean_strength, before, W, after).sum()))


def _finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


FAMILIES: dict[type[Any], Callable[[Any, Any], float | None]] = {
    Bernoulli: _categorical,
    Binomial: _binomial,
    Categorical: _categorical,
    DiagonalNormal: _normal,
    Geometric: _geometric,
    IntegerCodes: _codes,
    Multinomial: _words,
    Poisson: _poisson,
}


def _base(family: Any, part: Any, w: Array | None) -> float:
    """Log of the factors of the likelihood that hold no parameter, over all rows."""
    read = BASES.get(type(family))
    if read is None:
        return 0.0
    logs = np.nan_to_num(read(family, part))
    return float(logs.sum() if w is None else w @ logs)


def _orders(family: Multinomial, part: Any) -> Array:
    matrix = isinstance(part.labels, range)
    labels = part.labels if matrix or family.vocabulary is None else family.vocabulary
    places = {label: i for i, label in enumerate(labels)}
    return log_ways(Encoding().encode_over(part, labels, places, closed=True))


BASES: dict[type[Any], Callable[[Any, Any], Array]] = {
    Binomial: lambda family, x: np.nansum(binomial_ways(family.trials, x), axis=1),
    Multinomial: _orders,
    Poisson: lambda family, x: -np.nansum(gammaln(x + 1.0), axis=1),
}


def label_log_likelihood(model: Any, X: Any, labels: Array, w: Array | None = None) -> float:
    """log p(y | X) of a fitted classifier."""
    places = {label: i for i, label in enumerate(model.classes_.tolist())}
    at = np.array([places.get(label, -1) for label in labels.tolist()])
    with np.errstate(divide="ignore"):
        logs = np.where(at < 0, -np.inf, np.log(model.predict_proba(X)[np.arange(len(at)), at]))
    live = np.ones(len(at), dtype=bool) if w is None else w > 0  # a class of weight 0 may be unknown to a model
    return float(np.sum(logs[live] if w is None else (w[live] * logs[live])))


def joint_log_likelihood(model: Any, X: Any, labels: Array, w: Array | None = None) -> float | None:
    """log p(X, y) of a fitted classifier that has a density of the cells as they are; None of any other."""
    if not hasattr(model, "score_samples") or not describes_cells(model):
        return None
    logs = np.asarray(model.score_samples(X))
    return label_log_likelihood(model, X, labels, w) + float(logs.sum() if w is None else (w @ logs))
