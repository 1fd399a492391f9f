"""Products of columns of sparse rows: only cells that are stored have products that are not 0.

The t stored cells c_1 <= c_2 <= ... <= c_t of a row give one product of degree t, whose place among all products of
that degree of d columns, in the order of their lists of columns, is a sum of binomial coefficients:

    place = sum_s [ M(d - c_(s-1), t - s + 1) - M(d - c_s, t - s + 1) ],     M(m, t) = C(m + t - 1, t),     c_0 = 0

Where no column may occur twice, M(m, t) = C(m, t), and c_(s-1) + 1 stands for c_(s-1).
"""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.numerics.loop import loop

MOST = 2**63 - 1  # columns that indices of 64 bits can count


def lists_of_columns(d: int, t: int, interactions: bool) -> int:
    """How many products of degree t d columns have."""
    return comb(d, t) if interactions else comb(d + t - 1, t) if d else 0


def sparse_products(owner: str, X: Any, degrees: range, interactions: bool, bias: bool) -> Any:
    """Rows (n, d), by rows, as all products of some degrees (n, terms); zeros are not stored."""
    n, d = X.shape
    sizes = [lists_of_columns(d, t, interactions) for t in range(degrees.stop)]
    width = int(bias) + sum(sizes[t] for t in degrees)
    if max(width, *sizes) > MOST:
        rule = f"such that there are at most {MOST} products"
        raise bad(owner, "degree", rule, Said(f"{width} products of {d} columns"), "Use a smaller degree.")
    X = X if X.has_sorted_indices else X.sorted_indices()
    tables = [[lists_of_columns(m, t, interactions) for m in range(d + 1)] for t in range(max(degrees.stop, 1))]
    table = np.array(tables, dtype=np.int64)
    stored = np.diff(X.indptr)
    indptr = np.append(0, np.cumsum(int(bias) + table[degrees.start : degrees.stop, stored].sum(axis=0)))
    small = np.int32 if max(width, int(indptr[-1])) < 2**31 else np.int64
    data, indices = np.empty(indptr[-1], dtype=X.dtype), np.empty(indptr[-1], dtype=small)
    if bias:
        data[indptr[:-1]], indices[indptr[:-1]] = 1.0, 0
    begin = int(bias) + np.cumsum([0, *(sizes[t] for t in degrees)])
    fill = _multiply if _multiply.pays(len(data)) else twin
    for t, start in zip(degrees, begin, strict=False):
        before = int(bias) + table[degrees.start : t, stored].sum(axis=0) + indptr[:-1]  # where its products begin
        with np.errstate(over="ignore"):  # whoever asked refuses what is infinite
            fill(X.data, X.indices, X.indptr, table[: t + 1], int(start), int(interactions), before, data, indices)
    out = type(X)((data, indices, indptr.astype(small)), shape=(n, width))
    out.eliminate_zeros()
    return out


def twin(
    cells: Array,
    columns: Array,
    indptr: Array,
    table: Array,
    start: int,
    apart: int,
    to: Array,
    data: Array,
    out: Array,
) -> None:
    """All products of one degree: those so far, times each stored cell of their row that is not before their last."""
    t, d = len(table) - 1, table.shape[1] - 1
    row = np.repeat(np.arange(len(to)), np.diff(indptr))
    at, product, chosen = np.arange(len(row)), cells, columns.astype(np.int64)[:, None]
    for _ in range(1, t):
        more = np.maximum(indptr[1:].astype(np.int64)[row] - at - apart, 0)
        old = np.repeat(np.arange(len(at)), more)
        at = np.repeat(at + apart, more) + np.arange(len(old)) - np.repeat(np.cumsum(more) - more, more)
        row, product = row[old], product[old] * cells[at]
        chosen = np.column_stack([chosen[old], columns[at]])
    place, before = np.full(len(row), start, dtype=np.int64), np.zeros(len(row), dtype=np.int64)
    for s in range(t):
        place += table[t - s][d - before] - table[t - s][d - chosen[:, s]]
        before = chosen[:, s] + apart
    count = np.bincount(row, minlength=len(to))
    goes = np.arange(len(row)) + np.repeat(to - (np.cumsum(count) - count), count)
    data[goes], out[goes] = product, place


@loop
def _multiply(cells, columns, indptr, table, start, apart, to, data, out):  # type: ignore[no-untyped-def]
    """All products of one degree, row by row, in the order of their lists of columns."""
    t, d = table.shape[0] - 1, table.shape[1] - 1
    at, place, product = np.zeros(t, np.int64), np.zeros(t, np.int64), np.ones(t, cells.dtype)
    for i in range(to.shape[0]):
        goes, end = to[i], indptr[i + 1]
        s = 0
        at[0] = indptr[i]
        while s >= 0:
            p = at[s]
            if p >= end:
                s -= 1
                if s >= 0:
                    at[s] += 1
                continue
            before = columns[at[s - 1]] + apart if s else 0
            place[s] = (place[s - 1] if s else start) + table[t - s, d - before] - table[t - s, d - columns[p]]
            product[s] = product[s - 1] * cells[p] if s else cells[p]
            if s == t - 1:
                data[goes] = product[s]
                out[goes] = place[s]
                goes += 1
                at[s] += 1
            else:
                s += 1
                at[s] = p + apart
