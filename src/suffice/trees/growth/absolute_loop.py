"""Trees by absolute error grown by a loop: the same as `growing` grows with NumPy.

Losses about a median do not add. The rows of a node come one by one in the order of a column, from either end, into a
tree of sums by the rank of their target (Fenwick's), whose descent finds the median: O(m log m) for a column of m rows.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from suffice.numerics.loop import inner, loop
from suffice.trees.growth.bins import BinnedCells
from suffice.trees.growth.column_loop import is_leaf
from suffice.trees.growth.drawing import mixed, stirred
from suffice.trees.growth.growing import Growth
from suffice.trees.growth.growing_loop import grown_nodes, loop_options
from suffice.trees.growth.splits import NEAR
from suffice.trees.growth.targets import AbsoluteSums
from suffice.trees.nodes import TreeNodes


def grow_absolute(cells: BinnedCells, target: AbsoluteSums, growth: Growth) -> TreeNodes:
    """The tree of these rows."""
    rows = np.flatnonzero(target.w > 0).astype(np.int32)
    options, numbers = loop_options(target, growth, rows)
    y = np.ascontiguousarray(target.y.T, dtype=np.float64)
    rank = np.argsort(np.argsort(y, axis=1, kind="stable"), axis=1)
    most = 2 * len(rows) + 1
    if growth.depth is not None:
        most = min(most, 2 ** min(growth.depth + 1, 60))
    whole, real, value = np.empty((most, 7), dtype=np.int64), np.empty((most, 2)), np.empty((most, len(y)))
    seed = np.uint64(mixed(growth.seed))
    count = _grow_absolute(cells.columns, y, rank, target.w, rows, options, numbers, seed, whole, real, value)
    nodes = grown_nodes(cells, target, whole[:count], real[:count], np.ones((count, target.width)))
    return replace(nodes, value=value[:count].copy())


@inner
def _rank_rows(
    rows: Any, start: Any, m: Any, y: Any, rank: Any, w: Any, t: Any, keys: Any, place: Any, sorted_y: Any, value: Any
) -> Any:
    """Ranks of the target among the rows of a node, its values in order (about one of them), its median; the loss."""
    for i in range(m):
        keys[i] = (np.int64(rank[t, rows[start + i]]) << 32) | i
    keys[:m].sort()
    whole = 0.0
    for k in range(m):
        i = keys[k] & 0xFFFFFFFF
        place[t, i], sorted_y[t, k] = k, y[t, rows[start + i]]
        whole += w[rows[start + i]]
    centre, upto, low, high = sorted_y[t, m // 2], 0.0, -1, -1
    for k in range(m):
        upto += w[rows[start + (keys[k] & 0xFFFFFFFF)]]
        if low < 0 and upto >= 0.5 * whole * (1 - 1e-12):
            low = k
        if high < 0 and upto > 0.5 * whole * (1 + 1e-12):
            high = k
    median = (sorted_y[t, low] + sorted_y[t, m - 1 if high < 0 else high]) / 2.0
    loss = 0.0
    for k in range(m):
        loss += w[rows[start + (keys[k] & 0xFFFFFFFF)]] * abs(sorted_y[t, k] - median)
        sorted_y[t, k] -= centre
    value[t] = median
    return loss


@inner
def _add_losses(
    cells: Any, begin: Any, end: Any, gone: Any, lost: Any, local_w: Any, place: Any, sorted_y: Any, m: Any, out: Any,
    weights: Any, products: Any,
) -> None:  # fmt: skip
    """Losses (k,) of rows that came before and the first 0, 1, ... cells from `begin` to `end`, averaged over targets.

    Cells go down where `end` is below `begin`; `gone` are the `lost` rows that come before them.
    """
    q, down = place.shape[0], end < begin
    some = begin - end if down else end - begin
    top = 1
    while 2 * top <= m:
        top *= 2
    for k in range(some + 1):
        out[k] = 0.0
    for t in range(q):
        for k in range(m + 1):
            weights[k] = 0.0
            products[k] = 0.0
        whole, total = 0.0, 0.0
        for k in range(lost + some):
            i = gone[k] if k < lost else cells[begin - 1 - (k - lost) if down else begin + (k - lost)] & 0xFFFFFFFF
            at, u = place[t, i] + 1, local_w[i]
            v = u * sorted_y[t, at - 1]
            whole += u
            total += v
            while at <= m:
                weights[at] += u
                products[at] += v
                at += at & -at
            if k + 1 < lost:
                continue
            at, below, sum_below, step = 0, 0.0, 0.0, top
            while step > 0:
                if at + step <= m and below + weights[at + step] <= 0.5 * whole:
                    at += step
                    below += weights[at]
                    sum_below += products[at]
                step //= 2
            median = sorted_y[t, min(at, m - 1)]
            loss = (median * below - sum_below) + ((total - sum_below) - median * (whole - below))
            out[k + 1 - lost] += max(loss, 0.0) / q


@inner
def _best_cut(
    cells: Any, known: Any, side: Any, lost: Any, lost_weight: Any, m: Any, total: Any, local_w: Any, before: Any,
    near: Any, least: Any, weight: Any, below: Any, above: Any, gains: Any,
) -> Any:  # fmt: skip
    """The first best boundary: its gain, and how many cells are left of it (-1: none)."""
    best, upto = -np.inf, 0.0
    n_gone_left = lost if side == 0 else 0
    gone_left = lost_weight if side == 0 else 0.0
    for k in range(1, known):
        upto += local_w[cells[k - 1] & 0xFFFFFFFF]
        gains[k] = -np.inf
        if cells[k - 1] >> 32 == cells[k] >> 32:
            continue
        left = upto + gone_left
        if k + n_gone_left < least or m - k - n_gone_left < least or left < weight or total - left < weight - 2.3e-16:
            continue
        gains[k] = before - below[k] - above[known - k]
        best = max(best, gains[k])
    if best == -np.inf:
        return best, -1
    for k in range(1, known):
        if gains[k] >= best - near:
            return gains[k], k
    return best, -1


@inner
def _on_column(
    codes: Any, j: Any, rows: Any, start: Any, m: Any, total: Any, local_w: Any, place: Any, sorted_y: Any, before: Any,
    near: Any, least: Any, weight: Any, cells: Any, gone: Any, below: Any, above: Any, gains: Any, weights: Any,
    products: Any,
) -> Any:  # fmt: skip
    """Whether a column can be split, its best gain, the bins left and right, where missing cells go."""
    known, lost, lost_weight = 0, 0, 0.0
    for i in range(m):
        code = np.int64(codes[j, rows[start + i]])
        if code < 0:
            gone[lost] = i
            lost += 1
            lost_weight += local_w[i]
        else:
            cells[known] = (code << 32) | i
            known += 1
    gain, left, right, side = -np.inf, np.int64(-1), np.int64(-1), -1
    if known == 0:
        return False, gain, left, right, side
    cells[:known].sort()
    if lost == 0 and cells[0] >> 32 == cells[known - 1] >> 32:
        return False, gain, left, right, side
    apart = 0.0
    for way in range(2 if lost > 0 else 1):
        where = 1 - way
        first, last = (lost, 0) if where == 0 else (0, lost)
        _add_losses(cells, 0, known, gone, first, local_w, place, sorted_y, m, below, weights, products)
        _add_losses(cells, known, 0, gone, last, local_w, place, sorted_y, m, above, weights, products)
        if where == 1:
            apart = below[known] + above[0]  # of known rows, and of those that lack the cell
        found, cut = _best_cut(
            cells, known, where, lost, lost_weight, m, total, local_w, before, near, least, weight, below, above, gains
        )  # fmt: skip
        if cut >= 0 and (way == 0 or left < 0 or found > gain + near):
            gain, left, right = found, cells[cut - 1] >> 32, cells[cut] >> 32
            side = where if lost > 0 else -1
    enough = lost > 0 and min(known, lost) >= least and min(total - lost_weight, lost_weight) >= weight
    if enough and (left < 0 or before - apart > gain + near):
        gain, left, right, side = before - apart, cells[known - 1] >> 32, np.int64(-1), 1
    return True, gain, left, right, side


@loop
def _grow_absolute(
    codes: Any, y: Any, rank: Any, w: Any, rows: Any, options: Any, numbers: Any, seed: Any, whole: Any, real: Any,
    value: Any,
) -> Any:  # fmt: skip
    columns, once, n, d, q = options[3], options[4] == 1, len(rows), codes.shape[0], y.shape[0]
    cells, keys, gone = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    place, sorted_y, local_w = np.empty((q, n), dtype=np.int64), np.empty((q, n)), np.empty(n)
    below, above, gains = np.empty(n + 1), np.empty(n + 1), np.empty(n + 1)
    weights, products, order = np.empty(n + 1), np.empty(n + 1), np.empty(d, dtype=np.int64)
    stack, key_of = np.empty((n + 1, 5), dtype=np.int64), np.empty(n + 1, dtype=np.uint64)
    stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3], stack[0, 4] = 0, n, 0, -1, 0
    key_of[0] = seed
    waiting, count = 1, 0
    while waiting > 0:
        waiting -= 1
        start, stop, depth, key, node = stack[waiting, 0], stack[waiting, 1], stack[waiting, 2], key_of[waiting], count
        m = stop - start
        count += 1
        whole[node, 0], whole[node, 1], whole[node, 2], whole[node, 3] = -1, -1, -1, -1
        whole[node, 4], whole[node, 5], whole[node, 6] = m, stack[waiting, 3], stack[waiting, 4]
        before, total = 0.0, 0.0
        for i in range(m):
            local_w[i] = w[rows[start + i]]
            total += local_w[i]
        for t in range(q):
            before += _rank_rows(rows, start, m, y, rank, w, t, keys, place, sorted_y, value[node]) / q
        real[node, 0], real[node, 1] = total, before
        if is_leaf(m, depth, before, total, options, numbers[0]):
            continue
        near = 1e-11 * before
        for j in range(d):
            order[j] = j
        state = seed if once else key
        best, column, best_left, best_right, best_side, varied = -np.inf, -1, np.int64(-1), np.int64(-1), -1, once
        for o in range(d):
            if columns >= 0 and o >= columns and varied:
                break
            if columns >= 0 and o < d - 1:
                state = stirred(state)
                other = o + np.int64(state % np.uint64(d - o))
                order[o], order[other] = order[other], order[o]
            can, gain, left, right, side = _on_column(
                codes, order[o], rows, start, m, total, local_w, place, sorted_y, before, near, options[2], numbers[0],
                cells, gone, below, above, gains, weights, products,
            )  # fmt: skip
            varied = varied or can
            if left >= 0 and (column < 0 or gain > best + near):
                best, column, best_left, best_right, best_side = gain, order[o], left, right, side
        if column < 0 or best < numbers[1] - near:
            continue
        whole[node, 0], whole[node, 1], whole[node, 2], whole[node, 3] = column, best_left, best_right, best_side
        middle, kept = start, 0
        for i in range(start, stop):
            r = rows[i]
            code = codes[column, r]
            goes_left = best_side == 0 if code < 0 else code <= best_left
            rows[middle] = r
            keys[kept] = r
            middle += goes_left
            kept += 1 - goes_left
        for i in range(kept):
            rows[middle + i] = keys[i]
        for child in range(1, -1, -1):
            stack[waiting, 0] = middle if child == 1 else start
            stack[waiting, 1] = stop if child == 1 else middle
            stack[waiting, 2], stack[waiting, 3], stack[waiting, 4] = depth + 1, node, child
            key_of[waiting] = stirred(key ^ np.uint64(child + 1))
            waiting += 1
    return count


assert NEAR == 1e-11  # the loop holds it as a number
