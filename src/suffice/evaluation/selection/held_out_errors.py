"""Errors on rows that were learned from and on rows held out, split by split."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from sklearn.base import is_classifier
from sklearn.model_selection import ShuffleSplit

from suffice.core.block import Array
from suffice.estimators.folds.fold_models import Splits, read_splits, some_rows
from suffice.evaluation.resampling.replicas import Replica, ResampledTable, fit_replica, read_table
from suffice.evaluation.scores.estimate import Estimate
from suffice.evaluation.scores.losses import Loss, read_loss

OWNER = "hold_out_errors"
REPEATS, PART = 10, 0.25  # of splits, and of the rows that each holds out


@dataclass(frozen=True, eq=False)
class HoldOutErrors:
    """The training and the test error of each split.

        gap = test error - training error: what learning by heart pretends
        spread = standard deviation of single test errors
        standard error = spread sqrt(1 / splits + test rows / training rows)

    Each test error is an unbiased estimate of the error of a model of so many rows, but a single draw: `spread` shows
    by how much it might have been another. Training sets overlap, so that the standard error of the mean does not go
    to 0 with the number of splits.

    References
    ----------
    C. Nadeau and Y. Bengio, Inference for the generalization error (2003).
    """

    training: Array  # (S,)
    test: Array  # (S,)
    test_ratio: float  # test rows over training rows
    loss: str

    @property
    def error(self) -> float:
        """Mean test error."""
        return float(self.test.mean())

    @property
    def gap(self) -> float:
        """Mean of test error minus training error."""
        return float((self.test - self.training).mean())

    @property
    def spread(self) -> float:
        """Standard deviation of the test errors; NaN for one split."""
        return float(self.test.std(ddof=1)) if len(self.test) > 1 else float("nan")

    @property
    def standard_error(self) -> float:
        """Standard error of the mean test error; NaN for one split."""
        return self.spread * sqrt(1.0 / len(self.test) + self.test_ratio)

    def __str__(self) -> str:
        """Errors in a line."""
        return (
            f"{self.loss}: training {self.training.mean():.4g}, test {self.error:.4g} +- {self.standard_error:.2g}, "
            f"gap {self.gap:.4g}, spread of single tests {self.spread:.2g} ({len(self.test)} splits)"
        )

    __repr__ = __str__


def hold_out_errors(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    cv: Any = None,
    loss: str | None = None,
    groups: Any = None,
    sample_weight: Any = None,
) -> HoldOutErrors:
    """Training and test errors of an estimator over random splits of the rows.

    Parameters
    ----------
    estimator : a classifier or a regressor of one target, ours or scikit-learn's; it is not changed
    X, y : the rows
    cv : None for ten splits that hold out a quarter of the rows each, a number of folds, a splitter of scikit-learn, or
        pairs of row numbers
    loss : as for `out_of_bag_error`
    groups : for splitters that keep groups together
    sample_weight : one weight a row, for learning and for testing

    >>> from suffice import PolynomialRegression
    >>> x = np.linspace(-1.0, 1.0, 40)[:, None]
    >>> y = np.sin(3.0 * x[:, 0]) + 0.1 * np.cos(50.0 * x[:, 0])
    >>> print(hold_out_errors(PolynomialRegression(degree=3), x, y))
    squared_error: training 0.00819, test 0.01225 +- 0.0018, gap 0.004063, spread of single tests 0.0027 (10 splits)
    """
    asked = read_loss(OWNER, loss, estimator)
    table = read_table(OWNER, X, y, sample_weight, estimator)
    return errors_of(estimator, table, random_splits(OWNER, cv, table, groups, estimator), asked)


def random_splits(owner: str, cv: Any, table: ResampledTable, groups: Any, estimator: Any) -> Splits:
    """The splits asked for; None is ten at random."""
    cv = ShuffleSplit(REPEATS, test_size=PART, random_state=0) if cv is None else cv
    return read_splits(owner, cv, table.y, table.n, groups, classes=is_classifier(estimator))


def errors_of(estimator: Any, table: ResampledTable, splits: Splits, loss: Loss) -> HoldOutErrors:
    """Fit once a split, and measure on both sides of it."""
    errors, ratios = [], []
    for train, test in splits.pairs:
        model = fit_part(estimator, table, train)
        errors.append([error_on(model, table, part, loss).value for part in (train, test)])
        ratios.append(len(test) / max(len(train), 1))
    training, tested = np.array(errors).T
    return HoldOutErrors(training, tested, float(np.mean(ratios)), loss.name)


def fit_part(estimator: Any, table: ResampledTable, rows: Array) -> Any:
    """A model of some rows."""
    w = None if table.w is None else table.w[rows]
    return fit_replica(estimator, table, Replica(rows, w, rows[:0], False))


def error_on(model: Any, table: ResampledTable, rows: Array, loss: Loss) -> Estimate:
    """The mean loss of a model on some rows, with its interval."""
    lost = loss.of(some_rows(table.y, rows), loss.answers(model, some_rows(table.X, rows)))
    return loss.estimate(lost, None if table.w is None else table.w[rows])
