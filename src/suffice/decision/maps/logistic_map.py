"""LogisticMap: log-odds that are linear in the score, from class means or by maximum likelihood."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.core.registry import saved
from suffice.decision.curves.ranked_scores import (
    against,
    checked_layout,
    measured,
    ranked,
    read_scored,
    refuse_infinite,
)
from suffice.decision.decide.read_wishes import read_prior
from suffice.decision.maps.platt import platt
from suffice.decision.maps.score_map import OneAgainstRest, logistic
from suffice.summaries.moments import Moments
from suffice.summaries.rankings import Rankings


@saved
@dataclass(frozen=True, eq=False)
class LogisticMap(OneAgainstRest):
    """A sigmoid of the score.

        p(+ | s) = 1 / (1 + exp(-(gamma (s - d0) + bias)))

    `of` finds it by maximum likelihood (Platt), `of_means` from the means and the pooled variance of the two classes:

        gamma = (mean+ - mean-) / variance,   d0 = (mean+ + mean-) / 2,   bias = log prior odds

    Parameters
    ----------
    gamma : steepness
    d0 : the score at which only the bias speaks
    bias : log-odds at d0

    Examples
    --------
    >>> map = LogisticMap.of_means([1.0, 3.0, 5.0, 7.0], [0, 0, 1, 1])
    >>> map.gamma, map.d0, map([4.0, 5.0]).round(4)
    (array([4.]), array([4.]), array([0.5  , 0.982]))

    References
    ----------
    J. Platt, Probabilistic outputs for support vector machines and comparisons to regularized likelihood methods
    (1999). H.-T. Lin, C.-J. Lin and R. Weng, A note on Platt's probabilistic outputs (2007).
    """

    gamma: Array  # (d,)
    d0: Array  # (d,)
    bias: Array  # (d,)

    @classmethod
    def of(
        cls, scores: Any, labels: Any, weights: Any = None, classes: Any = None, *, smooth: bool = True
    ) -> LogisticMap:
        """Learn from rows by maximum likelihood.

        Parameters
        ----------
        scores, labels, weights, classes : as for `rank_scores`
        smooth : aim at (N+ + 1) / (N+ + 2) and 1 / (N- + 2) instead of 1 and 0, as Platt does
        """
        scored = read_scored(cls.__name__, scores, labels, weights, classes)
        return cls.estimate(ranked(cls.__name__, scored), smooth=smooth)

    @classmethod
    def of_means(
        cls, scores: Any, labels: Any, weights: Any = None, classes: Any = None, *, prior: Any = None
    ) -> LogisticMap:
        """Learn from rows by class means: exact if the scores of both classes are normal with one variance.

        Parameters
        ----------
        scores, labels, weights, classes : as for `rank_scores`
        prior : probability of each class; None takes their shares of the rows, "uniform" leaves the likelihood ratio
        """
        scored = read_scored(cls.__name__, scores, labels, weights, classes)
        return cls.estimate_means(measured(cls.__name__, scored), prior=prior)

    @classmethod
    def estimate(cls, rankings: Rankings, *, smooth: bool = True) -> LogisticMap:
        """Learn from the rankings of scores, such as the sum of those of shards (`rank_scores`)."""
        for values in rankings.values:
            refuse_infinite(cls.__name__, values[:, None])
        return cls._from([platt(cls.__name__, side, smooth) for side in against(cls.__name__, rankings)])

    @classmethod
    def estimate_means(cls, moments: Moments, *, prior: Any = None) -> LogisticMap:
        """Learn from the moments of scores, such as the sum of those of shards (`score_moments`)."""
        K, _ = checked_layout(cls.__name__, moments.rows.shape)
        given = None if prior is None else read_prior(cls.__name__, prior, range(K))
        return cls._from([_from_means(cls.__name__, *sides, given, k) for k, sides in _sides(moments)])

    @classmethod
    def _from(cls, curves: Sequence[tuple[float, float, float]]) -> LogisticMap:
        gamma, d0, bias = np.array(curves).T
        return cls(gamma, d0, bias)

    @property
    def width(self) -> int:
        """Number of columns of scores."""
        return len(self.gamma)

    def fold(self, w: Any, t: float) -> tuple[Array, float]:
        """The map folded into the linear score w.x - t it is for: weights w' and t' whose w'.x - t' are the log-odds.

            w' = gamma w,   t' = gamma (t + d0) - bias

        The boundary may move, its direction stays.

        >>> LogisticMap(np.array([2.0]), np.array([0.5]), np.array([0.0])).fold([1.0, -3.0], 4.0)
        (array([ 2., -6.]), 9.0)
        """
        if self.width != 1:
            raise bad(self, "the map", "of one column of scores to be folded", Said(f"one of {self.width} columns"))
        gamma, d0, bias = float(self.gamma[0]), float(self.d0[0]), float(self.bias[0])
        return gamma * np.asarray(w, dtype=np.float64), gamma * (float(t) + d0) - bias

    def log_odds(self, scores: Array, j: int = 0) -> Array:
        """gamma (s - d0) + bias (n,)."""
        if self.gamma[j] == 0.0:  # nothing is learned from a score, be it infinite
            return np.where(np.isnan(scores), np.nan, self.bias[j])
        return np.asarray(self.gamma[j] * (scores - self.d0[j]) + self.bias[j])

    def _column(self, j: int, s: Array) -> Array:
        return logistic(self.log_odds(s, j))


def _sides(moments: Moments) -> Iterator[tuple[int, tuple[Moments, Moments]]]:
    """Each class and the rest (K = 1 each) in the column of the class; of two classes in one column, the second."""
    K, d = moments.rows.shape
    for j in range(d):
        k, column = (1, moments) if d == 1 else (j, moments.columns([j]))
        own = column.spread([0 if i == k else -1 for i in range(K)], 1)
        yield k, (own, column.spread([-1 if i == k else i for i in range(K)], K).pooled())


def _from_means(owner: str, own: Moments, rest: Moments, prior: Array | None, k: int) -> tuple[float, float, float]:
    if not (own.rows.all() and rest.rows.all()):
        raise bad(owner, "labels", "of both classes", Said("one class only"), "Give rows of every class.")
    weight, both = own.weight + rest.weight, own.mean + rest.mean
    apart = float((own.mean - rest.mean).value.item())
    variance = float(((own.scatter + rest.scatter) / weight).value.item())
    if variance == 0.0 and apart != 0.0:
        rule = "spread within a class, because otherwise no slope is steep enough"
        raise bad(owner, "scores", rule, Said("equal ones in each class"), "Use LogisticMap.of, which is smoothed.")
    p = float((own.weight / weight).value.item()) if prior is None else float(prior[k])
    if not 0.0 < p < 1.0:
        raise bad(owner, "prior", "above 0 for every class", p)
    gamma = apart / variance if apart else 0.0
    lost = (
        gamma * float(both.low.item()) / 2.0
    )  # what d0 loses as one float64, as much as the spread if it is far from 0
    return gamma, float(both.high.item()) / 2.0, float(np.log(p) - np.log1p(-p)) - lost
