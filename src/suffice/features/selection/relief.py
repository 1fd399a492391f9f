"""Relief, ReliefF, RReliefF: columns that differ between near rows of different classes, and not of the same one.

score_j = mean over anchors x of  Dis(x_j, miss_j)^2 - Dis(x_j, hit_j)^2          Relief
        = mean over k near misses of each other class, by share, - mean over k near hits      ReliefF

Distances by kind: |x - z| / range of numbers, 0 or 1 of symbols; where a cell is missing, what is expected of a uniform
one. Weights would average anchors and neighbours; they are no copies here, so there are none.

References: K. Kira and L. Rendell, A practical approach to feature selection (1992); M. Robnik-Sikonja and
I. Kononenko, Theoretical and empirical analysis of ReliefF and RReliefF (2003).
"""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.features.selection.mixed_neighbours import MixedCells


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
    near, apart = cells.nearest(at, codes, 1)
    own = np.arange(near.shape[1]) == codes[at][:, None]
    for away, way in ((np.where(own, np.inf, apart[:, :, 0]), 1.0), (np.where(own, apart[:, :, 0], np.inf), -1.0)):
        found = np.flatnonzero(np.isfinite(away).any(axis=1))
        least = away[found] == away[found].min(axis=1, keepdims=True)
        nearest = np.where(least, near[found, :, 0], cells.n).min(axis=1)  # of equals the first row
        total += way * (cells.differences(at[found], nearest) ** 2).sum(axis=0)
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
    _check_k("relief_f", k)
    shares = np.bincount(codes) / len(codes)
    total = np.zeros(cells.d)
    near = cells.nearest(at, codes, k)[0]
    for c, share in enumerate(shares):
        there = near[:, c] >= 0
        factor = np.where(codes[at] == c, -1.0, share / np.maximum(1.0 - shares[codes[at]], 1e-300))
        for col in range(k):
            part = factor * there[:, col] / np.maximum(there.sum(axis=1), 1)
            total += part @ cells.differences(at, near[:, c, col])
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
    if t.shape != (cells.n,) or not np.isfinite(t).all():
        raise bad("regression_relief_f", "y", "one finite number a row", Said(f"shape {t.shape}"))
    _check_k("regression_relief_f", k)
    reach = float(np.ptp(t)) or 1.0
    other, differ, both, pairs = 0.0, np.zeros(cells.d), np.zeros(cells.d), 0
    near = cells.nearest(at, np.zeros(cells.n, dtype=np.int64), min(k, cells.n - 1))[0][:, 0]
    for some in near.T:
        gap = np.abs(t[at] - t[some]) / reach
        columns = cells.differences(at, some)
        other, pairs = other + float(gap.sum()), pairs + len(at)
        differ += columns.sum(axis=0)
        both += gap @ columns
    if not 0.0 < other < pairs:
        return np.zeros(cells.d)
    return np.asarray(both / other - (differ - both) / (pairs - other))


def _read(
    owner: str, X: Any, y: Any, symbols: Any, anchors: int | None, random_state: int
) -> tuple[MixedCells, Array, Array]:
    rows, labels = np.asarray(X, dtype=np.float64), np.asarray(y)
    if rows.ndim != 2 or len(rows) < 2 or labels.shape != rows.shape[:1]:
        raise bad(owner, "X", "a table of at least 2 rows, with one label a row", Said(f"shape {rows.shape}"))
    if np.isinf(rows).any() or np.isnan(rows).all(axis=0).any():
        raise bad(owner, "X", "without infinite cells and columns that are all missing", Said("others"))
    places, d = list(symbols), rows.shape[1]
    if not all(isinstance(j, Integral) and -d <= j < d for j in places):
        raise bad(owner, "symbols", f"numbers of columns, from 0 to {d - 1}", places)
    mask = np.zeros(d, dtype=bool)
    mask[np.asarray(places, dtype=np.int64)] = True
    if anchors is not None and not (isinstance(anchors, Integral) and 1 <= anchors <= len(rows)):
        raise bad(owner, "anchors", f"a whole number from 1 to the number of rows, {len(rows)}", anchors)
    every = np.arange(len(rows))
    at = every if anchors is None else np.random.default_rng(random_state).choice(every, anchors, replace=False)
    return MixedCells(rows, mask), at, np.unique(labels, return_inverse=True)[1]


def _check_k(owner: str, k: Any) -> None:
    if not isinstance(k, Integral) or k < 1:
        raise bad(owner, "k", "a whole number of at least 1", k)
