"""PrecisionRecallCurve: how pure and how complete the rows are that reach each threshold on a score."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.decision.curves.contingency import checked_beta
from suffice.decision.curves.coverage_curve import CoverageCurve
from suffice.summaries.rankings import Rankings

TINY = float(np.finfo(np.float64).tiny)  # where beta is 0 and nothing is called positive, 0 / TINY is 0


@dataclass(frozen=True, eq=False)
class PrecisionRecallCurve:
    """Precision TP / (TP + FP) against recall TP / (TP + FN), over all thresholds.

    The first point, where nothing is called positive, has no precision of its own: it is given 1.

    >>> curve = PrecisionRecallCurve.of([0.1, 0.4, 0.35, 0.8], [0, 0, 1, 1])
    >>> curve.recall, curve.precision.round(4), round(curve.average_precision, 4)
    (array([0. , 0.5, 0.5, 1. , 1. ]), array([1.    , 1.    , 0.5   , 0.6667, 0.5   ]), 0.8333)
    """

    coverage: CoverageCurve

    def __post_init__(self) -> None:
        """Recall needs positives."""
        negatives, positives = self.coverage.totals
        if not positives > 0.0:
            raise bad(self, "rows", "some of them positive", Said(f"a weight of {negatives:g} negatives alone"))

    @classmethod
    def of(cls, scores: Any, labels: Any, weights: Any = None, classes: Any = None) -> PrecisionRecallCurve:
        """The curve of some rows.

        Parameters
        ----------
        scores, labels, weights, classes : as for `RocCurve.of`
        """
        return cls(CoverageCurve.read("PrecisionRecallCurve", scores, labels, weights, classes))

    @classmethod
    def from_rankings(cls, rankings: Rankings, positive: int = 1, column: int = 0) -> PrecisionRecallCurve:
        """The curve of rankings, which add.

        Parameters
        ----------
        rankings, positive, column : as for `RocCurve.from_rankings`
        """
        return cls(CoverageCurve.from_rankings(rankings, positive, column))

    @property
    def thresholds(self) -> Array:
        """Falling (m + 1,); positive is called what has at least this score."""
        return self.coverage.thresholds

    @cached_property
    def precision(self) -> Array:
        """Share of positives among those called positive (m + 1,); 1 where none is."""
        called = self.coverage.negatives + self.coverage.positives
        positives = self.coverage.positives
        return np.asarray(np.divide(positives, called, out=np.ones(len(called)), where=called > 0.0))

    @cached_property
    def recall(self) -> Array:
        """Share of the positives that are called so (m + 1,), from 0 to 1."""
        return self.coverage.positives / self.coverage.totals[1]

    @property
    def average_precision(self) -> float:
        """The mean precision over the positives, each at its own score: sum of (recall - recall before) precision."""
        return float(np.diff(self.recall) @ self.precision[1:])

    def f(self, beta: float = 1.0) -> Array:
        """F score at each threshold (m + 1,): (1 + beta^2) TP / (beta^2 (TP + FN) + TP + FP).

        Parameters
        ----------
        beta : how many times as much recall counts as precision
        """
        b = checked_beta("PrecisionRecallCurve", beta) ** 2
        called = self.coverage.negatives + self.coverage.positives
        return np.asarray((1.0 + b) * self.coverage.positives / np.maximum(b * self.coverage.totals[1] + called, TINY))

    def best(self, beta: float = 1.0) -> float:
        """The highest threshold at which the F score is largest.

        Parameters
        ----------
        beta : how many times as much recall counts as precision
        """
        return float(self.thresholds[int(self.f(beta).argmax())])
