"""Values of linear functions: rows about a centre times coefficients, and whether a cell was missing, in one pass."""

from __future__ import annotations

from math import isfinite
from typing import Any

import numpy as np

from suffice.numerics.arrays import Array, all_finite

NEAR = 4.0  # times as much as the values of rows vary that those of the centre may be, to be taken away from products
CACHED = 1 << 15  # cells that are centred at a time: they stay in the cache until they are multiplied
LEAST = 16  # rows at a time, however wide they are
FIRST = 64  # rows that tell how much the values vary
FOLD = 4  # functions at a time, which BLAS takes sooner than a rest of them


def linear_values(X: Any, coef: Array, at: Array, centre: Array) -> Array:
    """at + (x - centre) . coef of each row (n, t); sparse rows are not filled in to be centred."""
    if hasattr(X, "indptr"):
        return np.asarray(X @ np.ascontiguousarray(coef.T) + (at - coef @ centre))
    return np.asarray((X - centre) @ coef.T + at)


def complete_values(X: Any, coef: Array, at: Array, centre: Array) -> Array | None:
    """The same of rows in which every cell is finite; None where one may not be, and of sparse rows.

    The sum of each row is one more product: who looks at all cells first goes through the table twice, which only a
    small one, that stays in the cache, does not mind.

    >>> complete_values(np.array([[1.0, 2.0]]), np.array([[1.0, 1.0]]), np.array([0.5]), np.zeros(2))
    array([[3.5]])
    >>> complete_values(np.array([[1.0, np.nan]]), np.array([[1.0, 0.0]]), np.array([0.5]), np.zeros(2)) is None
    True
    """
    if not isinstance(X, np.ndarray):
        return None
    if X.size < CACHED:
        return linear_values(X, coef, at, centre) if all_finite(X) else None
    (n, p), t = X.shape, len(coef)
    sides, moves = np.zeros((-(-(t + 1) // FOLD) * FOLD, p)), bool(centre.any())
    sides[:t], sides[t] = coef, 1.0
    out, level = np.empty((len(sides), n)), at[:, None]
    step = max(CACHED // p, LEAST) if moves else n
    away = np.empty((min(step, n), p)) if moves else X
    with np.errstate(over="ignore", invalid="ignore"):
        a, b = 0, min(step, FIRST) if moves else n
        while a < n:
            x = np.subtract(X[a:b], centre, out=away[: min(b, n) - a]) if moves else X
            np.matmul(sides, x.T, out=out[:, a:b])
            if a == 0 and b < n and _near_zero(out[:t, :b], coef, centre):
                np.matmul(sides, X[b:].T, out=out[:, b:])
                out[:t, b:] += level - (coef @ centre)[:, None]
                out[:t, :b] += level
                break
            out[:t, a:b] += level
            a, b = b, b + step
        return out[:t].T if isfinite(np.add.reduce(out[t])) else None


def _near_zero(values: Array, sides: Array, centre: Array) -> bool:
    """Whether functions (t, p) vary so much over rows about the centre, by these values (t, n), that products of rows
    that are not centred cost two bits at most.
    """
    return bool((np.abs(sides) @ np.abs(centre) <= NEAR * np.abs(values).max(axis=1)).all())
