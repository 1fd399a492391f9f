"""Trees of thresholds grown by a loop: node by node, depth first, the same as `growing` grows with NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.numerics.loop import loop
from suffice.trees.growth.bins import BinnedCells
from suffice.trees.growth.drawing import mixed, stirred
from suffice.trees.growth.growing import Growth
from suffice.trees.growth.split_loop import gather, loss_of, scan
from suffice.trees.growth.splits import NEAR
from suffice.trees.growth.targets import ClassSums
from suffice.trees.nodes import TreeNodes

NUMBERS = -1  # in place of the number of an impurity: squared error


def can_loop(cells: BinnedCells, target: Any, growth: Growth) -> bool:
    """Whether the loop knows all that is asked for."""
    one = isinstance(target, ClassSums) or (target.adds and target.y.shape[1] == 1)
    plain = growth.leaves is None and not growth.at_random and not growth.limits.gain_ratio
    return one and plain and growth.limits.missing == "best" and not any(b.symbols for b in cells.bins)


def grow_by_loop(cells: BinnedCells, target: Any, growth: Growth) -> TreeNodes:
    """The tree of these rows."""
    rows = np.flatnonzero(target.w > 0).astype(np.int64)
    classes = isinstance(target, ClassSums)
    label = target.codes.astype(np.int64) if classes else np.zeros(len(target.w), dtype=np.int64)
    off = np.zeros(len(target.w)) if classes else target.y[:, 0] - target.centre[0]
    S = target.K if classes else 3
    most = 2 * len(rows) + 1
    whole, real = np.empty((most, 7), dtype=np.int64), np.empty((most, 2))
    sums = np.zeros((most, S))
    limits = growth.limits
    options = np.array(
        [
            -1 if growth.depth is None else growth.depth,
            growth.split_rows,
            limits.rows,
            -1 if growth.columns is None else growth.columns,
            int(growth.once),
            target.measure.number if classes else NUMBERS,
        ],
        dtype=np.int64,
    )
    total = float(target.weight(target.total(rows)))
    numbers = np.array([limits.weight, growth.gain * total])
    sizes = np.array([b.B for b in cells.bins], dtype=np.int64)
    seed = np.uint64(mixed(growth.seed))
    order = _orders(cells, growth, target.w > 0)
    count = _grow(cells.codes, sizes, label, off, target.w, rows, options, numbers, seed, whole, real, sums, order)
    return _as_nodes(cells, target, whole[:count], real[:count], sums[:count])


def _orders(cells: BinnedCells, growth: Growth, live: Array) -> Array:
    """The rows in the order of each column (d, m), where a node looks at most columns; else nothing (d, 0)."""
    d = cells.codes.shape[1]
    if growth.columns is not None and 2 * growth.columns < d:
        return np.zeros((d, 0), dtype=np.int32)
    if not live.all():
        return np.ascontiguousarray(cells.orders[live[cells.orders]].reshape(d, -1))
    return cells.orders if growth.depth == 1 else cells.orders.copy()  # of one split nothing is moved


def _as_nodes(cells: BinnedCells, target: Any, whole: Array, real: Array, sums: Array) -> TreeNodes:
    """Columns of `whole`: column, bin left, bin right, which way missing cells go, rows, parent, which child."""
    M = len(whole)
    column, inner_ = whole[:, 0], np.flatnonzero(whole[:, 0] >= 0)
    width = np.where(column >= 0, 2, 0).astype(np.int32)
    first = np.concatenate([[0], np.cumsum(width)[:-1]]).astype(np.int32)
    children = np.zeros(int(width.sum()), dtype=np.int32)
    born = np.flatnonzero(whole[:, 5] >= 0)
    children[first[whole[born, 5]] + whole[born, 6]] = born
    threshold = np.full(M, np.nan)
    for node in inner_.tolist():
        bins, right = cells.bins[int(column[node])], int(whole[node, 2])
        threshold[node] = np.inf if right < 0 else bins.between(int(whole[node, 1]), right)
    weight, losses = real[:, 0].copy(), real[:, 1]
    missing = whole[:, 3].astype(np.int32)
    met = (width > 0) & (missing >= 0)
    none = np.flatnonzero((width > 0) & (missing < 0))
    left, right_ = weight[children[first[none]]], weight[children[first[none] + 1]]
    missing[none] = right_ > left
    missing[width == 0] = 0
    return TreeNodes(
        roots=np.zeros(1, np.int32),
        column=column.astype(np.int32),
        threshold=threshold,
        first=first,
        width=width,
        children=children,
        missing=missing,
        branch_at=np.full(M, -1, np.int32),
        branches=np.zeros(0, np.int32),
        rows=whole[:, 4].copy(),
        weight=weight,
        value=np.ascontiguousarray(target.value(sums)),
        impurity=losses / np.maximum(weight, 1e-300),
        met=met,
    )


@loop
def _grow(
    codes: Any,
    sizes: Any,
    label: Any,
    off: Any,
    w: Any,
    rows: Any,
    options: Any,
    numbers: Any,
    seed: Any,
    whole: Any,
    real: Any,
    sums: Any,
    order_of: Any,
) -> Any:
    depth_limit, split_rows, least, columns, once, measure = options
    least_weight, least_gain = numbers[0], numbers[1]
    n, d, S = rows.shape[0], codes.shape[1], sums.shape[1]
    widest = 0
    for j in range(d):
        widest = max(widest, sizes[j])
    room = max(n, min(widest, 3 * n + 64)) + 1
    places, counts = np.empty(room, dtype=np.int64), np.empty(room, dtype=np.int64)
    cells, keys, spare = np.empty((room, S)), np.empty(n + 1, dtype=np.int64), np.empty(n, dtype=np.int64)
    lost, left, right = np.empty(S), np.empty(S), np.empty(S)
    order = np.empty(d, dtype=np.int64)
    stack = np.empty((n + 2, 5), dtype=np.int64)  # start, stop, depth, parent, which child
    key_of = np.empty(n + 2, dtype=np.uint64)
    stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3], stack[0, 4] = 0, n, 0, -1, 0
    key_of[0] = seed
    waiting, count = 1, 0
    is_numbers = measure == -1
    sorted_once = order_of.shape[1] > 0
    left_side = np.zeros(w.shape[0] if sorted_once else 1, dtype=np.uint8)
    while waiting > 0:
        waiting -= 1
        start, stop, depth = stack[waiting, 0], stack[waiting, 1], stack[waiting, 2]
        key = key_of[waiting]
        node = count
        count += 1
        whole[node, 0], whole[node, 1], whole[node, 2], whole[node, 3] = -1, -1, -1, -1
        whole[node, 4], whole[node, 5], whole[node, 6] = stop - start, stack[waiting, 3], stack[waiting, 4]
        for i in range(start, stop):
            r = rows[i]
            if is_numbers:
                sums[node, 0] += w[r]
                sums[node, 1] += w[r] * off[r]
                sums[node, 2] += w[r] * off[r] * off[r]
            else:
                sums[node, label[r]] += w[r]
        before, weight = loss_of(sums[node], measure)
        real[node, 0], real[node, 1] = weight, before
        if depth_limit >= 0 and depth >= depth_limit:
            continue
        if stop - start < split_rows or stop - start < 2 * least or before <= 2.220446049250313e-16 * weight:
            continue
        if least_weight > 0 and weight < 2 * least_weight:
            continue
        near = 1e-11 * before
        for j in range(d):
            order[j] = j
        if columns >= 0:
            state = seed if once else key
            for i in range(d - 1):
                state = stirred(state)
                other_at = i + np.int64(state % np.uint64(d - i))
                order[i], order[other_at] = order[other_at], order[i]
        best, best_column, best_left, best_right, best_side, met = -np.inf, -1, -1, -1, -1, 0
        for o in range(d):
            if columns >= 0 and met >= columns:
                break
            j = order[o]
            B, gone = gather(
                codes,
                j,
                label,
                off,
                w,
                rows,
                start,
                stop,
                sizes[j],
                S,
                is_numbers,
                places,
                counts,
                cells,
                keys,
                lost,
                order_of,
                sorted_once,
            )
            if B == 0 or (B == 1 and gone == 0):
                continue
            met += 1
            gain, at, side = -np.inf, -1, -1
            if gone == 0:
                gain, at = scan(
                    places, counts, cells, B, 0, lost, 2, measure, least, least_weight, near, before, left, right
                )
            else:
                gain, at = scan(
                    places, counts, cells, B, gone, lost, 1, measure, least, least_weight, near, before, left, right
                )
                side = 1
                other, there = scan(
                    places, counts, cells, B, gone, lost, 0, measure, least, least_weight, near, before, left, right
                )
                if there >= 0 and other > gain + near:
                    gain, at, side = other, there, 0
                known = stop - start - gone
                for s in range(S):
                    left[s] = sums[node, s] - lost[s]
                a, wa = loss_of(left, measure)
                c, wc = loss_of(lost, measure)
                enough = known >= least and gone >= least and wa >= least_weight and wc >= least_weight
                if enough and before - a - c > gain + near:
                    gain, at, side = before - a - c, B - 1, 1
            if at < 0:
                continue
            if gain > best + near or (gain >= best - near and j < best_column):
                best, best_column, best_side = gain, j, side
                best_left = places[at]
                best_right = places[at + 1] if at + 1 < B else -1
        if best_column < 0 or best < least_gain - near:
            continue
        whole[node, 0], whole[node, 1], whole[node, 2], whole[node, 3] = best_column, best_left, best_right, best_side
        middle, kept = start, 0
        for i in range(start, stop):
            r = rows[i]
            code = codes[r, best_column]
            goes_left = best_side == 0 if code < 0 else code <= best_left
            if sorted_once:
                left_side[r] = goes_left
            if goes_left:
                rows[middle] = r
                middle += 1
            else:
                spare[kept] = r
                kept += 1
        for i in range(kept):
            rows[middle + i] = spare[i]
        if sorted_once and (depth_limit < 0 or depth + 1 < depth_limit):  # leaves need no order
            for j in range(d):
                at, kept = start, 0
                for i in range(start, stop):
                    r = order_of[j, i]
                    if left_side[r]:
                        order_of[j, at] = r
                        at += 1
                    else:
                        spare[kept] = r
                        kept += 1
                for i in range(kept):
                    order_of[j, at + i] = spare[i]
        for child in range(1, -1, -1):
            stack[waiting, 0] = middle if child == 1 else start
            stack[waiting, 1] = stop if child == 1 else middle
            stack[waiting, 2], stack[waiting, 3], stack[waiting, 4] = depth + 1, node, child
            key_of[waiting] = stirred(key ^ np.uint64(child + 1))
            waiting += 1
    return count


assert NEAR == 1e-11  # the loop holds it as a number
