"""Near rows of each class, by distances that add over columns of different kinds: what Relief looks at.

distance(x, z) = sum_j |x_j - z_j| / range_j of numbers, 0 or 1 of symbols; where a cell is missing, what is expected of
a uniform one: 1 / 3 of two numbers, (v^2 + (1 - v)^2) / 2 of v and a missing one, 1 - 1 / values of symbols
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.numerics.loop import loop, pays
from suffice.numerics.threads import in_threads, processors

CELLS = 1 << 22  # distances that are held at a time
TOGETHER, TILE = 16, 256  # anchors, and rows that they are compared with at a time: both stay in the cache
NUMBER, SYMBOL, GAPPED = 0, 1, 2  # numbers without missing cells, symbols, numbers with some


class MixedCells:
    """Cells between 0 and 1, or codes of symbols, and their differences by kind."""

    def __init__(self, X: Array, symbols: Array) -> None:
        """Numbers are measured by the range of their column."""
        self.n, self.d = X.shape
        low, high = np.nanmin(X, axis=0), np.nanmax(X, axis=0)
        reach = np.where(high > low, high - low, 1.0)
        self.columns = np.ascontiguousarray(np.where(symbols, X, (X - low) / reach).T)  # (d, n)
        self.kinds = np.where(symbols, SYMBOL, np.where(np.isnan(X).any(axis=0), GAPPED, NUMBER))
        self.guess = np.array([1.0 - 1.0 / max(1, len(np.unique(c[~np.isnan(c)]))) for c in X.T])

    def nearest(self, at: Array, codes: Array, k: int) -> tuple[Array, Array]:
        """For each anchor and class the k nearest other rows (m, K, k), -1 where there are fewer, and how far."""
        shape = len(at), int(codes.max()) + 1, k
        near, apart = np.full(shape, -1, dtype=np.int64), np.full(shape, np.inf)
        order = np.argsort(self.kinds, kind="stable")  # plain numbers first
        columns, kinds, guess = self.columns[order], self.kinds[order], self.guess[order]
        find: Any = _nearest if pays(len(at) * self.columns.size) else _twin
        step = max(1, CELLS // max(1, self.n)) if find is _twin else 16 * TOGETHER

        def some(start: int, go_on: Any) -> None:
            rows = slice(start, start + step)
            find(at[rows], columns, kinds, guess, codes, near[rows], apart[rows])

        in_threads(some, range(0, len(at), step), processors())
        return near, apart

    def differences(self, a: Array, b: Array) -> Array:
        """Of rows a and b (m, d)."""
        cells = zip(self.columns, self.kinds, self.guess, strict=True)
        return np.stack([_differences(x[a], x[b], kind, guess) for x, kind, guess in cells], axis=1)


def _differences(x: Array, z: Array, kind: int, guess: float) -> Array:
    """Of the cells of one column."""
    if kind == NUMBER:
        return np.asarray(np.abs(x - z))
    gap = (x != z).astype(np.float64) if kind == SYMBOL else np.abs(x - z)
    here, there = np.broadcast_to(np.isnan(x), gap.shape), np.broadcast_to(np.isnan(z), gap.shape)
    if kind == SYMBOL:
        return np.asarray(np.where(here | there, guess, gap))
    one: Callable[[Array], Array] = lambda v: (v * v + (1.0 - v) * (1.0 - v)) / 2.0  # noqa: E731  (mean distance from v)
    gap = np.where(here & there, 1.0 / 3.0, gap)
    gap = np.where(here & ~there, one(np.broadcast_to(z, gap.shape)), gap)
    return np.asarray(np.where(there & ~here, one(np.broadcast_to(x, gap.shape)), gap))


def _twin(at: Array, columns: Array, kinds: Array, guess: Array, codes: Array, near: Array, apart: Array) -> None:
    """The loop, in NumPy: column after column, in the same order of additions."""
    far = np.zeros((len(at), columns.shape[1]))
    for x, kind, own in zip(columns, kinds, guess, strict=True):
        far += _differences(x[at][:, None], x[None], kind, own)
    far[np.arange(len(at)), at] = np.inf
    for c in range(near.shape[1]):
        members = np.flatnonzero(codes == c)
        order = np.argsort(far[:, members], axis=1, kind="stable")[:, : near.shape[2]]
        away = np.take_along_axis(far[:, members], order, axis=1)
        apart[:, c, : order.shape[1]] = away
        near[:, c, : order.shape[1]] = np.where(np.isfinite(away), members[order], -1)


@loop
def _nearest(at, columns, kinds, guess, codes, near, apart):  # type: ignore[no-untyped-def]
    """Distances of some anchors to a tile of rows, four columns at a time, then the k smallest of each class."""
    d, n = columns.shape
    k = near.shape[2]
    plain = 0
    while plain < d and kinds[plain] == NUMBER:
        plain += 1
    far = np.empty(TILE)
    for first in range(0, len(at), TOGETHER):
        for start in range(0, n, TILE):
            size = min(TILE, n - start)
            for g in range(first, min(first + TOGETHER, len(at))):
                i = at[g]
                far[:] = 0.0
                j = 0
                while j + 4 <= plain:
                    x0, x1, x2, x3 = columns[j, i], columns[j + 1, i], columns[j + 2, i], columns[j + 3, i]
                    c0, c1 = columns[j, start : start + size], columns[j + 1, start : start + size]
                    c2, c3 = columns[j + 2, start : start + size], columns[j + 3, start : start + size]
                    for t in range(size):
                        far[t] = far[t] + abs(x0 - c0[t]) + abs(x1 - c1[t]) + abs(x2 - c2[t]) + abs(x3 - c3[t])
                    j += 4
                while j < d:
                    x, here = columns[j, i], columns[j, i] == columns[j, i]
                    for t in range(size):
                        z = columns[j, start + t]
                        there = z == z
                        if kinds[j] == SYMBOL:
                            far[t] += (1.0 if x != z else 0.0) if here and there else guess[j]
                        elif here and there:
                            far[t] += abs(x - z)
                        elif here or there:
                            v = x if here else z
                            far[t] += (v * v + (1.0 - v) * (1.0 - v)) / 2.0
                        else:
                            far[t] += 1.0 / 3.0
                    j += 1
                for t in range(size):
                    c = codes[start + t]
                    away = far[t]
                    if away < apart[g, c, k - 1] and start + t != i:
                        e = k - 1
                        while e > 0 and apart[g, c, e - 1] > away:
                            apart[g, c, e] = apart[g, c, e - 1]
                            near[g, c, e] = near[g, c, e - 1]
                            e -= 1
                        apart[g, c, e] = away
                        near[g, c, e] = start + t
