"""Lasso and elastic net over many columns: coordinate descent on the few that matter, a look at all to find them.

The columns whose pull exceeds the penalty join the working set; their products are taken and solved by the same
coordinate descent as those of any table. The duality gap, which is of all columns, says when to stop. Where there is
one penalty the coefficients that are not 0 are then solved for at once, and only then: a working set is soon left.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.linear.regression.coordinate_descent import Path, Quadratic, descend, gap_of, jump
from suffice.linear.wide.centred_rows import CentredRows, SmallRows
from suffice.numerics.blas_threads import one_thread_if_few

FEW = 16  # columns that may join at a time, at least
INNER = 0.25  # of the gap asked for: how well a working set is solved, so that the look at all columns can end it
ROUNDS = 200
SMALL = 1 << 18  # cells of rows that are made about their mean where many penalties ask for them


def descend_rows(
    A: CentredRows,
    y: Array,
    weight: float,
    penalties: Array,
    l1_ratio: float,
    *,
    tol: float,
    max_iter: int,
    positive: bool = False,
    start: Array | None = None,
) -> Path:
    """The coefficients for each penalty, each from those of the one before; parameters as for `descend`.

    >>> A = CentredRows(np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]), np.zeros(3), np.ones(2))
    >>> descend_rows(A, np.array([3.0, 0.5]), 1.0, np.array([1.0]), 1.0, tol=1e-9, max_iter=10).coef
    array([[2., 0., 0.]])
    """
    A = SmallRows.made(A) if not A.sparse and A.X.size <= SMALL and len(penalties) > 1 else A
    p, m = len(A.mean), len(penalties)
    path = Path(np.empty((m, p)), np.empty(m), np.zeros(m, dtype=np.int64))
    with one_thread_if_few(A.X.shape[0] * A.X.shape[1]):
        pull = A.back(y) / weight  # c
        b = np.zeros(p) if start is None else np.array(start, dtype=np.float64)
        kept = _Columns(A, weight)
        yy = float(y @ y) / weight
        options: dict[str, Any] = {"tol": INNER * tol, "positive": positive, "many": True}
        slope: Array | None = None  # of the coefficients as they are, whatever the penalty
        for i, penalty in enumerate(penalties):
            solved = None
            l1, l2 = penalty * l1_ratio, penalty * (1.0 - l1_ratio)
            for _ in range(ROUNDS):
                live = b.nonzero()[0]
                slope = _slope(A, y, weight, b, pull, live) if slope is None else slope
                path.gap[i] = max(gap_of(pull, yy, b, slope, l1, l2, positive), 0.0)
                joined = _joined(slope - l2 * b if l2 else slope, l1, positive, live)
                left = max_iter - int(path.sweeps[i])
                if path.gap[i] <= tol * yy or left <= 0 or (solved is not None and np.array_equal(joined, solved)):
                    break
                own, one = Quadratic(kept.products(joined), pull[joined], yy), penalties[i : i + 1]
                found = descend(own, one, l1_ratio, max_iter=left, start=b[joined], **options)
                b[joined], solved, slope = found.coef[0], joined, None
                path.sweeps[i] += int(found.sweeps[0])
            if m == 1 and len(live) and solved is not None and path.gap[i] <= tol * yy:
                least = b[live]
                jump(kept.products(live), pull[live], l1, l2, least)
                b[live] = least
                slope = _slope(A, y, weight, b, pull, live)
                path.gap[i] = max(gap_of(pull, yy, b, slope, l1, l2, positive), 0.0)
            path.coef[i] = b
    return path


def rows_gap(A: CentredRows, y: Array, weight: float, b: Array, l1: float, l2: float, positive: bool = False) -> float:
    """How far the objective lies above the best value of the dual problem that the residuals point to."""
    pull = A.back(y) / weight
    return gap_of(pull, float(y @ y) / weight, b, _slope(A, y, weight, b, pull, b.nonzero()[0]), l1, l2, positive)


def _slope(A: CentredRows, y: Array, weight: float, b: Array, pull: Array, live: Array) -> Array:
    """c - G b (p,), where the coefficients that are not 0 are `live`."""
    return pull if not len(live) else A.back(y - A.columns(live) @ b[live]) / weight


def _joined(pull: Array, l1: float, positive: bool, live: Array) -> Array:
    """The columns that have a coefficient, and those that are pulled hardest of the others."""
    size = pull.copy() if positive else np.abs(pull)
    size[live] = 0.0
    eager, most = size > l1, max(FEW, len(live))
    if np.count_nonzero(eager) > most:
        places = eager.nonzero()[0]
        eager[:] = False
        eager[places[np.argpartition(size[places], -most)[-most:]]] = True
    eager[live] = True
    return eager.nonzero()[0]


class _Columns:
    """Products of columns per unit of weight; those of the last working set are not taken again."""

    def __init__(self, A: CentredRows, weight: float) -> None:
        self.A, self.weight = A, weight
        self.at, self.G = np.full(len(A.mean), -1), np.zeros((1, 1))  # where the products of a column are

    def products(self, places: Array) -> Array:
        """Of these columns (m, m)."""
        at = self.at[places]
        G: Array = self.G[at[:, None], at]  # of columns that are new, anything
        new = (at < 0).nonzero()[0]
        if len(new):
            cells = self.A.columns(places)
            G[:, new] = cells.T @ cells[:, new] / self.weight
            G[new, :] = G[:, new].T
        self.at[:] = -1
        self.at[places], self.G = np.arange(len(places)), G
        return G
