"""Counting symbols, words and whole numbers per component: the pass over the rows behind `Counts` and `Rankings`.

Each loop has a NumPy twin, its oracle and the path for small tables. Values are tested inside the pass.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from suffice.core.block import Array, Coded, Words
from suffice.core.errors import NegativeCounts, Said, bad, refusal
from suffice.core.shares import Shares
from suffice.core.tally import counted
from suffice.numerics.arrays import all_finite
from suffice.numerics.loop import CHUNK, loop, pays, spare_threads
from suffice.numerics.memory import memory
from suffice.numerics.threads import in_threads

WHOLE = 2.0**52  # below it, numbers that are whole stay exact when 1 is taken away
SMALL = 2**26  # bytes that are there wherever this runs
REACH = 1024  # whole numbers beside one another that are counted without sorting
Cells = tuple[Array, Array]  # rows (K, V) int64 and weight (K, V)


def count_symbols(part: Coded, R: Shares) -> Cells:
    """Rows and weight of each label of each column."""
    sizes = np.array([len(v) for v in part.labels], dtype=np.int64)
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    _check_room(R.K, int(starts[-1]))
    rows, weight = np.zeros((R.K, starts[-1]), dtype=np.int64), np.zeros((R.K, starts[-1]))
    if R.K == 1 and R.plain and R.codes.shape[1] == 1 and not R.codes.any():  # all rows are of one, and weigh 1
        for j, codes in enumerate(part.codes.T):
            rows[0, starts[j] : starts[j + 1]] = counted(np.ascontiguousarray(codes), int(sizes[j]))
        return rows, rows.astype(np.float64)
    route = _symbols_twin if R.codes.shape[1] > 1 or not pays(part.codes.size) else _symbols_compiled
    route(part.codes, R, starts, rows, weight)
    return rows, (rows * float(R.share.flat[0]) if R.alike else weight)


def _check_room(K: int, labels: int) -> None:
    """Refuse tables of counts that would not leave room for anything else, before one is made: of codes far from 0."""
    need = 16 * K * labels
    if need > SMALL and need > memory() // 4:
        rule = f"so few that their counts in {K:,} components take less than a quarter of the memory"
        remedy = "Number the symbols from 0 without gaps, as OrdinalEncoder does, or use NaiveBayes, which takes any."
        raise bad("counts", "symbols", rule, Said(f"{labels:,}, for {need:,} bytes"), remedy)


def _symbols_compiled(codes: Array, R: Shares, starts: Array, rows: Array, weight: Array) -> None:
    for a in range(0, len(codes), CHUNK):
        w = None if R.alike else np.ascontiguousarray(R.share[a : a + CHUNK, 0])
        mine = np.ascontiguousarray(R.codes[a : a + CHUNK, 0])
        _add_symbols(np.ascontiguousarray(codes[a : a + CHUNK]), mine, w, starts, rows, weight)


def _symbols_twin(codes: Array, R: Shares, starts: Array, rows: Array, weight: Array) -> None:
    for a in range(0, len(codes), CHUNK):
        chunk, some = codes[a : a + CHUNK].astype(np.int64), R[a : a + CHUNK]
        for j in range(codes.shape[1]):
            place, size = slice(int(starts[j]), int(starts[j + 1])), int(starts[j + 1] - starts[j])
            here = some.live & (chunk[:, j : j + 1] >= 0)
            cell = (some.codes * np.int64(size) + chunk[:, j : j + 1])[here]
            rows[:, place] += np.bincount(cell, minlength=R.K * size).reshape(R.K, size)
            weight[:, place] += np.bincount(cell, some.share[here], R.K * size).reshape(R.K, size)


@loop
def _add_symbols(codes, component, w, starts, rows, weight):  # type: ignore[no-untyped-def]
    """Add a chunk of symbols, one component a row. Unsigned places spare the test for negative ones."""
    n, d = codes.shape
    for i in range(n):
        k = component[i]
        if k < 0 or (w is not None and w[i] == 0.0):
            continue
        count, total = rows[k], weight[k]
        for j in range(d):
            code = codes[i, j]
            if code >= 0:
                place = np.uint64(starts[j] + code)
                count[place] += 1
                if w is not None:
                    total[place] += w[i]


@loop
def _add_whole_numbers(X, start, component, low, rows, missing, fits):  # type: ignore[no-untyped-def]
    """Count cells of neighbouring columns, one component a row; a column with other cells is given up."""
    for i in range(len(X)):
        k = component[i]
        if k < 0:
            continue
        for c in range(len(low)):
            cell = X[i, start + c]
            place = cell - low[c]
            if place >= 0.0 and place < REACH:
                at = np.int64(place)
                if low[c] + at == cell:
                    rows[c, k, at] += 1
                else:
                    fits[c] = False
            elif cell != cell:
                missing[c, k] += 1
            else:
                fits[c] = False
        if i % CHUNK == 0 and not fits.any():
            return


def count_words(part: Words, R: Shares, threshold: float | None) -> Cells:
    """Rows and weight of each word: occurrences, or presence above a threshold."""
    X = part.counts
    if hasattr(X, "indptr") and R.codes.shape[1] == 1 and _add_words.pays(X.nnz):
        rows, weight, lowest, finite = _compiled_words(X, R, threshold)
    else:
        rows, weight = np.zeros((R.K, X.shape[1]), dtype=np.int64), np.zeros((R.K, X.shape[1]))
        given = X, R, threshold, rows, weight
        lowest = _add_words.instead(_sparse_words, *given) if hasattr(X, "indptr") else _dense_words(*given)
        finite = bool(np.isfinite(weight).all())
    _check(part.owner, lowest if threshold is None else 0.0, finite)
    return rows, weight


def count_whole_numbers(X: Array, some: range, R: Shares) -> list[tuple[Array, Array, Array] | None]:
    """Distinct values, their rows (K, V) and missing rows (K,) of some columns whose cells are whole numbers not far
    from one another, in one pass and without sorting; None of a column that has others, and where it does not pay.
    """
    if not (pays(X.size) and R.codes.shape[1] == 1 and R.alike and X.dtype == np.float64 and len(X)):
        return [None] * len(some)
    first = X[:64, some.start : some.stop]
    whole = (first == np.floor(first)) | np.isnan(first)  # mostly known from a few rows
    low = np.floor(np.nan_to_num(np.fmin.reduce(first, axis=0), posinf=0.0, neginf=0.0)) - REACH // 4
    fits = np.asarray(whole.all(axis=0) & (np.abs(low) < WHOLE))
    rows, missing = np.zeros((len(some), R.K, REACH), dtype=np.int64), np.zeros((len(some), R.K), dtype=np.int64)
    if fits.any():
        component = np.where(R.live[:, 0], R.codes[:, 0], -1)
        _add_whole_numbers(np.ascontiguousarray(X), some.start, component, low, rows, missing, fits)
    found: list[tuple[Array, Array, Array] | None] = []
    for c, fit in enumerate(fits.tolist()):
        at = np.flatnonzero(rows[c].any(axis=0))
        found.append((low[c] + at, rows[c][:, at], missing[c]) if fit else None)
    return found


def check_counts(part: Words, R: Shares) -> None:
    """The tests of `count_words` for counts that are cut before they are counted."""
    sparse = hasattr(part.counts, "indptr")
    rows = np.repeat(np.arange(len(R.codes)), np.diff(part.counts.indptr)) if sparse else np.arange(len(R.codes))
    cells = (part.counts.data if sparse else np.asarray(part.counts))[R.claimed[rows]]
    _check(part.owner, float(np.fmin.reduce(cells, axis=None, initial=0.0)), bool(np.isfinite(cells).all()))


def check_finite(part: Words) -> None:
    """Refuse counts to answer of which one is missing or infinite: it would be no number, or taken for 0."""
    cells = part.counts.data if hasattr(part.counts, "indptr") else np.asarray(part.counts)
    if cells.dtype.kind == "f" and not all_finite(cells):
        _check(part.owner, 0.0, bool(np.isfinite(cells).all()))


def _check(owner: str | None, lowest: float, finite: bool) -> None:
    who = ("X", "counts") if owner is None else (owner, "X")
    if lowest < 0.0:
        told = "" if owner is None else f" (Negative values in data passed to {owner} (input X))"
        remedy = "Correct the cell or shift the column."
        raise refusal(NegativeCounts, *who, f"at least 0{told}", lowest, remedy)
    if not finite:
        raise bad(*who, "finite", Said("NaN or infinity"), "Correct the cell or leave the row out.")


def _dense_words(X: Array, R: Shares, threshold: float | None, rows: Array, weight: Array) -> float:
    lowest = 0.0
    for a in range(0, len(X), CHUNK):
        some = R[a : a + CHUNK]
        cells, share = np.array(X[a : a + CHUNK], dtype=np.float64), some.dense()
        cells[~some.claimed] = 0.0  # nobody's
        lowest = min(lowest, float(np.fmin.reduce(cells, axis=None, initial=0.0)))
        cells = _weighed(cells, threshold)
        rows += np.rint((share != 0.0).T.astype(np.float64) @ (cells != 0.0)).astype(np.int64)
        with np.errstate(invalid="ignore"):
            weight += share.T @ cells
    return lowest


def _weighed(values: Array, threshold: float | None) -> Array:
    """What a count weighs: itself, or 1 above the threshold; what is not finite stays so, to be refused."""
    return values if threshold is None else np.where(np.isfinite(values), values > threshold, np.nan)


def _compiled_words(X: Any, R: Shares, threshold: float | None) -> tuple[Array, Array, float, bool]:
    """Rows, weights, the lowest count and whether all are finite; two threads and more loops for large tables alone."""
    component = np.ascontiguousarray(R.codes[:, 0])
    w = None if R.plain else np.ascontiguousarray(R.share[:, 0])
    counted = _plain_words(X, component, R.K, threshold) if w is None and pays(X.nnz) else None
    return counted or _weighed_words(X, component, w, R.K, threshold)


def _weighed_words(
    X: Any, component: Array, w: Array | None, K: int, threshold: float | None
) -> tuple[Array, Array, float, bool]:
    """The same for any numbers."""
    ones, others, weight = _narrow(K, X.shape[1]), _narrow(K, X.shape[1]), np.zeros((K, X.shape[1]))
    lowest, finite = _add_words(X.data, X.indices, X.indptr, component, w, threshold, ones, others, weight)
    weight += ones
    others += ones
    return others.astype(np.int64), weight, lowest, finite and bool(np.isfinite(weight.max(initial=0.0)))


def _plain_words(X: Any, component: Array, K: int, threshold: float | None) -> tuple[Array, Array, float, bool] | None:
    """The same where all counts are whole numbers other than 0, or all exceed the threshold, as they mostly do.

    Then rows need the places of the entries alone, and weights little more than the entries that differ from 1. Two
    threads divide the work, each with a table of its own in its cache.
    """
    if threshold is not None:
        tables, plain = _present(X, component, K, threshold)
        return (*_whole(tables), 0.0, True) if plain else None

    def excess() -> tuple[Array, bool, float]:
        weight, at = np.zeros((K, X.shape[1])), np.empty(int(np.diff(X.indptr).max(initial=0)), dtype=np.int64)
        return weight, *_add_excess(X.data, X.indices, X.indptr, component, weight, at)

    def entries() -> Array:
        table = _narrow(K, X.shape[1])
        _add_entries(X.indices, X.indptr, component, table)
        return table

    both: tuple[Callable[[], Any], ...] = (excess, entries)
    (weight, plain, lowest), table = in_threads(lambda run, go_on: run(), both, spare_threads())
    return (*_whole([table], weight), lowest, True) if plain else None


def _present(X: Any, component: Array, K: int, threshold: float) -> tuple[list[Array], bool]:
    """Tables that add up to the entries of all rows, one a thread, and whether all counts exceed the threshold."""

    def count(run: slice, go_on: Callable[[], bool]) -> tuple[Array, bool]:
        table, ends = _narrow(K, X.shape[1]), X.indptr[run.start : run.stop + 1]
        _add_entries(X.indices, ends, component[run], table)
        return table, bool(_exceed(X.data[ends[0] : ends[-1]], threshold))

    edges = np.linspace(0, len(component), spare_threads() + 1).astype(int).tolist()
    found = in_threads(count, [slice(a, b) for a, b in pairwise(edges)], spare_threads())
    return [table for table, _ in found], all(exceed for _, exceed in found)


def _whole(tables: list[Array], weight: Array | None = None) -> tuple[Array, Array]:
    """The sum of the tables as rows and, with what there is beyond 1 an entry, as weight."""
    rows = np.empty(tables[0].shape, dtype=np.int64)
    both = np.zeros(rows.shape) if weight is None else weight

    def add(k: int, go_on: Callable[[], bool]) -> None:
        rows[k] = tables[0][k]
        for table in tables[1:]:
            rows[k] += table[k]
        both[k] += rows[k]

    in_threads(add, range(len(rows)), spare_threads())
    return rows, both


def _narrow(K: int, V: int) -> Array:
    """A table of numbers half as wide: counting into it is twice as fast, because more of it stays in the cache."""
    return np.zeros((K, V), dtype=np.int32)


def _sparse_words(X: Any, R: Shares, threshold: float | None, rows: Array, weight: Array) -> float:
    values = X.data.astype(np.float64)
    if not R.claimed.all():
        values[~np.repeat(R.claimed, np.diff(X.indptr))] = 0.0
    weighed = _weighed(values, threshold)
    route = _scattered_words if R.codes.shape[1] == 1 else _shared_words
    route(X, weighed, R, rows, weight)
    return float(np.fmin.reduce(values, initial=0.0))


def _scattered_words(X: Any, values: Array, R: Shares, rows: Array, weight: Array) -> None:
    length = np.diff(X.indptr)
    cell = np.repeat(R.codes[:, 0].astype(np.int64) * X.shape[1], length) + X.indices
    weighed = values if R.plain else np.repeat(R.share[:, 0], length) * values
    kept = values != 0.0
    if not R.claimed.all():
        kept &= np.repeat(R.claimed, length)
    if not kept.all():
        cell, weighed = cell[kept], weighed[kept]
    rows += np.bincount(cell, minlength=rows.size).reshape(rows.shape)
    weight += np.bincount(cell, weighed, rows.size).reshape(rows.shape)


def _shared_words(X: Any, values: Array, R: Shares, rows: Array, weight: Array) -> None:
    """Matrix products, for rows that are shared among components."""
    from scipy.sparse import csr_array

    words = csr_array((values, X.indices, X.indptr), shape=X.shape)
    for a in range(0, X.shape[0], CHUNK):
        some, share = words[a : a + CHUNK].T, R[a : a + CHUNK].dense()
        rows += np.rint(((some != 0.0) @ (share != 0.0).astype(np.float64)).T).astype(np.int64)
        weight += (some @ share).T


@loop
def _add_words(data, indices, indptr, component, w, threshold, ones, others, weight):  # type: ignore[no-untyped-def]
    """Add rows of a sparse matrix, one component a row; returns the lowest value met and whether all were finite.

    Words that weigh exactly 1, as most do, only touch the small table `ones`: that, and unsigned places, which spare
    the test for negative ones, makes it 2.5 times as fast.
    """
    lowest, finite = 0.0, True
    for i in range(component.shape[0]):
        k = component[i]
        if k < 0 or (w is not None and w[i] == 0.0):
            continue
        single, several, total = ones[k], others[k], weight[k]
        for p in range(np.uint64(indptr[i]), np.uint64(indptr[i + 1])):
            value = data[p]
            if value - value != 0.0:
                finite = False
                continue
            if value < lowest:
                lowest = value
            if threshold is not None:
                value = 1.0 if value > threshold else 0.0
            if w is not None:
                value = value * w[i]
            place = np.uint64(indices[p])
            if value == 1.0:
                single[place] += 1
            elif value != 0.0:
                several[place] += 1
                total[place] += value
    return lowest, finite


@loop
def _add_entries(indices, indptr, component, rows):  # type: ignore[no-untyped-def]
    """Count the entries of a sparse matrix, one component a row."""
    for i in range(component.shape[0]):
        if component[i] < 0:
            continue
        count = rows[component[i]]
        for p in range(np.uint64(indptr[i]), np.uint64(indptr[i + 1])):
            count[np.uint64(indices[p])] += 1


@loop
def _add_excess(data, indices, indptr, component, weight, at):  # type: ignore[no-untyped-def]
    """Add what whole counts have beyond 1 per entry; returns whether all were whole and not 0, and the lowest.

    Which entries differ from 1 is noted first, without a branch: one word in five does, which no processor foresees.
    """
    lowest = 0.0
    for i in range(component.shape[0]):
        if component[i] < 0:
            continue
        m = 0
        for p in range(np.uint64(indptr[i]), np.uint64(indptr[i + 1])):
            at[np.uint64(m)] = p
            m += data[p] != 1.0
        total = weight[component[i]]
        for q in range(m):
            value = data[np.uint64(at[q])]
            if not abs(value) < WHOLE or value != np.floor(value) or value == 0.0:
                return False, lowest
            lowest = min(lowest, value)
            total[np.uint64(indices[np.uint64(at[q])])] += value - 1.0
    return True, lowest


@loop
def _exceed(data, threshold):  # type: ignore[no-untyped-def]
    """Whether all numbers are finite and above the threshold."""
    below = 0
    for p in range(len(data)):
        below += 1 - ((data[p] > threshold) & (data[p] < np.inf))
    return below == 0
