"""RegressionScores: how good predicted numbers are, as a summary that adds and from which rows can be taken away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, nan, sqrt
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.core.registry import saved
from suffice.core.shares import Shares
from suffice.core.summary import Index, Summary
from suffice.estimators.boundary.targets import read_weights
from suffice.evaluation.scores.confusion import aligned, number_text
from suffice.evaluation.scores.estimate import Estimate, mean
from suffice.summaries.moments import Moments

TARGET, ERROR, ABSOLUTE, SQUARED = range(4)  # columns of the moments
LARGEST = 1e150  # the square of a larger error might overflow


@saved
@dataclass(frozen=True)
class RegressionScores(Summary):
    """Squared error, absolute error and R2, each with a 95 % interval.

        MSE = mean of (y - predicted)^2,   MAE = mean of |y - predicted|,   R2 = 1 - MSE / variance of y

    Kept are the moments of the targets and of the errors, so that shards add and large offsets lose no digits. The
    interval of R2 takes the variance of y as it is. A weight counts as so many rows.

    >>> scores = RegressionScores.of([1.0, 2.0, 3.0, 4.0], [1.5, 2.0, 2.5, 4.0])
    >>> print(scores.mean_squared_error, scores.r2.value, sep=", ")
    0.1250 (0.0000 to 0.2664), 0.9
    >>> (scores + scores - scores).mean_absolute_error.value
    0.25
    """

    moments: Moments  # of target, error, absolute and squared error

    @classmethod
    def of(cls, y_true: Any, y_pred: Any, sample_weight: Any = None) -> RegressionScores:
        """Score the predictions of some rows.

        Parameters
        ----------
        y_true : one finite number a row
        y_pred : one finite number a row
        sample_weight : one weight a row, at least 0
        """
        y, predicted = (_numbers(name, side) for name, side in (("y_true", y_true), ("y_pred", y_pred)))
        if predicted.shape != y.shape:
            rule = f"one number for each of the {len(y)} rows of y_true"
            raise bad(cls.__name__, "y_pred", rule, Said(f"{len(predicted)}"))
        w = read_weights(cls.__name__, sample_weight, len(y), some=False)
        return cls.of_shares(y, predicted, Shares.hard(np.zeros(len(y), dtype=np.int32), 1, w))

    @classmethod
    def of_shares(cls, y: Array, predicted: Array, R: Shares) -> RegressionScores:
        """The same for several groups of rows at once; the readings are of all groups together."""
        error = y - predicted
        far = ~(np.abs(error) <= LARGEST)
        if far.any():
            rule = f"within {LARGEST:g} of y_true"
            raise bad(cls.__name__, "y_pred", rule, float(predicted[far][0]), "Its squared error has no float.")
        return cls(Moments.of(np.column_stack([y, error, np.abs(error), error * error]), R))

    @classmethod
    def sum(cls, parts: Sequence[RegressionScores]) -> RegressionScores:
        """Add the moments."""
        return cls(Moments.sum([part.moments for part in parts]))

    def __sub__(self, other: RegressionScores) -> RegressionScores:
        """Take rows away."""
        return RegressionScores(self.moments - other.moments)

    def scale(self, factor: float) -> RegressionScores:
        """Weights decay."""
        return RegressionScores(self.moments.scale(factor))

    def spread(self, index: Index, K: int) -> RegressionScores:
        """Move groups of rows."""
        return RegressionScores(self.moments.spread(index, K))

    @property
    def mean_squared_error(self) -> Estimate:
        """Mean of the squared errors."""
        return self._mean(SQUARED, 0.0)

    @property
    def root_mean_squared_error(self) -> Estimate:
        """Square root of the mean squared error, and of the ends of its interval."""
        value, low, high, n = self.mean_squared_error
        return Estimate(sqrt(value), sqrt(low), sqrt(high), n)

    @property
    def mean_absolute_error(self) -> Estimate:
        """Mean of the absolute errors."""
        return self._mean(ABSOLUTE, 0.0)

    @property
    def mean_error(self) -> Estimate:
        """Mean of y - predicted: above 0 where predictions are too low."""
        return self._mean(ERROR, -inf)

    @property
    def r2(self) -> Estimate:
        """Share of the variance of y that is explained; NaN where y does not vary."""
        value, low, high, n = self.mean_squared_error
        variance = float(self.moments.pooled().variance[0, TARGET])
        if not variance > 0.0:
            return Estimate(nan, -inf, 1.0, n)
        return Estimate(1.0 - value / variance, 1.0 - high / variance, 1.0 - low / variance, n)

    def __str__(self) -> str:
        """The scores, one a line."""
        scores = {"mean squared error": self.mean_squared_error, "root of it": self.root_mean_squared_error}
        scores |= {"mean absolute error": self.mean_absolute_error, "mean error": self.mean_error, "R2": self.r2}
        lines = [
            [name, f"{e.value:.6g}", f"{e.low:.6g} to {e.high:.6g}", number_text(e.n)] for name, e in scores.items()
        ]
        return aligned([["score", "value", "95 % interval", "of rows"], *lines])

    def _mean(self, column: int, least: float) -> Estimate:
        rows = self.moments.pooled()
        value, scatter, n = (float(pair.value[0, column]) for pair in (rows.mean, rows.scatter, rows.weight))
        return mean(value, scatter, n, least)


def _numbers(name: str, values: Any) -> Array:
    """A column of finite numbers (n,)."""
    try:
        raw = np.asarray(values)
        if raw.dtype.kind not in "biufO":
            raise TypeError(raw.dtype)
        y = raw.astype(np.float64)
    except (TypeError, ValueError):
        raise bad("RegressionScores", name, "numbers", values) from None
    if y.ndim != 1:
        raise bad("RegressionScores", name, "one column of numbers", Said(f"shape {y.shape}"))
    if not np.isfinite(y).all():
        row = int((~np.isfinite(y)).argmax())
        raise bad("RegressionScores", name, "finite", Said(f"{float(y[row])} in row {row}"), "Leave the row out.")
    return y
