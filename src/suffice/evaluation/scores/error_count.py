"""ErrorCount: how many test rows a classifier got wrong, with intervals for the number expected."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist
from typing import Any

import numpy as np

from suffice.core.errors import NotASummary, Said, bad, refusal
from suffice.decision.decide.read_wishes import as_real
from suffice.evaluation.resampling.resampling_options import read_level, read_option
from suffice.evaluation.scores.classification_scores import Scores
from suffice.evaluation.scores.confusion import number_text
from suffice.evaluation.scores.estimate import LEVEL, share

FEW = 5.0  # errors, or right answers: with fewer the normal interval is not to be relied on
Interval = tuple[float, float]


@dataclass(frozen=True)
class ErrorCount:
    """A number of errors among n test rows; counts of different rows add.

        normal interval: X +- z sqrt(X (1 - X / n)),   Wilson's: where X is within z standard errors of n p

    The normal interval may begin below 0 and is empty without errors; Wilson's is neither. Weights count as rows.

    >>> logistic, bayes = ErrorCount(10, 44), ErrorCount(1, 44)
    >>> print(logistic)
    10 errors of 44 rows (22.73 %), expected 4.552 to 15.45
    >>> logistic.meets(bayes), logistic.meets(bayes, method="wilson")
    (False, False)

    References
    ----------
    E. Wilson, Probable inference, the law of succession, and statistical inference (1927).
    """

    errors: float
    n: float

    def __post_init__(self) -> None:
        """Check the numbers."""
        n = as_real(self, "n", "a number of rows above 0", self.n)
        errors = as_real(self, "errors", "a number of rows from 0 to n", self.errors)
        if n <= 0.0:
            raise bad(self, "n", "a number of rows above 0", self.n, "Test with some rows.")
        if not 0.0 <= errors <= n:
            raise bad(self, "errors", f"a number of rows from 0 to n, {number_text(n)}", self.errors)

    @classmethod
    def of(cls, y_true: Any, predicted: Any, sample_weight: Any = None) -> ErrorCount:
        """Count the errors of some rows; a refused answer (None, NaN) is neither right nor wrong and left out.

        Parameters
        ----------
        y_true, predicted : one label a row
        sample_weight : one weight a row, at least 0
        """
        return cls.from_scores(Scores.of(y_true, None, predicted=predicted, sample_weight=sample_weight))

    @classmethod
    def from_scores(cls, scores: Scores) -> ErrorCount:
        """The errors among the answers that were given."""
        table = scores.confusion.table
        return cls(float(table.sum() - np.trace(table)), float(table.sum()))

    def __add__(self, other: ErrorCount) -> ErrorCount:
        """Of both sets of rows."""
        if not isinstance(other, ErrorCount):
            raise refusal(
                NotASummary, "ErrorCount", "", "its own kind", Said(type(other).__name__), "", "can only be added to"
            )
        return ErrorCount(self.errors + other.errors, self.n + other.n)

    @property
    def share(self) -> float:
        """Of the rows."""
        return self.errors / self.n

    @property
    def reliable(self) -> bool:
        """Whether there are errors and right answers enough for the normal interval, five each."""
        return min(self.errors, self.n - self.errors) >= FEW

    def half_width(self, level: float = LEVEL) -> float:
        """Of the normal interval."""
        return _z(self, level) * sqrt(self.errors * (1.0 - self.share))

    def interval(self, level: float = LEVEL, method: str = "normal") -> Interval:
        """The interval of the expected number of errors among as many rows.

        Parameters
        ----------
        level : how sure to be
        method : "normal" or "wilson"
        """
        return read_option(self, "method", method, METHODS)(self, level)

    def meets(self, other: ErrorCount, level: float = LEVEL, method: str = "normal") -> bool:
        """Whether the intervals of the shares of errors meet, so that both classifiers may be equally good.

        This is a cautious rule: intervals may meet where a test finds a difference, the more so where both were tested
        on the same rows (`PairedErrors`).
        """
        (a, b), (c, d) = self.interval(level, method), other.interval(level, method)
        return a / self.n <= d / other.n and c / other.n <= b / self.n

    def __str__(self) -> str:
        """The count, its share and the normal interval."""
        low, high = self.interval()
        count = f"{number_text(self.errors)} errors of {number_text(self.n)} rows ({100 * self.share:.4g} %)"
        return f"{count}, expected {low:.4g} to {high:.4g}"


def _z(owner: object, level: float) -> float:
    return NormalDist().inv_cdf(0.5 + read_level(owner, level) / 2.0)


def _normal(count: ErrorCount, level: float) -> Interval:
    half = count.half_width(level)
    return count.errors - half, count.errors + half


def _wilson(count: ErrorCount, level: float) -> Interval:
    found = share(count.errors, count.n, _z(count, level))
    return count.n * found.low, count.n * found.high


METHODS: dict[str, Callable[[ErrorCount, float], Interval]] = {"normal": _normal, "wilson": _wilson}
