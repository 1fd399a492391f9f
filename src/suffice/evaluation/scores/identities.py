"""Identities of calibrated probabilities: what sums must agree, and by how much they do not."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.decision.curves.ranked_scores import read_scored

OWNER = "calibration_identities"


class Identities(NamedTuple):
    """Sums over rows that agree if probabilities are calibrated.

        sum w p = sum w y,   sum w (y - p) x_j = 0 for each column j

    Both hold exactly on the training rows of logistic regression without a penalty, the first also for an isotonic map
    without smoothing. For K classes there is one number a class.
    """

    predicted: Array  # (d,) sum of w p
    positives: Array  # (d,) sum of w y
    deviation: Array  # (d,) standard deviation of the number of positives, if the probabilities are true
    by_column: Array | None  # (d, columns) sum of w (y - p) x

    @property
    def surplus(self) -> Array:
        """Positives expected too many (d,)."""
        return self.predicted - self.positives

    @property
    def z(self) -> Array:
        """The surplus in standard deviations (d,): beyond 2 it is hardly chance on rows of their own."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(self.surplus == 0.0, 0.0, self.surplus / self.deviation)


def calibration_identities(
    y_true: Any, proba: Any, X: Any = None, sample_weight: Any = None, classes: Any = None
) -> Identities:
    """Compare sums of probabilities with sums of what happened.

    Parameters
    ----------
    y_true : the class of each row: its number, or its name where `classes` are given
    proba : (n,) probability of the second of two classes, or (n, K) of each
    X : (n, columns) numbers for the identity of each column, or None
    sample_weight : one weight a row, at least 0
    classes : the names of the classes in order

    >>> sums = calibration_identities([0, 1, 1, 0], [0.5, 0.5, 0.5, 0.5], X=[[1.0], [2.0], [3.0], [4.0]])
    >>> sums.predicted, sums.positives, sums.by_column
    (array([2.]), array([2.]), array([[0.]]))
    """
    p, codes, w, K = read_scored(OWNER, proba, y_true, sample_weight, classes)
    odd = ~((p >= 0.0) & (p <= 1.0))
    if odd.any():
        raise bad(OWNER, "proba", "from 0 to 1", float(p[odd][0]))
    weight = np.ones(len(p)) if w is None else w
    y = codes[:, None] == (np.arange(K) if p.shape[1] > 1 else 1)
    deviation = np.sqrt(weight**2 @ (p * (1.0 - p)))
    return Identities(
        weight @ p, weight @ y, deviation, None if X is None else _by_column(X, weight[:, None] * (y - p))
    )


def _by_column(X: Any, rest: Array) -> Array:
    try:
        x = np.asarray(X, dtype=np.float64)
    except (TypeError, ValueError):
        raise bad(OWNER, "X", "numbers", X, "Leave it out, or give the columns that are numbers.") from None
    if x.ndim != 2 or len(x) != len(rest):
        raise bad(OWNER, "X", f"a table of {len(rest)} rows", Said(f"shape {x.shape}"))
    return np.asarray(rest.T @ x)
