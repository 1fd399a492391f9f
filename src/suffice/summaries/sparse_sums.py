"""Moments and rankings of sparse rows: only stored cells are looked at, and what is left over of the rows is 0.

A stored cell of component k and column j is a row of one column in component k d + j, so that sums of sparse rows are
those of `power_sums`, about a shift of 0, to which cells that are not stored add nothing. NaN is a missing cell.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.double_double import Pair, exact
from suffice.core.errors import Said, bad
from suffice.core.shares import Shares
from suffice.core.tally import Tally
from suffice.numerics.loop import fma, loop
from suffice.summaries.power_sums import LARGEST, twin
from suffice.summaries.shifted_sums import SharedSums


class StoredCells(NamedTuple):
    """Stored cells that belong to somebody, one entry a cell and share."""

    values: Array  # (s,) float64
    columns: Array  # (s,)
    R: Shares  # of one component each

    @classmethod
    def of(cls, X: Any, R: Shares) -> StoredCells:
        """The cells of a matrix by rows (n, d), each stored once, with shares R of the rows."""
        row = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))
        values, columns = np.asarray(X.data, dtype=np.float64), X.indices
        m, mine = R.codes.shape[1], _picked(R, row)
        if m == 1:
            return cls(values, columns, mine)
        one = Shares(mine.codes.reshape(-1, 1), mine.share.reshape(-1, 1), R.K)
        return cls(np.repeat(values, m), np.repeat(columns, m), one)

    def some(self, which: Array) -> StoredCells:
        """Some of the cells."""
        return StoredCells(self.values[which], self.columns[which], _picked(self.R, which))

    def places(self, d: int) -> Shares:
        """Component k d + j for a cell of component k in column j."""
        code = self.R.codes[:, 0].astype(np.int64)
        return Shares(np.where(code < 0, -1, code * d + self.columns)[:, None], self.R.share, self.R.K * d)


def _picked(R: Shares, rows: Array) -> Shares:
    """The shares of some rows; those that are all one number stay so."""
    codes = R.codes[rows]
    return Shares(codes, np.broadcast_to(R.share.flat[0], codes.shape) if R.alike else R.share[rows], R.K)


def sparse_sums(X: Any, R: Shares) -> SharedSums:
    """Rows, weight, sum of w x and of w x^2, per component and column (K, d)."""
    cells, d = StoredCells.of(X, R), X.shape[1]
    live = cells.R.live[:, 0]
    sizes = np.abs(cells.values[live])
    if not np.fmax.reduce(sizes, initial=0.0) <= LARGEST:
        at = int(np.flatnonzero(live)[np.nanargmax(sizes)])
        rule, came = f"finite and at most {LARGEST:g} in size", Said(str(cells.values[at]))
        raise bad("X", f"column {cells.columns[at]}", rule, came, "Correct the cell or mark it as missing (NaN).")
    given = cells.values[:, None], cells.places(d), np.zeros(1)
    found = compiled(*given) if _add_cells.pays(len(cells.values)) else _add_cells.instead(twin, *given)
    first, second = (_shaped(side, (R.K, d)) for side in found[2:])
    tally, gaps = Tally.of(R), cells.some(np.isnan(cells.values) & live)
    lost = Tally.of(gaps.places(d))
    rows = tally.rows[:, None] - lost.rows.reshape(R.K, d)
    total = Pair(*(half[:, None] for half in tally.weight)) - _shaped(lost.weight, (R.K, d))
    return rows, (exact(rows) if R.plain else total.where(rows > 0)), first, second


def _shaped(side: Any, shape: tuple[int, int]) -> Any:
    return Pair(*(half.reshape(shape) for half in side)) if isinstance(side, Pair) else side.reshape(shape)


def compiled(x: Array, R: Shares, shift: Array) -> SharedSums:
    """What `twin` says of one column about 0, by a loop that keeps the order of the cells."""
    rows, sums = np.zeros(R.K, dtype=np.int64), np.zeros((R.K, 6))
    w = None if R.plain else np.ascontiguousarray(R.share[:, 0])
    _add_cells(np.ascontiguousarray(x[:, 0]), np.ascontiguousarray(R.codes[:, 0]), w, rows, sums)
    first, second, weight = (Pair(sums[:, m : m + 1], sums[:, m + 1 : m + 2]) for m in (0, 2, 4))
    return rows[:, None], exact(rows[:, None]) if w is None else weight, first, second


def sparse_ranks(X: Any, R: Shares) -> tuple[list[Array], Array, Array, Array, Array]:
    """Distinct values of each column, rising, their rows and weights (K, V), and those of missing cells (K, d)."""
    d, tally = X.shape[1], Tally.of(R)
    cells = StoredCells.of(X, R)
    cells = cells.some(cells.R.live[:, 0] & (cells.values != 0.0))
    gap = np.isnan(cells.values)
    lost_rows, lost = _counted(cells.some(gap), cells.columns[gap], d)
    cells = cells.some(~gap)
    cells = cells.some(np.lexsort((cells.values, cells.columns)))
    new = np.ones(len(cells.values), dtype=bool)
    new[1:] = (cells.values[1:] != cells.values[:-1]) | (cells.columns[1:] != cells.columns[:-1])
    values, owner = cells.values[new], cells.columns[new]
    rows, weight = _counted(cells, np.cumsum(new) - 1, len(values))
    here, heavy = _counted(cells, cells.columns, d)
    none = tally.rows[:, None] - lost_rows - here
    zero = np.where(none > 0, np.maximum(tally.weight.value[:, None] - lost - heavy, 0.0), 0.0)
    some = np.flatnonzero(none.any(axis=0))  # columns with cells that are 0
    below = np.bincount(owner[values < 0.0], minlength=d)
    at = np.searchsorted(owner, some) + below[some]
    rows, weight = np.insert(rows, at, none[:, some], axis=1), np.insert(weight, at, zero[:, some], axis=1)
    ends = np.cumsum(np.bincount(np.insert(owner, at, some), minlength=d))[:-1]
    return np.split(np.insert(values, at, 0.0), ends), rows, weight, lost_rows, lost


def _counted(cells: StoredCells, place: Array, V: int) -> tuple[Array, Array]:
    """Rows and weight of each component at each of V places (K, V)."""
    K = cells.R.K
    at = cells.R.codes[:, 0].astype(np.int64) * V + place
    rows = np.bincount(at, minlength=K * V).reshape(K, V)
    if cells.R.plain or not len(at):
        return rows, rows.astype(np.float64)
    return rows, np.bincount(at, cells.R.share[:, 0], K * V).reshape(K, V)


@loop
def _add_cells(x, codes, w, rows, sums):  # type: ignore[no-untyped-def]
    """Add cells one by one: first sum, second sum and weight of each component, each as high and low."""
    for i in range(x.shape[0]):
        k = codes[i]
        one = 1.0 if w is None else w[i]
        t = x[i]
        if k < 0 or one == 0.0 or t != t:
            continue
        rows[k] += 1
        total = sums[k]
        q, qe = t, 0.0
        if w is not None:
            q = one * t
            qe = fma(one, t, -q)
        p = q * t
        pe = fma(q, t, -p) + qe * t
        for m in range(3):
            if m == 0:
                a, e = q, qe
            elif m == 1:
                a, e = p, pe
            elif w is not None:
                a, e = one, 0.0
            else:
                continue
            old = total[2 * m]
            high = old + a
            v = high - old
            low = total[2 * m + 1] + (((old - (high - v)) + (a - v)) + e)
            total[2 * m] = high + low
            total[2 * m + 1] = low - (total[2 * m] - high)
