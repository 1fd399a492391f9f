"""Trees of thresholds grown by a loop: node by node, depth first, the same as `growing` grows with NumPy.

Where nodes look at most columns, the cells of every column are sorted once and kept in order by stable partitions; a
child that is a leaf needs none. Where they look at few, the cells of a node are sorted when it looks at them, or summed
by bins where there are few bins. Large trees are grown in threads: the top of the tree first, then the subtrees, which
share no row.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.numerics.loop import loop
from suffice.numerics.threads import in_threads
from suffice.trees.growth.bins import BinnedCells
from suffice.trees.growth.column_loop import is_leaf, keep_order, on_column, on_sorted_column
from suffice.trees.growth.drawing import mixed, stirred
from suffice.trees.growth.growing import Growth
from suffice.trees.growth.packed_loop import on_packed_column, packed_rows
from suffice.trees.growth.split_loop import add_rows, loss_of
from suffice.trees.growth.splits import NEAR
from suffice.trees.nodes import TreeNodes

THREADED = 1 << 19  # cells of a table from which its subtrees are grown in threads
PARTS = 16  # into how many parts of about so many rows its top divides them


def can_loop(cells: BinnedCells, growth: Growth) -> bool:
    """Whether loops know all that is asked for."""
    plain = growth.leaves is None and not growth.at_random and not growth.limits.gain_ratio and growth.monotone is None
    return plain and growth.limits.missing == "best" and not any(b.symbols for b in cells.bins)


class GrownNodes(NamedTuple):
    """Nodes as a loop writes them, depth first."""

    whole: Array  # (M, 7) column, bin left, bin right, way of missing cells, rows, parent, which child
    real: Array  # (M, 2) weight, loss
    sums: Array  # (M, S)


class Start(NamedTuple):
    """Where a loop begins."""

    start: int
    stop: int
    depth: int
    key: int


def grow_by_loop(cells: BinnedCells, target: Any, growth: Growth, threads: int = 1) -> TreeNodes:
    """The tree of these rows."""
    live = target.w > 0
    rows = np.flatnonzero(live).astype(np.int32)
    label, first, second = target.columns()
    options, numbers = loop_options(target, growth, rows)
    ordered = _ordered(cells, growth, live, threads)
    packed = packed_rows(cells, target, ordered.size > 0)
    left_side = np.zeros(len(target.w) if ordered.size else 1, dtype=np.uint8)
    seed = np.uint64(mixed(growth.seed))
    S = target.width
    none = np.zeros((0, 4), dtype=np.int64), np.zeros(0, dtype=np.uint64)

    def run(at: Start, small: int = 0, pending: Any = none) -> tuple[GrownNodes, int]:
        most = 2 * (at.stop - at.start) + 1
        if growth.depth is not None:
            most = min(most, 2 ** min(growth.depth - at.depth + 1, 60))
        made = GrownNodes(np.empty((most, 7), dtype=np.int64), np.empty((most, 2)), np.empty((most, S)))
        where = np.array(at[:3], dtype=np.int64)
        count, waiting = _grow(
            cells.columns, target.edges, label, first, second, target.w, rows, options, numbers, seed, *made, ordered,
            left_side, where, np.uint64(at.key), small, *pending, *packed,
        )  # fmt: skip
        return GrownNodes(*(part[:count] for part in made)), int(waiting)

    root = Start(0, len(rows), 0, int(seed))
    if threads < 2 or not ordered.size or len(rows) * len(cells.bins) < THREADED or growth.depth == 1:
        return grown_nodes(cells, target, *run(root)[0])
    return grown_nodes(cells, target, *_in_threads(run, root, threads))


def _in_threads(run: Callable[..., tuple[GrownNodes, int]], root: Start, threads: int) -> GrownNodes:
    """The top of the tree, then its subtrees, which share no row."""
    small = max(root.stop // PARTS, 2)
    pending = np.empty((root.stop + 1, 4), dtype=np.int64), np.empty(root.stop + 1, dtype=np.uint64)
    top, count = run(root, small, pending)
    starts = [
        Start(where[0], where[1], where[2], int(key))
        for where, key in zip(pending[0][:count].tolist(), pending[1][:count], strict=True)
    ]
    order = sorted(range(count), key=lambda p: starts[p].start - starts[p].stop)  # the largest first
    grown = in_threads(lambda p, go_on: run(starts[p])[0], order, threads)
    parts = dict(zip((int(pending[0][p, 3]) for p in order), grown, strict=True))
    return _joined(top, parts)


def _joined(top: GrownNodes, parts: dict[int, GrownNodes]) -> GrownNodes:
    """Subtrees in the places of the nodes (by number) that they grew from."""
    if not parts:
        return top
    M = len(top.whole)
    size = np.ones(M, dtype=np.int64)
    for node, part in parts.items():
        size[node] = len(part.whole)
    place = np.cumsum(size) - size
    pieces: list[list[Array]] = [[], [], []]
    last = 0
    for node in [*sorted(parts), M]:
        whole = top.whole[last:node].copy()
        whole[:, 5] = np.where(whole[:, 5] >= 0, place[whole[:, 5]], -1)
        for kept, piece in zip(pieces, (whole, top.real[last:node], top.sums[last:node]), strict=True):
            kept.append(piece)
        if node < M:
            part = parts[node]
            whole = part.whole.copy()
            whole[1:, 5] += place[node]
            up = top.whole[node, 5]
            whole[0, 5], whole[0, 6] = -1 if up < 0 else place[up], top.whole[node, 6]
            for kept, piece in zip(pieces, (whole, part.real, part.sums), strict=True):
                kept.append(piece)
        last = node + 1
    return GrownNodes(*(np.concatenate(kept) for kept in pieces))


def loop_options(target: Any, growth: Growth, rows: Array) -> tuple[Array, Array]:
    """What a loop is asked for: whole numbers, then the least weight of a leaf and the least gain."""
    limits, w = growth.limits, target.w[rows]
    options = [
        -1 if growth.depth is None else growth.depth,
        growth.split_rows,
        limits.rows,
        -1 if growth.columns is None else growth.columns,
        int(growth.once),
        target.number,
        int((w == 1.0).all()),
    ]
    return np.array(options, dtype=np.int64), np.array([limits.weight, growth.gain * float(w.sum())])


def _ordered(cells: BinnedCells, growth: Growth, live: Array, threads: int) -> Array:
    """The cells of each column in order (d, m), where a node looks at most columns; else nothing (d, 0)."""
    d = cells.codes.shape[1]
    if growth.columns is not None and 2 * growth.columns < d:
        return np.zeros((d, 0), dtype=np.int64)
    if not live.all():
        return np.ascontiguousarray(cells.in_order[live[cells.in_order & 0xFFFFFFFF]].reshape(d, -1))
    return cells.in_order if growth.depth == 1 else cells.in_order.copy()  # of one split nothing is moved


def grown_nodes(cells: BinnedCells, target: Any, whole: Array, real: Array, sums: Array) -> TreeNodes:
    """Nodes as a loop wrote them."""
    M = len(whole)
    column = whole[:, 0]
    width = np.where(column >= 0, 2, 0).astype(np.int32)
    first = np.concatenate([[0], np.cumsum(width)[:-1]]).astype(np.int32)
    children = np.zeros(int(width.sum()), dtype=np.int32)
    born = np.flatnonzero(whole[:, 5] >= 0)
    children[first[whole[born, 5]] + whole[born, 6]] = born
    weight, losses = real[:, 0].copy(), real[:, 1]
    missing = whole[:, 3].astype(np.int32)
    met = (width > 0) & (missing >= 0)
    none = np.flatnonzero((width > 0) & (missing < 0))
    left, right_ = weight[children[first[none]]], weight[children[first[none] + 1]]
    missing[none] = right_ >= left
    missing[width == 0] = 0
    return TreeNodes(
        roots=np.zeros(1, np.int32),
        column=column.astype(np.int32),
        threshold=_thresholds(cells, whole),
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


def _thresholds(cells: BinnedCells, whole: Array) -> Array:
    """Between the bins left and right of each split (M,); infinite where all that is known goes left."""
    threshold = np.full(len(whole), np.nan)
    inner = np.flatnonzero(whole[:, 0] >= 0)
    threshold[inner] = cells.thresholds(*whole[inner, :3].T)
    return threshold


@loop
def _grow(
    codes: Any, edges: Any, label: Any, first: Any, second: Any, w: Any, rows: Any, options: Any, numbers: Any,
    seed: Any, whole: Any, real: Any, sums: Any, ordered: Any, left_side: Any, where: Any, first_key: Any,
    small: Any, pending: Any, pending_key: Any, small_codes: Any, packed: Any,
) -> Any:  # fmt: skip
    columns, once, measure = options[3], options[4] == 1, options[5]
    least_weight, least_gain = numbers[0], numbers[1]
    n, d, S = where[1] - where[0], codes.shape[0], sums.shape[1]
    sorted_once, by_bytes = ordered.shape[1] > 0, packed.shape[0] > 0
    room = 1 if sorted_once or by_bytes else n + 1
    cells, spare = np.empty(room, dtype=np.int64), np.empty(n + 1, dtype=np.int64)
    counts, bins, digits = np.empty(room, dtype=np.int64), np.empty((room, S)), np.empty(256, dtype=np.int64)
    lost, left, right, kids = np.empty((1, S)), np.empty(S), np.empty(S), np.empty((2, S))
    pack, table, met = np.empty(n, dtype=np.int64), np.zeros(256, dtype=np.int64), np.zeros(4, dtype=np.uint64)
    order = np.empty(d, dtype=np.int64)
    deep = 64  # of the stack; it grows where it must
    stack, held, key_of = np.empty((deep, 5), dtype=np.int64), np.empty((deep, S)), np.empty(deep, dtype=np.uint64)
    stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3], stack[0, 4] = where[0], where[1], where[2], -1, 0
    key_of[0] = first_key
    for s in range(S):
        held[0, s] = 0.0
    add_rows(held, 0, rows, where[0], where[1], label, first, second, w, measure, edges)
    waiting, count, late = 1, 0, 0
    while waiting > 0:
        waiting -= 1
        start, stop, depth = stack[waiting, 0], stack[waiting, 1], stack[waiting, 2]
        key, node = key_of[waiting], count
        count += 1
        whole[node, 0], whole[node, 1], whole[node, 2], whole[node, 3] = -1, -1, -1, -1
        whole[node, 4], whole[node, 5], whole[node, 6] = stop - start, stack[waiting, 3], stack[waiting, 4]
        total = sums[node]
        for s in range(S):
            total[s] = held[waiting, s]
        before, weight = loss_of(total, measure, edges)
        real[node, 0], real[node, 1] = weight, before
        if is_leaf(stop - start, depth, before, weight, options, least_weight):
            continue
        if stop - start <= small and node > 0:  # a thread will grow it
            pending[late, 0], pending[late, 1], pending[late, 2], pending[late, 3] = start, stop, depth, node
            pending_key[late] = key
            late += 1
            continue
        near = 1e-11 * before
        for j in range(d):
            order[j] = j
        if by_bytes:
            for i in range(start, stop):
                pack[i - start] = packed[rows[i]]
        state = seed if once else key
        best, best_column, best_left, best_right, best_side, varied = -np.inf, -1, np.int64(-1), np.int64(-1), -1, once
        for o in range(d):
            if columns >= 0 and o >= columns and varied:
                break
            if columns >= 0 and o < d - 1:  # drawn as far as they are looked at
                state = stirred(state)
                other_at = o + np.int64(state % np.uint64(d - o))
                order[o], order[other_at] = order[other_at], order[o]
            j = order[o]
            if sorted_once:
                can, gain, below, above, side = on_sorted_column(
                    ordered[j], start, stop, label, first, second, w, total, before, near, options, least_weight,
                    counts, bins, lost, left, right, edges,
                )  # fmt: skip
            elif by_bytes:
                side = -1
                can, gain, below, above = on_packed_column(
                    small_codes, j, pack, rows, start, stop, total, before, near, options[2], least_weight, table, met
                )  # fmt: skip
            else:
                can, gain, below, above, side = on_column(
                    codes, j, label, first, second, w, rows, start, stop, total, before, near, options, least_weight,
                    cells, spare, counts, bins, digits, lost, left, right, edges,
                )  # fmt: skip
            varied = varied or can
            if below < 0 or gain == -np.inf:
                continue
            if gain > best + near:
                best, best_column, best_left, best_right, best_side = gain, j, below, above, side
        if best_column < 0 or best < least_gain - near:
            continue
        whole[node, 0], whole[node, 1], whole[node, 2], whole[node, 3] = best_column, best_left, best_right, best_side
        middle, kept = start, 0
        for s in range(S):
            kids[0, s] = 0.0
            kids[1, s] = 0.0
        for i in range(start, stop):
            r = rows[i]
            code = codes[best_column, r]
            goes_left = best_side == 0 if code < 0 else code <= best_left
            if sorted_once:
                left_side[r] = goes_left
            rows[middle] = r
            spare[kept] = r
            middle += goes_left
            kept += 1 - goes_left
        for i in range(kept):
            rows[middle + i] = spare[i]
        add_rows(kids, 0, rows, start, middle, label, first, second, w, measure, edges)
        add_rows(kids, 1, rows, middle, stop, label, first, second, w, measure, edges)
        ends = 0
        for child in range(2):
            loss, weight = loss_of(kids[child], measure, edges)
            some = middle - start if child == 0 else stop - middle
            ends += (1 + child) * is_leaf(some, depth + 1, loss, weight, options, least_weight)
        if sorted_once and ends < 3:
            for j in range(d):
                keep_order(ordered[j], start, middle, stop, left_side, ends, spare)
        if waiting + 2 > deep:
            more, wider, keys = (
                np.empty((2 * deep, 5), np.int64),
                np.empty((2 * deep, S)),
                np.empty(2 * deep, np.uint64),
            )
            more[:deep], wider[:deep], keys[:deep] = stack, held, key_of
            stack, held, key_of, deep = more, wider, keys, 2 * deep
        for child in range(1, -1, -1):
            stack[waiting, 0] = middle if child == 1 else start
            stack[waiting, 1] = stop if child == 1 else middle
            stack[waiting, 2], stack[waiting, 3], stack[waiting, 4] = depth + 1, node, child
            for s in range(S):
                held[waiting, s] = kids[child, s]
            key_of[waiting] = stirred(key ^ np.uint64(child + 1))
            waiting += 1
    return count, late


assert NEAR == 1e-11  # the loop holds it as a number
