"""One column of a node inside a loop: its best boundary, and its cells parted among the children."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.numerics.loop import inner
from suffice.trees.growth.split_loop import add_rows, add_to_bins, loss_of, scan, sort_cells


@inner
def is_leaf(n: Any, depth: Any, loss: Any, weight: Any, options: Any, least_weight: Any) -> Any:
    """Whether a node is one whatever its columns say."""
    return (
        (options[0] >= 0 and depth >= options[0])
        or n < max(options[1], 2 * options[2])
        or loss <= 2.220446049250313e-16 * weight
        or (least_weight > 0 and weight < 2 * least_weight)
    )


@inner
def best_boundary(
    by_bins: Any, cells: Any, counts: Any, sums: Any, begin: Any, end: Any, low: Any, high: Any, gone: Any,
    missing: Any, n: Any, label: Any, first: Any, second: Any, w: Any, total: Any, before: Any, near: Any,
    options: Any, least_weight: Any, left: Any, right: Any, edges: Any,
) -> Any:  # fmt: skip
    """The best boundary of cells in order, or of bins: gain, the bins left and right, where missing cells go."""
    least, measure, unit = options[2], options[5], options[6] == 1
    gain, at, side = -np.inf, np.int64(-1), -1
    for way in range(2 if gone > 0 else 1):
        where = 2 if gone == 0 else 1 - way
        found, place = scan(
            by_bins, cells, counts, sums, begin, end, total, missing, gone, where, n, label, first, second, w, unit,
            measure, least, least_weight, near, before, left, right, edges,
        )  # fmt: skip
        if place >= 0 and (way == 0 or found > gain + near):
            gain, at, side = found, np.int64(place), where if gone > 0 else -1
    below, above = np.int64(-1), np.int64(-1)
    if at >= 0 and by_bins:
        below, above = at + low, at + 1
        while counts[above] == 0:
            above += 1
        above += low
    elif at >= 0:
        below, above = cells[at] >> 32, cells[at + 1] >> 32
    if gone > 0:  # all that is known left, what is missing right
        for s in range(total.shape[0]):
            left[s] = total[s] - missing[s]
        a, wa = loss_of(left, measure, edges)
        c, wc = loss_of(missing, measure, edges)
        enough = n - gone >= least and gone >= least and wa >= least_weight and wc >= least_weight
        if enough and before - a - c > gain + near:
            gain, below, above, side = before - a - c, high, np.int64(-1), 1
    return gain, below, above, side


@inner
def on_sorted_column(
    cells: Any, start: Any, stop: Any, label: Any, first: Any, second: Any, w: Any, total: Any, before: Any, near: Any,
    options: Any, least_weight: Any, counts: Any, sums: Any, lost: Any, left: Any, right: Any, edges: Any,
) -> Any:  # fmt: skip
    """The same of a column whose cells are in order, missing ones first: whether it can be split comes before."""
    gone = 0
    while start + gone < stop and cells[start + gone] < 0:
        gone += 1
    for s in range(total.shape[0]):
        lost[0, s] = 0.0
    if gone > 0:
        add_rows(lost, 0, cells, start, start + gone, label, first, second, w, options[5], edges)
    begin = start + gone
    if begin == stop or (gone == 0 and cells[begin] >> 32 == cells[stop - 1] >> 32):
        return False, -np.inf, np.int64(-1), np.int64(-1), -1
    low, high = cells[begin] >> 32, cells[stop - 1] >> 32
    gain, below, above, side = best_boundary(
        False, cells, counts, sums, begin, stop, low, high, gone, lost[0], stop - start, label, first, second, w, total,
        before, near, options, least_weight, left, right, edges,
    )  # fmt: skip
    return True, gain, below, above, side


@inner
def on_column(
    codes: Any, j: Any, label: Any, first: Any, second: Any, w: Any, rows: Any, start: Any, stop: Any,
    total: Any, before: Any, near: Any, options: Any, least_weight: Any, cells: Any, spare: Any, counts: Any,
    sums: Any, digits: Any, lost: Any, left: Any, right: Any, edges: Any,
) -> Any:  # fmt: skip
    """The same of a column of rows in any order: summed by bins where these are few, else sorted."""
    S, measure = total.shape[0], options[5]
    gone, m, low, high = 0, 0, np.int64(1) << 40, np.int64(-1)
    for s in range(S):
        lost[0, s] = 0.0
    for i in range(start, stop):
        r = rows[i]
        code = np.int64(codes[j, r])
        if code < 0:
            spare[gone] = r
            gone += 1
        else:
            cells[m] = (code << 32) | np.int64(r)
            m += 1
            low, high = min(low, code), max(high, code)
    if gone > 0:  # a call takes as long as some twenty rows
        add_rows(lost, 0, spare, 0, gone, label, first, second, w, measure, edges)
    if m == 0 or (low == high and gone == 0):
        return False, -np.inf, np.int64(-1), np.int64(-1), -1
    B = high - low + 1
    by_bins = m >= 2 * B
    if by_bins:
        for b in range(B):
            counts[b] = 0
            for s in range(S):
                sums[b, s] = 0.0
        add_to_bins(sums, counts, cells, m, low, label, first, second, w, measure, edges)
    else:
        bits = 0
        while (B - 1) >> bits:
            bits += 1
        sort_cells(cells, m, bits, low, spare, digits)
    gain, below, above, side = best_boundary(
        by_bins, cells, counts, sums, 0, B if by_bins else m, low, high, gone, lost[0], stop - start, label, first,
        second, w, total, before, near, options, least_weight, left, right, edges,
    )  # fmt: skip
    return True, gain, below, above, side


@inner
def keep_order(cells: Any, start: Any, middle: Any, stop: Any, left_side: Any, ends: Any, spare: Any) -> None:
    """Part the cells of a column stably; those of children that are leaves (bit 0 left, bit 1 right) are dropped."""
    if ends == 0:
        at, kept = start, 0
        for i in range(start, stop):
            cell = cells[i]
            goes: Any = np.int64(left_side[np.uint64(cell & 0xFFFFFFFF)])
            cells[at] = cell
            spare[kept] = cell
            at += goes
            kept += 1 - goes
        for i in range(kept):
            cells[middle + i] = spare[i]
    elif ends == 2:
        at = start
        for i in range(start, stop):
            cell = cells[i]
            cells[at] = cell
            at += np.int64(left_side[np.uint64(cell & 0xFFFFFFFF)])
    else:
        at = stop - 1
        for i in range(stop - 1, start - 1, -1):
            cell = cells[i]
            cells[at] = cell
            at += np.int64(left_side[np.uint64(cell & 0xFFFFFFFF)]) - 1
