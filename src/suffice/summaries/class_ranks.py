"""Ranking large tables by class: the cells of each class are sorted by themselves, and the sorted runs are merged.

Behind `Rankings` where rows have one label each and weigh the same. NumPy sorts numbers alone several times as fast as
it finds their order, so that no order is asked for: cells are dealt to their classes while columns are copied, and a
merge keeps the class of each cell beside it.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate, pairwise
from typing import TypeVar

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


def class_ranks(X: Array, R: Shares) -> tuple[list[Array], Array, Array, Array, Array]:
    """Values of each column, rows and weights at each (K, V), missing rows and their weights (K, d)."""
    codes, share = np.ascontiguousarray(R.codes[:, 0]), float(R.share.flat[0])
    starts = np.concatenate([[0], np.cumsum(counted(codes, R.K))]).astype(np.int64)
    own = np.repeat(np.arange(R.K, dtype=np.uint8), np.diff(starts))
    missing = np.zeros((R.K, X.shape[1]), dtype=np.int64)

    def some(j: int) -> list[tuple[Array, Array, int]]:
        cells = np.empty((min(BESIDE, X.shape[1] - j), len(own)))
        for a in range(0, len(X), CHUNK) if len(own) else ():
            rows = np.asarray(X[a : a + CHUNK, j : j + BESIDE], dtype=np.float64)
            _deal(rows, codes[a : a + CHUNK], at[j // BESIDE], cells)
        return [_ranked(column, own, starts, missing[:, j + i]) for i, column in enumerate(cells)]

    groups = range(0, X.shape[1], BESIDE)
    at = [starts[:-1].copy() for _ in groups]
    found = [column for these in _each(some, groups) for column in these]
    ends = list(accumulate((V for _, _, V in found), initial=0))
    rows, weight = np.zeros((R.K, ends[-1]), dtype=np.int64), np.zeros((R.K, ends[-1]))

    def fill(j: int) -> Array:
        cells, classes, V = found[j]
        values = cells if len(cells) == V else np.empty(V)
        _fill(cells, classes, share, values, rows[:, ends[j] : ends[j + 1]], weight[:, ends[j] : ends[j + 1]])
        return values

    return _each(fill, range(len(found))), rows, weight, missing, missing * share


def _each(work: Callable[[int], T], items: range) -> list[T]:
    return in_threads(lambda j, go_on: work(j), items, spare_threads()) if items else []


def _ranked(cells: Array, own: Array, starts: Array, missing: Array) -> tuple[Array, Array, int]:
    """One column: its cells in order, their classes, and how many are different."""
    runs: list[Run] = []
    for k, (a, b) in enumerate(pairwise(starts.tolist())):
        run = cells[a:b]
        run.sort()
        here = len(run) if not len(run) or run[-1] == run[-1] else int(np.searchsorted(run, np.nan))
        missing[k] = len(run) - here
        runs.append((run[:here], own[a : a + here]))
    while len(runs) > 1:
        runs = [_merged(*runs[i : i + 2]) for i in range(0, len(runs), 2)]
    values, classes = runs[0]
    return values, classes, int(np.count_nonzero(values[1:] != values[:-1])) + 1 if len(values) else 0


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
def _fill(cells, classes, share, values, rows, weight):  # type: ignore[no-untyped-def]
    """Rows and weights of each class at each different value; `values` may be the cells themselves."""
    v = -1
    before = np.nan
    for i in range(cells.shape[0]):
        x = cells[i]
        if x != before:  # NaN at first
            v += 1
            values[v] = x
            before = x
        rows[classes[i], v] += 1
        weight[classes[i], v] = rows[classes[i], v] * share
