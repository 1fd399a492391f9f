"""Error of a model by bootstrap replicas: each row is judged by the models of replicas that left it out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.estimators.folds.fold_models import some_rows
from suffice.evaluation.resampling.replicas import Replica, fit_replica, read_replicas, read_table
from suffice.evaluation.scores.estimate import Estimate
from suffice.evaluation.scores.losses import read_loss

OWNER = "out_of_bag_error"
SEEN = 0.632  # of the rows, nearly, in a replica


@dataclass(frozen=True, eq=False)
class OutOfBag:
    """Estimates of the error of a model that learned from all rows.

        out of bag = mean over rows of the mean loss by models of replicas without the row: too high, as these have
                     seen 0.632 of the rows only
        .632       = 0.368 training + 0.632 out of bag: too low for a model that learns its rows by heart
        .632+      = (1 - v) training + v out of bag,  v = 0.632 / (1 - 0.368 r),
                     r = (out of bag - training) / (unrelated - training), from 0 to 1: how much the model overfits;
                     an out-of-bag error above that of unrelated answers counts as the latter

    Where a row weighs w, this counts as w rows; it is left out where none of its copies was drawn.
    """

    by_row: Array  # (n,) mean loss of each row where it was left out; NaN if it never was
    left_out: Array  # (n,) in how many replicas
    out_of_bag: Estimate  # its interval takes rows as independent
    training: float  # error of the model of all rows on the same rows
    unrelated: float  # error if answers had nothing to do with the rows
    loss: str

    @property
    def error_632(self) -> float:
        """The .632 estimate."""
        return (1.0 - SEEN) * self.training + SEEN * self.out_of_bag.value

    @property
    def overfitting(self) -> float:
        """How far the out-of-bag error is on its way from the training error to that of unrelated answers."""
        gap, most = self.out_of_bag.value - self.training, self.unrelated - self.training
        return min(gap / most, 1.0) if gap > 0.0 and most > 0.0 else 0.0

    @property
    def error_632_plus(self) -> float:
        """The .632+ estimate: .632 where nothing is overfitted, the out-of-bag error where everything is."""
        v = SEEN / (1.0 - (1.0 - SEEN) * self.overfitting)
        return (1.0 - v) * self.training + v * min(self.out_of_bag.value, max(self.unrelated, self.training))

    def __str__(self) -> str:
        """The estimates, one a line."""
        lines = {"training": f"{self.training:.4f}", "out of bag": str(self.out_of_bag)}
        lines |= {".632": f"{self.error_632:.4f}", ".632+": f"{self.error_632_plus:.4f}"}
        return "\n".join([self.loss, *(f"{name:<12}{text}" for name, text in lines.items())])

    __repr__ = __str__


def out_of_bag_error(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    replicas: Any = 100,
    loss: str | None = None,
    groups: Any = None,
    sample_weight: Any = None,
) -> OutOfBag:
    """Estimate the error of a classifier or a regressor by bootstrap replicas.

    Parameters
    ----------
    estimator : a classifier or a regressor of one target, ours or scikit-learn's; it is not changed
    X, y : the rows
    replicas : their number, or a `Bootstrap`, or another splitter, whose test rows then are the rows left out
    loss : "zero_one", "log_loss" or "brier" for classes, "squared_error" or "absolute_error" for numbers; None is the
        first. A refused answer counts as wrong
    groups : a label a row, for groups that are drawn as a whole
    sample_weight : one weight a row

    >>> from suffice import GaussianNB
    >>> X, y = np.arange(40.0).reshape(-1, 1), np.repeat(["low", "high"], 20)
    >>> print(out_of_bag_error(GaussianNB(), X, y, replicas=50))
    zero_one
    training    0.0000
    out of bag  0.0464 (0.0185 to 0.1117)
    .632        0.0293
    .632+       0.0304

    References
    ----------
    B. Efron and R. Tibshirani, Improvements on cross-validation: the .632+ bootstrap method (1997).
    """
    table, asked = read_table(OWNER, X, y, sample_weight, estimator), read_loss(OWNER, loss, estimator)
    lost, times = np.zeros(table.n), np.zeros(table.n, dtype=np.int64)
    for replica in read_replicas(OWNER, replicas, table, groups, estimator):
        rows = replica.left_out
        if len(rows):
            model = fit_replica(estimator, table, replica)
            lost[rows] += asked.of(some_rows(y, rows), asked.answers(model, some_rows(X, rows)))
            times[rows] += 1
    if not times.any():
        raise bad(OWNER, "replicas", "such that some rows are left out", replicas, "Draw more of them, or give rows.")
    w = np.ones(table.n) if table.w is None else table.w
    met, live = (times > 0) & (w > 0.0), np.flatnonzero(w > 0.0)
    by_row = np.divide(lost, times, out=np.full(table.n, np.nan), where=times > 0)
    whole = fit_replica(estimator, table, Replica(np.arange(table.n), table.w, live, False))
    truth, answers = some_rows(y, live), asked.answers(whole, some_rows(X, live))
    training = asked.estimate(asked.of(truth, answers), w[live]).value
    unrelated = asked.unrelated(truth, answers, w[live])
    return OutOfBag(by_row, times, asked.estimate(by_row[met], w[met]), training, unrelated, asked.name)
