"""Trees of many rows, compiled: Ward's chains from the rows alone, chains on a table of distances.

Rows and clusters lie in groups of 64, a column of the table in a row of the group, so that one is compared with many at
a time. What has been joined is struck out by an infinite cell; where an eighth is struck out the others move together,
in their order, so that of equals the first is still the first. The twins are in `merging.py`.

Tried, 4,000 rows of 10 columns: slices of arrays inside the loops (50 ms for a spanning tree; 30 ms by groups), `/`
where `np.divide` stands (158 ms for Ward's chain; 116 ms).
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.numerics.lanes import LANES, close_up, first_there, grouped, squares_to
from suffice.numerics.loop import inner, loop
from suffice.numerics.threads import in_threads, processors

HALF = LANES // 2  # cells that are compared at a time where they only are
NARROW = 64  # columns up to which distances are made anew each time sooner than they are read


def ward_merges(X: Array, size: Array) -> tuple[Array, Array]:
    """Merges of Ward's linkage by a chain of nearest neighbours among the means of clusters, in memory O(n)."""
    n, C = len(X), grouped(X - X[0])  # means of rows far from 0 would round
    pairs, squares = np.empty((n - 1, 2), dtype=np.int64), np.empty(n - 1)
    weight = np.ones((len(C), LANES))
    weight.reshape(-1)[:n] = size
    room = np.empty((2, LANES)), np.empty((len(C), LANES)), *np.empty((2, n), dtype=np.int64)
    _ward_chain(C, weight, np.arange(n), room, pairs, squares)
    return pairs, squares


def table_merges(D: Array, size: Array, code: int) -> tuple[Array, Array]:
    """Merges by a chain on a table of distances, which is written into and whose diagonal is infinite."""
    n = len(D)
    pairs, heights = np.empty((n - 1, 2), dtype=np.int64), np.empty(n - 1)
    room = np.empty(HALF), np.zeros(n), *np.empty((3, n), dtype=np.int64)
    _table_chain(D, size.astype(np.float64), code, np.arange(n), room, _unions(n), pairs, heights)
    return pairs, heights


def _unions(n: int) -> tuple[Array, Array, Array]:
    """Clusters in the order in which they were joined, where each is among them, and how many each row knows of."""
    return np.empty(n, dtype=np.int64), np.full(n, -1, dtype=np.int64), np.zeros(n, dtype=np.int64)


def euclidean_table(X: Array) -> Array:
    """Euclidean distances (n, n) from the differences themselves, in threads: exactly symmetric."""
    C, D = grouped(X), np.empty((len(X), len(X)))
    cuts = np.linspace(0, len(X), 4 * processors() + 1).astype(int).tolist()
    in_threads(
        lambda run, go_on: _distance_rows(X, C, run[0], run[1], np.empty(LANES), D), list(pairwise(cuts)), processors()
    )
    return D


@inner
def _first_least(cells: Any, least: Any) -> Any:
    """The least of all lanes and the first place of it among the cells (G, LANES); -1 where all are infinite.

    Where it is, is looked for once: to remember it all the way takes longer.
    """
    value = np.inf
    for r in range(LANES):
        value = min(value, least[r])
    if not value < np.inf:
        return value, -1
    for g in range(len(cells)):
        for r in range(LANES):
            if cells[g, r] == value:
                return value, g * LANES + r
    return value, -1


@loop
def _distance_rows(X: Any, C: Any, first: int, last: int, held: Any, D: Any) -> None:
    """Some rows of the table of distances."""
    n = D.shape[1]
    for i in range(first, last):
        for g in range(len(C)):
            squares_to(C, g, X[i], held)
            for r in range(LANES):
                held[r] = np.sqrt(held[r])
            for r in range(min(LANES, n - g * LANES)):
                D[i, g * LANES + r] = held[r]


