"""Ranking large tables by class: the cells of each class are sorted by themselves, and the sorted runs are merged.

Behind `Rankings` where rows have one label each and weigh the same. NumPy sorts numbers alone several times as fast as
it finds their order, so that no order is asked for: cells are dealt to their classes while columns are copied, and a
merge keeps the class of each cell beside it.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate, pairwise
from typing import NamedTuple, TypeVar

import numpy as np

from suffice.core.block import Array
from suffice.core.shares import Shares
from suffice.core.tally import counted
from suffice.numerics.loop import CHUNK, loop, pays, spare_threads
from suffice.numerics.threads import in_threads

BESIDE = 4  # columns dealt at a time
MANY = 32  # classes from which merging takes as long as finding an order
T = TypeVar("T")
Run = tuple[Array, Array]  # cells in order and their classes


def deals(X: Array, R: Shares) -> bool:
    """Whether rows are ranked in this way."""
    return R.codes.shape[1] == 1 and R.alike and 1 < R.K < MANY and bool(R.share.flat[0]) and pays(X.size)


class Dealt(NamedTuple):
    """Columns in order, with the class of each cell: a third of the memory of their rows and weights by class."""

    runs: list[Run]
    values: tuple[Array, ...]  # the different ones
    missing: Array  # rows (K, d)
    share: float  # that each row weighs

    def tables(self) -> tuple[Array, Array]:
        """Rows and weights of each class at each different value (K, V), column beside column."""
        ends = list(accumulate(map(len, self.values), initial=0))
        shape = len(self.missing), ends[-1]
        rows, weight = np.zeros(shape, dtype=np.int64), np.zeros(shape)

        def fill(j: int) -> None:
            here = slice(ends[j], ends[j + 1])
            _fill(*self.runs[j], self.share, rows[:, here], weight[:, here])

        _each(fill, range(len(self.runs)))
        return rows, weight

    def weights(self, j: int) -> Array:
        """Weights of one column (K, V_j)."""
        weight = np.zeros((len(self.missing), len(self.values[j])))
        _fill(*self.runs[j], self.share, np.zeros(weight.shape, dtype=np.int32), weight)
        return weight


def class_ranks(X: Array, R: Shares) -> Dealt:
    """The columns of rows that are dealt."""
    codes = np.ascontiguousarray(R.codes[:, 0])
    starts = np.concatenate([[0], np.cumsum(counted(codes, R.K))]).astype(np.int64)
    own = np.repeat(np.arange(R.K, dtype=np.uint8), np.diff(starts))
    missing = np.zeros((R.K, X.shape[1]), dtype=np.int64)

    def some(j: int) -> list[Run]:
        cells, at = np.empty((min(BESIDE, X.shape[1] - j), len(own))), starts[:-1].copy()
        for a in range(0, len(X), CHUNK) if len(own) else ():
            _deal(np.asarray(X[a : a + CHUNK, j : j + BESIDE], dtype=np.float64), codes[a : a + CHUNK], at, cells)
        return [_ranked(column, own, starts, missing[:, j + i]) for i, column in enumerate(cells)]

    runs = [run for these in _each(some, range(0, X.shape[1], BESIDE)) for run in these]
    values = tuple(_each(lambda j: _different(runs[j][0]), range(len(runs))))
    return Dealt(runs, values, missing, float(R.share.flat[0]))


def _different(cells: Array) -> Array:
    new = cells[1:] != cells[:-1]
    return cells if new.all() else cells[np.concatenate([[True], new])]


def _each(work: Callable[[int], T], items: range) -> list[T]:
    return in_threads(lambda j, go_on: work(j), items, spare_threads()) if items else []


def _ranked(cells: Array, own: Array, starts: Array, missing: Array) -> Run:
    """One column: its cells in order, and their classes."""
    runs: list[Run] = []
    for k, (a, b) in enumerate(pairwise(starts.tolist())):
        run = cells[a:b]
        run.sort()
        here = len(run) if not len(run) or run[-1] == run[-1] else int(np.searchsorted(run, np.nan))
        missing[k] = len(run) - here
        runs.append((run[:here], own[a : a + here]))
    while len(runs) > 1:
        runs = [_merged(*runs[i : i + 2]) for i in range(0, len(runs), 2)]
    return runs[0]


def _merged(first: Run, second: Run | None = None) -> Run:
    if second is None:
        return first
    n = len(first[0]) + len(second[0])
    out = np.empty(n), np.empty(n, dtype=np.uint8)
    _merge(*first, *second, *out)
    return out


@loop
def _deal(X, codes, at, cells):  # type: ignore[no-untyped-def]
    """Rows of some columns (n, c) to the places of their classes in arrays of their own (c, N); -0.0 becomes 0.0."""
    for i in range(X.shape[0]):
        k = codes[i]
        if k >= 0:
            place = at[k]
            for j in range(X.shape[1]):
                cells[j, place] = X[i, j] + 0.0
            at[k] = place + 1


@loop
def _merge(a, ca, b, cb, out, classes):  # type: ignore[no-untyped-def]
    """Two sorted runs as one, without a branch on which is next: no processor foresees it."""
    i, j, q = np.uint64(0), np.uint64(0), np.uint64(0)
    one, n, m = np.uint64(1), np.uint64(len(a)), np.uint64(len(b))
    while i < n and j < m:
        x, y = a[i], b[j]
        second = y < x
        out[q] = y if second else x
        classes[q] = cb[j] if second else ca[i]
        j += np.uint64(second)
        i += one - np.uint64(second)
        q += one
    while i < n:
        out[q], classes[q] = a[i], ca[i]
        i, q = i + one, q + one
    while j < m:
        out[q], classes[q] = b[j], cb[j]
        j, q = j + one, q + one


@loop
def _fill(cells, classes, share, rows, weight):  # type: ignore[no-untyped-def]
    """Rows and weights of each class at each different value (K, V), from cells in order."""
    v = -1
    before = np.nan
    for i in range(cells.shape[0]):
        x, k = cells[i], classes[i]
        if x != before:  # NaN at first
            v += 1
            before = x
        rows[k, v] += 1
        weight[k, v] = rows[k, v] * share
