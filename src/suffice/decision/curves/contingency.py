"""Contingency: the table of answers of a two-class rule, and what is read from it."""

from __future__ import annotations

from math import nan
from typing import Any, NamedTuple

from suffice.core.errors import bad
from suffice.decision.decide.read_wishes import as_real


class Contingency(NamedTuple):
    """Weights of right and wrong answers, of both classes, at one threshold.

    >>> table = Contingency(0.5, 30.0, 10.0, 20.0, 40.0)
    >>> table.precision, table.recall, table.accuracy
    (0.75, 0.6, 0.7)
    """

    threshold: float  # positive is answered where the score is at least this
    true_positives: float
    false_positives: float
    false_negatives: float
    true_negatives: float

    @property
    def n(self) -> float:
        """Weight of all rows."""
        return sum(self[1:])

    @property
    def accuracy(self) -> float:
        """Share of right answers; NaN without rows."""
        return _ratio(self.true_positives + self.true_negatives, self.n)

    @property
    def precision(self) -> float:
        """Share of positives among those called positive; NaN where none is."""
        return _ratio(self.true_positives, self.true_positives + self.false_positives)

    @property
    def recall(self) -> float:
        """Share of the positives that are called so, the true positive rate; NaN without positives."""
        return _ratio(self.true_positives, self.true_positives + self.false_negatives)

    @property
    def false_positive_rate(self) -> float:
        """Share of the negatives that are called positive; NaN without negatives."""
        return _ratio(self.false_positives, self.false_positives + self.true_negatives)

    def f(self, beta: float = 1.0) -> float:
        """F score: (1 + beta^2) TP / ((1 + beta^2) TP + beta^2 FN + FP); NaN without positives, true or called so.

        Parameters
        ----------
        beta : how many times as much recall counts as precision
        """
        b = checked_beta("Contingency", beta) ** 2
        right = (1.0 + b) * self.true_positives
        return _ratio(right, right + b * self.false_negatives + self.false_positives)


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole > 0.0 else nan


def checked_beta(owner: object, beta: Any) -> float:
    """How many times as much recall counts as precision: a finite number of at least 0."""
    rule = "a finite number of at least 0"
    number = as_real(owner, "beta", rule, beta)
    if number < 0.0:
        raise bad(owner, "beta", rule, beta)
    return number
