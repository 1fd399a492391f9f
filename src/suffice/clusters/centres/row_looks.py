"""The loop of a pass that remembers: bounds move, rows in doubt are looked at, and sums follow the rows that moved.

Rows are looked at in single precision, 64 side by side, from a copy about a fixed origin: half the memory, and twice as
many lanes. Where two centres are too near to one another for that, and only there, the row itself is looked at, so that
labels are those of double precision.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.clusters.centres.moved_sums import add_moves, list_moves
from suffice.numerics.least_products import squared_distance, turn_rows
from suffice.numerics.loop import inner, loop
from suffice.numerics.tiles import ROWS
from suffice.spaces.nearest_centre import nearest_in_buffer, tile_buffers

STRETCH = 512  # rows whose bounds are compared before any is looked at
MANY = 128  # centres from which the distance to the own one is worth taking alone; of fewer all are, 64 rows at a time


def new_room(d: int) -> Any:
    """What a thread needs for `move_rows`: lists of rows, and buffers of both precisions."""
    lists = [np.empty(4 * (STRETCH + ROWS), dtype=np.int64) for _ in range(7)]
    return tuple(lists[:4]), tuple(lists[4:]), tile_buffers(d), tile_buffers(d, np.float32)


@loop
def move_rows(
    tables: Any, double: Any, single: Any, moves: Any, state: Any, room: Any, sums: Any, start: Any, stop: Any
) -> Any:
    """Label a run of rows, and add to sums those that moved; how many were in doubt, and how many still were after a
    look in single precision. The twin compares all of them.
    """
    X, w, Y, origin = tables
    (rows, was, unsure, seen), listed, buffers, small_buffers = room
    labels, looked, again, left, doubtful, moved = state[0], 0, 0, 0, 0, 0
    begun, alone = labels[start] >= 0, len(Y) == 0
    for begin in range(start, stop, STRETCH):
        end = min(begin + STRETCH, stop)
        if not (begun or alone):
            _copy_rows(X, origin, Y, begin, end)
        count = _in_doubt(X, moves, state, begin, end, rows, was, left)
        looked += count - left
        whole = count if end == stop else count - count % ROWS
        if alone:
            _look(X, double, buffers, rows, whole, state, unsure, 0)
        else:
            doubtful = _look(Y, single, small_buffers, rows, whole, state, unsure, doubtful)
        moved = list_moves(rows, was, whole, labels, listed, moved)
        left = count - whole
        for r in range(left):  # they wait until a buffer is full
            rows[r], was[r] = rows[whole + r], was[whole + r]
        if doubtful and (end == stop or doubtful >= STRETCH):
            again += doubtful
            for r in range(doubtful):
                seen[r] = labels[unsure[r]]
            _look(X, double, buffers, unsure, doubtful, state, rows, left)
            moved = list_moves(unsure, seen, doubtful, labels, listed, moved)
            doubtful = 0
        if begun and (end == stop or moved >= STRETCH):
            add_moves(X, w, listed, moved, sums)
        if not begun or moved >= STRETCH:
            moved = 0
    return looked, again


@inner
def _copy_rows(X: Any, origin: Any, Y: Any, start: Any, stop: Any) -> None:
    """Rows about the origin, in single precision."""
    for i in range(start, stop):
        for j in range(X.shape[1]):
            Y[i, j] = X[i, j] - origin[j]


@inner
def _in_doubt(X: Any, moves: Any, state: Any, start: Any, stop: Any, rows: Any, was: Any, left: Any) -> Any:
    """Move the bounds of a run of rows, and note which could have another centre, and which they have; how many.

    Without a branch, which nobody could predict: first by old bounds, then by the distance.
    """
    centres, own, others, half, reach, slack = moves
    labels, most, least = state
    count = left
    for i in range(start, stop):
        k = labels[i]
        if k < 0:  # the first pass
            u, far = np.inf, 0.0
        else:
            u = (most[i] + own[k]) * (1.0 + slack)
            l = least[i] - others[k]  # noqa: E741
            l -= slack * abs(l)  # noqa: E741
            most[i], least[i] = u, l
            far = max(l, half[k])
        rows[count], was[count] = i, k
        count += not _stays(u, far, reach, slack)
    if len(centres) < MANY or labels[start] < 0:
        return count
    doubtful = left
    for at in range(left, count):
        i = rows[at]
        k = labels[i]
        u = np.sqrt(squared_distance(X, centres, i, k)) * (1.0 + slack)
        most[i] = u
        rows[doubtful], was[doubtful] = i, k
        doubtful += not _stays(u, max(least[i], half[k]), reach, slack)
    return doubtful


@inner
def _stays(u: Any, far: Any, reach: Any, slack: Any) -> Any:
    """Whether a centre at most u away is nearer than any that are at least so far, whatever products round off."""
    sure = (far - u) * (far + u) > slack * (u + 2.0 * reach) * (u + 2.0 * reach)
    return sure & (far > u)


@inner
def _look(X: Any, factors: Any, buffers: Any, rows: Any, count: Any, state: Any, unsure: Any, doubtful: Any) -> Any:
    """Labels and bounds of the rows that are named, and which of them another precision could label otherwise."""
    middle, A, errors = factors
    B, found = buffers
    for first in range(0, count, ROWS):
        some = rows[first : min(first + ROWS, count)]
        turn_rows(X, some, len(some), middle, B)
        nearest_in_buffer(A, B, found)
        doubtful = _note(B, found, errors, some, state, unsure, doubtful)
    return doubtful


@inner
def _note(B: Any, found: Any, errors: Any, rows: Any, state: Any, unsure: Any, doubtful: Any) -> Any:
    """Labels and bounds of the rows of a buffer; rows whose two nearest are too near to tell apart are unsure."""
    labels, most, least = state
    far, slack, nothing = errors
    near, second, which, norm = found[0], found[1], found[2], found[3]
    for r in range(ROWS):
        norm[r] = nothing
    for j in range(len(B)):
        for r in range(ROWS):
            norm[r] += B[j, r] * B[j, r]
    for r in range(ROWS):
        wrong = slack * (norm[r] + far)
        gap = second[r] - near[r]
        near[r] = np.sqrt(max(near[r] + norm[r], nothing) + wrong)
        second[r] = np.sqrt(max(second[r] + norm[r] - wrong, nothing))
        norm[r] = gap - (wrong + wrong)
    for r in range(len(rows)):
        i = rows[r]
        labels[i], most[i], least[i] = int(which[r]), near[r], second[r]
        unsure[doubtful] = i
        doubtful += not norm[r] > nothing
    return doubtful
