"""Relief, ReliefF, RReliefF: columns that differ between near rows of different classes, and not of the same one.

score_j = mean over anchors x of  Dis(x_j, miss_j)^2 - Dis(x_j, hit_j)^2          Relief
        = mean over k near misses of each other class, by share, - mean over k near hits      ReliefF

Distances by kind: |x - z| / range of numbers, 0 or 1 of symbols; where a cell is missing, what is expected of a uniform
one. Weights would average anchors and neighbours; they are no copies here, so there are none.

References: K. Kira and L. Rendell, A practical approach to feature selection (1992); M. Robnik-Sikonja and
I. Kononenko, Theoretical and empirical analysis of ReliefF and RReliefF (2003).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad

CELLS = 1 << 22  # differences that are held at a time


def relief(X: Any, y: Any, *, anchors: int | None = None, symbols: Any = (), random_state: int = 0) -> Array:
    """Relief of two or more classes: one nearest hit and one nearest miss an anchor (d,).

    Parameters
    ----------
    X : (n, d) numbers, NaN where a cell is missing; symbols as numbers
    y : (n,) labels
    anchors : rows that are drawn; None: every row once
    symbols : numbers of the columns whose cells are equal or not
    random_state : of the draw

    >>> X = np.array([[0, 0, 1], [0, 1, 0], [1, 0, 0], [1, 1, 1], [0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]])
    >>> relief(X, X[:, 0] ^ X[:, 1], symbols=[0, 1, 2]).round(2).tolist()
    [0.5, 0.5, -1.0]
    """
    cells, at, codes = _read("relief", X, y, symbols, anchors, random_state)
    total = np.zeros(cells.d)
    for some in cells.chunks(at):
        far = cells.distances(some)
        same = codes[some][:, None] == codes
        hit, miss = np.where(same, far, np.inf), np.where(same, np.inf, far)
        hit[np.arange(len(some)), some] = np.inf
        for near, way in ((miss, 1.0), (hit, -1.0)):
            found = np.isfinite(near).any(axis=1)
            total += way * (cells.differences(some[found], near[found].argmin(axis=1)) ** 2).sum(axis=0)
    return np.asarray(total / len(at))


def relief_f(
    X: Any, y: Any, *, k: int = 10, anchors: int | None = None, symbols: Any = (), random_state: int = 0
) -> Array:
    """ReliefF: k nearest hits, and k nearest misses of each other class, by its share (d,).

    Parameters
    ----------
    X, y, anchors, symbols, random_state : as for `relief`
    k : near rows of each class
    """
    cells, at, codes = _read("relief_f", X, y, symbols, anchors, random_state)
    if k < 1:
        raise bad("relief_f", "k", "at least 1", k)
    shares = np.bincount(codes) / len(codes)
    total = np.zeros(cells.d)
    for some in cells.chunks(at):
        far = cells.distances(some)
        far[np.arange(len(some)), some] = np.inf
        for c, share in enumerate(shares):
            members = np.flatnonzero(codes == c)
            near = members[np.argsort(far[:, members], axis=1, kind="stable")[:, :k]]
            there = np.isfinite(np.take_along_axis(far, near, axis=1))
            own = codes[some] == c
            factor = np.where(own, -1.0, share / np.maximum(1.0 - shares[codes[some]], 1e-300))
            for col in range(near.shape[1]):
                part = factor * there[:, col] / np.maximum(there.sum(axis=1), 1)
                total += part @ cells.differences(some, near[:, col])
    return np.asarray(total / len(at))


def regression_relief_f(
    X: Any, y: Any, *, k: int = 10, anchors: int | None = None, symbols: Any = (), random_state: int = 0
) -> Array:
    """RReliefF: how much more columns differ where near rows differ in the number to predict (d,).

    P(differ | near, other y) - P(differ | near, same y), by Bayes' rule from what near rows show

    Parameters
    ----------
    X, anchors, symbols, random_state : as for `relief`
    y : (n,) numbers
    k : near rows
    """
    cells, at, _ = _read("regression_relief_f", X, np.zeros(len(X)), symbols, anchors, random_state)
    t = np.asarray(y, dtype=np.float64)
    if t.shape != (cells.n,) or not np.isfinite(t).all() or k < 1:
        raise bad("regression_relief_f", "y", "one finite number a row, and k at least 1", Said(f"shape {t.shape}"))
    reach = float(np.ptp(t)) or 1.0
    other, differ, both, pairs = 0.0, np.zeros(cells.d), np.zeros(cells.d), 0
    for some in cells.chunks(at):
        far = cells.distances(some)
        far[np.arange(len(some)), some] = np.inf
        near = np.argsort(far, axis=1, kind="stable")[:, : min(k, cells.n - 1)]
        for col in range(near.shape[1]):
            gap = np.abs(t[some] - t[near[:, col]]) / reach
            columns = cells.differences(some, near[:, col])
            other, pairs = other + float(gap.sum()), pairs + len(some)
            differ += columns.sum(axis=0)
            both += gap @ columns
    if not 0.0 < other < pairs:
        return np.zeros(cells.d)
    return np.asarray(both / other - (differ - both) / (pairs - other))


class _Cells:
    """Cells between 0 and 1, and their differences by kind."""

    def __init__(self, X: Array, symbols: Array) -> None:
        self.n, self.d = X.shape
        self.symbolic = symbols
        low, high = np.nanmin(X, axis=0), np.nanmax(X, axis=0)
        reach = np.where(high > low, high - low, 1.0)
        self.X = np.where(symbols, X, (X - low) / reach)
        self.missing = np.isnan(X)
        self.guess = np.array([1.0 - 1.0 / max(1, len(np.unique(c[~np.isnan(c)]))) for c in X.T])

    def chunks(self, anchors: Array) -> list[Array]:
        step = max(1, CELLS // max(1, self.n))
        return [anchors[start : start + step] for start in range(0, len(anchors), step)]

    def differences(self, a: Array, b: Array) -> Array:
        """Of rows a and b (m, d)."""
        return np.stack([self._column(j, self.X[a, j], self.X[b, j]) for j in range(self.d)], axis=1)

    def distances(self, a: Array) -> Array:
        """Of rows a from all rows (m, n): the sum of the differences."""
        far = np.zeros((len(a), self.n))
        for j in range(self.d):
            far += self._column(j, self.X[a, j][:, None], self.X[:, j][None])
        return far

    def _column(self, j: int, x: Array, z: Array) -> Array:
        gap = (x != z).astype(np.float64) if self.symbolic[j] else np.abs(x - z)
        if not self.missing[:, j].any():
            return np.asarray(gap)
        here, there = np.isnan(x) | np.zeros_like(z, dtype=bool), np.isnan(z) | np.zeros_like(x, dtype=bool)
        if self.symbolic[j]:
            return np.asarray(np.where(here | there, self.guess[j], gap))
        one: Callable[[Array], Array] = lambda v: (v**2 + (1.0 - v) ** 2) / 2.0  # noqa: E731  (mean distance from v)
        gap = np.where(here & there, 1.0 / 3.0, gap)
        gap = np.where(here & ~there, one(np.broadcast_to(z, gap.shape)), gap)
        return np.asarray(np.where(there & ~here, one(np.broadcast_to(x, gap.shape)), gap))


def _read(
    owner: str, X: Any, y: Any, symbols: Any, anchors: int | None, random_state: int
) -> tuple[_Cells, Array, Array]:
    rows, labels = np.asarray(X, dtype=np.float64), np.asarray(y)
    if rows.ndim != 2 or len(rows) < 2 or labels.shape != rows.shape[:1]:
        raise bad(owner, "X", "a table of at least 2 rows, with one label a row", Said(f"shape {rows.shape}"))
    if np.isinf(rows).any() or np.isnan(rows).all(axis=0).any():
        raise bad(owner, "X", "without infinite cells and columns that are all missing", Said("others"))
    mask = np.zeros(rows.shape[1], dtype=bool)
    mask[np.asarray(symbols, dtype=np.int64)] = True
    if anchors is not None and not 1 <= anchors <= len(rows):
        raise bad(owner, "anchors", f"from 1 to the number of rows, {len(rows)}", anchors)
    every = np.arange(len(rows))
    at = every if anchors is None else np.random.default_rng(random_state).choice(every, anchors, replace=False)
    return _Cells(rows, mask), at, np.unique(labels, return_inverse=True)[1]
