"""Conjugate gradients over sparse rows, compiled: the steps of least squares and of Newton's method are the same.

minimise  sum_i (u_i m_i + w_i m_i^2 / 2) + penalty |b + x|^2 / 2   over x, with m = J x and J = [1, X - 1 mean']

Least squares has u = -w y; a step of Newton's method has the slopes u and the curvatures w of the loss at each row.
What rows say is kept row by row, u + w m, and not only as its sum J'(u + w m), which would lose digits where columns
nearly depend on one another. A step reads the rows twice, and makes no array.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.numerics.loop import inner, loop


class SparseDescent(NamedTuple):
    """Where the steps came to."""

    change: Array  # (1 + p,) x: of the intercept, then of the coefficients
    went: Array  # (n,) m: how far the rows went by it
    left: Array  # (1 + p,) minus the slope there
    first: Array  # (1 + p,) minus the slope at 0
    steps: int
    settled: bool


def descent_pays(X: Any) -> bool:
    """Whether steps over these sparse rows are compiled; NumPy's do otherwise, and are waited for."""
    return getattr(X, "format", "") == "csr" and X.data.dtype == np.float64 and sparse_steps.pays(X.nnz)


def sparse_descent(
    X: Any,
    mean: Array,
    slope: Array,
    bend: Array,
    *,
    start: Array,
    shrink: Array,
    penalty: float,
    intercept: bool,
    enough: tuple[float, float, float],
    steps: int,
) -> SparseDescent:
    """From coefficients `start` (1 + p,), with slopes u and curvatures w of the rows.

    `shrink` is about the inverse of the curvature of each coefficient. Steps end where the length of the slope, so
    measured and squared, is at most max(share * first * min(1, far * first), least), with enough = (share, far, least)
    and what it was at first.
    """
    unsigned = np.uint32 if X.indices.dtype == np.int32 else np.uint64  # numba looks at the sign of others
    places = X.indices.view(unsigned), X.indptr.view(np.uint32 if X.indptr.dtype == np.int32 else np.uint64)
    change, left, first = np.zeros_like(start), np.empty_like(start), np.empty_like(start)
    work, rows = np.zeros((3, len(start))), np.zeros((2, X.shape[0]))
    fixed = mean, slope.copy(), bend, start, shrink, penalty, intercept, *enough, steps
    taken, settled = sparse_steps(X.data, *places, *fixed, change, left, first, work, rows)
    return SparseDescent(change, rows[1], left, first, int(taken), bool(settled))


@inner
def _summed(a: Any, b: Any, n: Any) -> Any:
    """The sum of the products of n numbers, as four sums that do not wait for one another."""
    s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
    for k in range(n // 4):
        s0 += a[4 * k] * b[4 * k]
        s1 += a[4 * k + 1] * b[4 * k + 1]
        s2 += a[4 * k + 2] * b[4 * k + 2]
        s3 += a[4 * k + 3] * b[4 * k + 3]
    for k in range(n - n % 4, n):
        s0 += a[k] * b[k]
    return (s0 + s1) + (s2 + s3)


@inner
def _to_columns(data: Any, column: Any, cells: Any, now: Any, back: Any) -> Any:
    """X'now, and the sum of `now`."""
    back[:] = 0.0
    total = 0.0
    for i in range(len(now)):
        value = now[i]
        total += value
        for k in range(cells[i], cells[i + 1]):
            back[column[k]] += data[k] * value
    return total


@inner
def _to_rows(data: Any, column: Any, cells: Any, along: Any, level: Any, bend: Any, moved: Any) -> Any:
    """How far each row moves, level + X along, and the curvature there."""
    curved = 0.0
    for i in range(len(moved)):
        value = level
        for k in range(cells[i], cells[i + 1]):
            value += data[k] * along[column[k]]
        moved[i] = value
        curved += bend[i] * value * value
    return curved


@loop
def sparse_steps(
    data: Any, column: Any, cells: Any, mean: Any, now: Any, bend: Any, start: Any, shrink: Any,
    penalty: Any, intercept: Any, share: Any, far: Any, least: Any, steps: Any,
    change: Any, left: Any, first: Any, work: Any, rows: Any,
) -> Any:  # fmt: skip
    """The steps; how many there were, and whether they were enough. What the rows say, `now`, is written into."""
    p = len(mean)
    moved, went = rows[0], rows[1]
    along, pulled, back = work[0], work[1], work[2]  # the intercept is the last of `along` and `pulled`
    size, length = 0.0, 0.0
    for step in range(steps + 1):
        if step > 0:
            for i in range(len(now)):
                went[i] += length * moved[i]
                now[i] += length * bend[i] * moved[i]
        total = _to_columns(data, column, cells, now, back)
        change[0] += length * along[p]
        left[0] = -total if intercept else 0.0
        for j in range(p):
            change[j + 1] += length * along[j]
            left[j + 1] = total * mean[j] - back[j] - penalty * (start[j + 1] + change[j + 1])
            pulled[j] = shrink[j + 1] * left[j + 1]
        pulled[p] = shrink[0] * left[0]
        before, size = size, _summed(left[1:], pulled, p) + left[0] * pulled[p]
        if step == 0:
            first[:] = left
            least = max(least, share * size * min(1.0, far * size) if size > 0.0 else 0.0)
        if not size > least:
            return step, True
        turn = size / before if step > 0 else 0.0
        for j in range(p + 1):
            along[j] = pulled[j] + turn * along[j]
        level = along[p] - _summed(mean, along, p)
        curved = penalty * _summed(along, along, p) + _to_rows(data, column, cells, along, level, bend, moved)
        if not curved > 0.0:
            return step, False
        length = size / curved
    return steps, False
