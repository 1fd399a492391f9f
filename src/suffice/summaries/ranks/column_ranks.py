"""The ranking of one column: its distinct values in order, with the rows and weights of each component at each.

Behind `Rankings`: by order, by sorting alone where nobody asks which row has which value, or from counts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy as np

from suffice.core.block import Array
from suffice.core.shares import Shares
from suffice.numerics.loop import CHUNK, spare_threads
from suffice.numerics.threads import in_threads

T = TypeVar("T")
BESIDE = 8  # columns copied at a time: a line of the cache
Ranks = tuple[tuple[Array], Array, Array, Array, Array]  # values; rows and weight (K, V); missing ones (K, 1)


def ranked(x: Array, R: Shares, live: Array) -> Ranks:
    """The ranking of one column."""
    x = np.asarray(x, dtype=np.float64)
    absent = np.isnan(x)
    here = live.any(axis=1) & ~absent
    rows = slice(None) if here.all() else here
    values, at = np.unique(x[rows] + 0.0, return_inverse=True)  # minus zero becomes zero
    present = counted(at, len(values), R[rows], live[rows])
    gaps = int(absent.sum())
    return (values,), *present, *counted(np.zeros(gaps, dtype=np.intp), 1, R[absent], live[absent])


def of_columns(rank: Callable[[range], list[T]], d: int) -> list[T]:
    """What is made of some neighbouring columns from each place on, in threads where some are idle."""
    groups = [range(j, min(j + BESIDE, d)) for j in range(0, d, BESIDE)]
    made = in_threads(lambda some, go_on: rank(some), groups, spare_threads()) if groups else []
    return [column for some in made for column in some]


def weighed(values: Array, rows: Array, missing: Array, R: Shares) -> Ranks:
    """Counts of a column whose rows all weigh the same."""
    share = float(R.share.flat[0])
    return (values,), rows, rows * share, missing[:, None], missing[:, None] * share


def beside(X: Array, of: range) -> Array:
    """Some columns of rows (n, d) as arrays of their own, minus zero as zero; in chunks of rows, as cells of a column
    are far apart in memory.
    """
    n = len(X)
    some = np.empty((len(of), n))
    for a in range(0, n, CHUNK):
        np.add(X[a : a + CHUNK, of.start : of.stop].T, 0.0, out=some[:, a : a + CHUNK])
    return some


def by_sorting(cells: Array, share: float) -> Ranks:
    """The ranking of cells that all weigh the same, by sorting alone: missing ones go last. The cells are changed."""
    cells.sort()
    n = len(cells)
    here = n if not n or cells[-1] == cells[-1] else int(np.searchsorted(cells, np.nan))
    cells, missing = cells[:here], np.array([[n - here]], dtype=np.int64)
    new = cells[1:] != cells[:-1]
    if new.all():  # no value twice: one number stands for all, as filling an array would take as long as sorting
        rows, weight = (np.broadcast_to(one, (1, here)) for one in (np.int64(1), np.float64(share)))
        return (cells,), rows, weight, missing, missing * share
    first = np.append(0, np.flatnonzero(new) + 1)
    cells, rows = cells[first], np.diff(first, append=here).astype(np.int64)[None]
    return (cells,), rows, rows * share, missing, missing * share


def counted(at: Array, V: int, R: Shares, live: Array) -> tuple[Array, Array]:
    """Rows and weight of each component at each of V places (K, V): one entry a row and share."""
    cell = R.codes * np.int64(V) + at[:, None]
    cell = cell.ravel() if live.all() else cell[live]
    rows = np.bincount(cell, minlength=R.K * V).astype(np.int64, copy=False).reshape(R.K, V)
    if R.alike:
        return rows, rows * float(R.share.flat[0])
    share = R.share.ravel() if len(cell) == R.share.size else R.share[live]
    weight = np.bincount(cell, share, R.K * V).astype(np.float64, copy=False)  # whole numbers where there is no row
    return rows, weight.reshape(R.K, V)
