"""RocCurve: the rates at which positives and negatives are called positive, over all thresholds on a score."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.decision.curves.auc import area, area_interval, area_variance
from suffice.decision.curves.contingency import Contingency
from suffice.decision.curves.coverage_curve import CoverageCurve
from suffice.decision.curves.isometrics import LinearMeasure, Measure, OperatingPoint
from suffice.summaries.rankings import Rankings

ROUNDING = 16 * float(np.finfo(np.float64).eps)  # a value of a measure is half a dozen operations


@dataclass(frozen=True, eq=False)
class RocCurve:
    """True positive rate (up) against false positive rate (across): a coverage curve whose sides are both made 1.

        tpr(t) = P(score >= t | positive),   fpr(t) = P(score >= t | negative)

    Every distinct score is a point, and scores that are tied are passed in one diagonal. Rates do not depend on the
    class prior; what is best under a prior and costs is asked for with a `Measure`.

    >>> curve = RocCurve.of([0.1, 0.4, 0.35, 0.8], [0, 0, 1, 1])
    >>> curve.fpr, curve.tpr, curve.auc
    (array([0. , 0. , 0.5, 0.5, 1. ]), array([0. , 0.5, 0.5, 1. , 1. ]), 0.75)
    >>> curve.best(LinearMeasure.expected_cost([0.5, 0.5], costs=[[0, 1], [10, 0]]))
    OperatingPoint(threshold=0.35, fpr=0.5, tpr=1.0, value=0.25)

    References
    ----------
    T. Fawcett, An introduction to ROC analysis (2006).
    """

    coverage: CoverageCurve

    def __post_init__(self) -> None:
        """Rates need rows of both classes."""
        negatives, positives = self.coverage.totals
        if not (negatives > 0.0 and positives > 0.0):
            rule = "those of negatives and positives"
            got = Said(f"a weight of {negatives:g} and {positives:g}")
            raise bad(self, "rows", rule, got, "A CoverageCurve takes rows of one class.")

    @classmethod
    def of(cls, scores: Any, labels: Any, weights: Any = None, classes: Any = None) -> RocCurve:
        """The curve of some rows.

        Parameters
        ----------
        scores : one a row, the higher the more positive; minus and plus infinity are scores like others
        labels : 0 or 1, False or True, or one of `classes`
        weights : one a row, at least 0; a weight counts as so many rows, and a row of weight 0 is no row
        classes : the two labels, the negative one first
        """
        return cls(CoverageCurve.read("RocCurve", scores, labels, weights, classes))

    @classmethod
    def from_rankings(cls, rankings: Rankings, positive: int = 1, column: int = 0) -> RocCurve:
        """The curve of rankings, which add: one component is positive, all others are negative.

        Parameters
        ----------
        rankings : as `rank_scores` keeps them, or of any column of numbers
        positive : number of the positive component, from 0
        column : number of the column of scores, from 0
        """
        return cls(CoverageCurve.from_rankings(rankings, positive, column))

    @property
    def thresholds(self) -> Array:
        """Falling (m + 1,); positive is called what has at least this score. The first is reached by none."""
        return self.coverage.thresholds

    @cached_property
    def fpr(self) -> Array:
        """False positive rate at each threshold (m + 1,), from 0 to 1."""
        return self.coverage.negatives / self.coverage.totals[0]

    @cached_property
    def tpr(self) -> Array:
        """True positive rate at each threshold (m + 1,), from 0 to 1."""
        return self.coverage.positives / self.coverage.totals[1]

    @property
    def prior(self) -> Array:
        """The shares of negatives and positives among the rows (2,)."""
        return np.array(self.coverage.totals) / sum(self.coverage.totals)

    @cached_property
    def auc(self) -> float:
        """The area under the curve: the share of pairs of both classes that are ranked right, ties counting half."""
        return area(self.coverage)

    @property
    def auc_variance(self) -> float:
        """The variance of the area, by DeLong's method."""
        return area_variance(self.coverage)

    def auc_interval(self, level: float = 0.95) -> tuple[float, float]:
        """The interval of the area by DeLong's method.

        Parameters
        ----------
        level : how often the interval is to hold, above 0 and below 1
        """
        return area_interval(self.coverage, level)

    @property
    def ranking_error(self) -> float:
        """The share of pairs of both classes that are ranked wrong, ties counting half: 1 - AUC."""
        negatives, positives = self.coverage.totals
        return self.coverage.misranked / negatives / positives

    def hull(self) -> RocCurve:
        """The vertices of the upper convex hull: the points that can be best for some prior and costs."""
        return RocCurve(self.coverage.hull())

    def lower_hull(self) -> RocCurve:
        """The vertices of the lower convex hull: the best points if low scores are for the positives."""
        return RocCurve(self.coverage.lower_hull())

    def corners(self) -> RocCurve:
        """Without the points inside straight pieces."""
        return RocCurve(self.coverage.corners())

    def at(self, threshold: float) -> Contingency:
        """The table of answers if everything with a score of at least the threshold is called positive."""
        return self.coverage.at(threshold)

    def best(self, measure: Measure | None = None) -> OperatingPoint:
        """The point where a measure is best; the highest threshold where rounding alone makes a difference.

        Parameters
        ----------
        measure : None is accuracy under the shares of the classes among the rows
        """
        measure = LinearMeasure.accuracy(self.prior) if measure is None else measure
        value = measure.value(self.fpr, self.tpr)
        gain = value if measure.more_is_better else -value
        top = gain.max()
        i = int((gain >= top - ROUNDING * max(measure.size, abs(top))).argmax())
        return OperatingPoint(*(float(side[i]) for side in (self.thresholds, self.fpr, self.tpr, value)))

    def expected_cost(self, prior: Any = None, costs: Any = None) -> Array:
        """The expected cost of a row at each threshold (m + 1,).

        Parameters
        ----------
        prior : (2,) probabilities of negative and positive; None takes the shares among the rows
        costs : (2, 2) costs[true, called], the negative class first; None costs 1 if wrong
        """
        measure = LinearMeasure.expected_cost(self.prior if prior is None else prior, costs)
        return measure.value(self.fpr, self.tpr)