@inner
def _nearest_mean(C: Any, size: Any, point: Any, own: float, left: int, back: int, lanes: Any, cells: Any) -> Any:
    """Ward's distance of a cluster to the nearest, where that is, and the distance to the one it came from."""
    held, least = lanes[0], lanes[1]
    for r in range(LANES):
        least[r] = np.inf
    for g in range(-(-left // LANES)):
        squares_to(C, g, point, held)
        for r in range(LANES):
            x = held[r] * np.divide(2.0 * (own * size[g, r]), own + size[g, r])  # `/` would look for 0 each time
            cells[g, r] = x
            least[r] = x if x < least[r] else least[r]
    value, to = _first_least(cells, least)
    return value, to, cells[back // LANES, back % LANES] if back >= 0 else np.inf


@loop
def _ward_chain(C: Any, size: Any, ids: Any, room: Any, pairs: Any, squares: Any) -> None:
    """norm(m_a - m_b)^2 2 W_a W_b / (W_a + W_b), made of means and weights whenever it is asked for."""
    lanes, cells, chain, places = room
    n, d = len(ids), C.shape[1]
    point, left, gone, length = np.empty(d), n, 0, 0
    for step in range(n - 1):
        if 8 * gone > left:
            kept = close_up(C, left, places)
            for p in range(left):
                to = places[p]
                if p + 1 == left or places[p + 1] > to:
                    ids[to], size[to // LANES, to % LANES] = ids[p], size[p // LANES, p % LANES]
            for q in range(length):
                chain[q] = places[chain[q]]
            left, gone = kept, 0
        if length == 0:
            chain[0], length = first_there(C, -1), 1
        while True:
            at = chain[length - 1]
            back = chain[length - 2] if length > 1 else -LANES
            for j in range(d):
                point[j] = C[at // LANES, j, at % LANES]
            C[at // LANES, 0, at % LANES] = np.inf  # nobody is its own neighbour
            own = size[at // LANES, at % LANES]
            value, to, value_back = _nearest_mean(C, size, point, own, left, back, lanes, cells)
            C[at // LANES, 0, at % LANES] = point[0]
            if back >= 0 and value_back <= value:  # of equals the one it came from, so that the chain ends
                to, value = back, value_back
                break
            chain[length] = to if to >= 0 else first_there(C, at)
            length += 1
        length -= 2
        a, b = min(at, to), max(at, to)
        ga, ra, gb, rb = a // LANES, a % LANES, b // LANES, b % LANES
        pairs[step, 0], pairs[step, 1], squares[step] = ids[a], ids[b], value
        share = size[gb, rb] / (size[ga, ra] + size[gb, rb])
        for j in range(d):
            C[ga, j, ra] += (C[gb, j, rb] - C[ga, j, ra]) * share
        size[ga, ra] += size[gb, rb]
        C[gb, 0, rb] = np.inf
        gone += 1


@inner
def _least_in_row(D: Any, at: int, left: int, struck: Any, least: Any) -> Any:
    """The least cell of a row and its place, the first of equals, without what is struck out; -1 where all are."""
    for r in range(HALF):
        least[r] = np.inf
    for g in range(left // HALF):
        for r in range(HALF):
            x = D[at, g * HALF + r] + struck[g * HALF + r]
            least[r] = x if x < least[r] else least[r]
    value, to = np.inf, -1
    for r in range(HALF):
        value = min(value, least[r])
    for p in range(left - left % HALF, left):
        value = min(value, D[at, p] + struck[p])
    if value < np.inf:  # where it is, is looked for once: to remember it all the way takes longer
        to = 0
        while D[at, to] + struck[to] != value:
            to += 1
    return value, to


@inner
def _hear_of(D: Any, at: int, count: int, unions: Any) -> None:
    """Bring a row up to date with the clusters that were joined since: their rows hold the distances.

    Writing the column of each union at once would fetch a line of the cache for every cluster there is; most of these
    cells would never be read.
    """
    joined, last, known = unions
    for q in range(known[at], count):
        c = joined[q]
        if last[c] == q and c != at:
            D[at, c] = D[c, at]
    known[at] = count


@inner
def _shrink(D: Any, left: int, struck: Any, size: Any, ids: Any, places: Any, alive: Any) -> int:
    """Move the rows and columns that are left together; how many they are, and where each came to."""
    kept = 0
    for p in range(left):
        places[p] = kept
        alive[kept] = p
        kept += struck[p] == 0.0
        struck[p] = 0.0
    for to in range(kept):
        row = alive[to]
        for q in range(kept):
            D[to, q] = D[row, alive[q]]
        ids[to], size[to] = ids[row], size[row]
    return kept


@inner
def _forget_unions(left: int, kept: int, count: int, unions: Any, places: Any, alive: Any) -> int:
    """The unions that are left, by their new places; how many they are."""
    joined, last, known = unions
    fewer = 0
    for q in range(count):
        c = joined[q]
        stays = last[c] == q
        joined[q] = fewer  # how many stay of those before it, for the rows that know of so many
        if stays:
            last[c] = -2 - fewer
            fewer += 1
    for to in range(kept):
        row = alive[to]
        known[to] = fewer if known[row] == count else joined[known[row]]
        last[to] = last[row]
    for to in range(kept):
        if last[to] < -1:
            last[to] = -2 - last[to]
            joined[last[to]] = to
    return fewer


@loop
def _table_chain(D: Any, size: Any, code: int, ids: Any, room: Any, unions: Any, pairs: Any, heights: Any) -> None:
    """The same merges as in `chain_merges`, with the rules of the linkages by their codes."""
    least, struck, chain, places, alive = room
    joined, last, known = unions
    n = len(size)
    left, gone, length, count = n, 0, 0, 0
    for step in range(n - 1):
        if 3 * gone > left:
            kept = _shrink(D, left, struck, size, ids, places, alive)
            count = _forget_unions(left, kept, count, unions, places, alive)
            for q in range(length):
                chain[q] = places[chain[q]]
            left, gone = kept, 0
        if length == 0:
            chain[0], length = 0, 1
            while struck[chain[0]] > 0.0:
                chain[0] += 1
        while True:
            at = chain[length - 1]
            back = chain[length - 2] if length > 1 else at
            _hear_of(D, at, count, unions)
            value, to = _least_in_row(D, at, left, struck, least)
            if length > 1 and D[at, back] <= value:
                to, value = back, D[at, back]
                break
            if to < 0:  # all are infinitely far
                to = 0
                while to == at or struck[to] > 0.0:
                    to += 1
            chain[length] = to
            length += 1
        length -= 2
        a, b = min(at, to), max(at, to)
        pairs[step, 0], pairs[step, 1], heights[step] = ids[a], ids[b], value
        _hear_of(D, to, count, unions)  # it may have been looked at before the last unions
        _join_rows(D, left, a, b, value, size, code)
        joined[count], last[a], last[b] = a, count, -1
        count += 1
        known[a], struck[b] = count, np.inf
        gone += 1


@inner
def _join_rows(D: Any, left: int, a: int, b: int, value: float, size: Any, code: int) -> None:
    """Cluster b becomes part of a: its row. Both rows know of all unions."""
    na, nb = size[a], size[b]
    if code == 0:
        for c in range(left):
            D[a, c] = min(D[a, c], D[b, c])
    elif code == 1:
        for c in range(left):
            D[a, c] = max(D[a, c], D[b, c])
    elif code == 2:
        for c in range(left):
            D[a, c] = np.divide(na * D[a, c] + nb * D[b, c], na + nb)
    elif code == 3:
        for c in range(left):
            D[a, c] = 0.5 * (D[a, c] + D[b, c])
    else:
        for c in range(left):
            nc = size[c]
            D[a, c] = np.divide((na + nc) * D[a, c] + (nb + nc) * D[b, c] - nc * value, na + nb + nc)
    D[a, a] = np.inf
    size[a] = na + nb
