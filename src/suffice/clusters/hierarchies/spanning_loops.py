"""Least spanning trees of many rows, compiled, from the rows alone: Prim's algorithm under Euclidean distances.

Rows lie in groups of 64, a column in a row of the group. A row that joins the tree is a shorter way into it for few of
the others: float32 tells for which groups it is none, with the error that it may have, at half the memory and twice the
speed; only for the other groups are distances computed, from the differences themselves. What has joined is struck out
by an infinite cell; where an eighth is struck out the others move together, in their order, so that of equals the first
is still the first. The twin is `spanning_tree` in `merging.py`.

Tried, 10,000 rows of 10 columns, processor time: all distances, with the least of all lanes and its place 190 ms, with
the place looked for once 190; groups in which nobody comes closer left alone 190; by float32 first 100.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.numerics.lanes import LANES, close_up, first_there, grouped, squares_to
from suffice.numerics.loop import inner, loop

TINY = 1e-30  # below it, squares of float32 lose digits


def spanning_edges(X: Array) -> tuple[Array, Array]:
    """Edges of a least spanning tree under Euclidean distances (n - 1, 2) and their lengths, in memory O(n)."""
    n, d = X.shape
    C = grouped(X)
    with np.errstate(over="ignore", invalid="ignore"):
        Y = X - X.mean(axis=0)
        rough = grouped(Y, 0.0).astype(np.float32)
        off = 2.0 * np.sqrt(d) * (2.0**-23 * np.abs(Y).max(initial=0.0) + 2.0**-51 * np.abs(X).max(initial=0.0))
    pairs, squares = np.empty((n - 1, 2), dtype=np.int64), np.empty(n - 1)
    best, near = np.full((len(C), LANES), np.inf), np.zeros((len(C), LANES))
    beyond = np.full((len(C), LANES), -np.inf, dtype=np.float32)
    beyond.reshape(-1)[:n] = np.inf
    _prim(C, rough, np.arange(n), best, near, beyond, np.full(len(C), np.inf), off, pairs, squares)
    return pairs, np.sqrt(squares)


@inner
def _may_come_closer(rough: Any, g: int, point: Any, held: Any, beyond: Any) -> bool:
    """Whether float32 cannot rule out that a row of the group is near."""
    squares_to(rough, g, point, held)
    ruled_out = 0
    for r in range(LANES):
        ruled_out += held[r] > beyond[g, r]
    return ruled_out < LANES


@inner
def _come_closer(C: Any, g: int, point: Any, own: float, held: Any, best: Any, near: Any) -> bool:
    """Offer a group of rows a new way into the tree; whether any of them takes it."""
    squares_to(C, g, point, held)
    closer = 0
    for r in range(LANES):
        closer += held[r] < best[g, r]
    if closer:
        for r in range(LANES):
            shorter = held[r] < best[g, r]
            near[g, r] = own if shorter else near[g, r]
            best[g, r] = held[r] if shorter else best[g, r]
    return closer > 0


@inner
def _look_again(C: Any, g: int, best: Any, beyond: Any, off: float) -> float:
    """The shortest way of a group into the tree; beyond which square of float32 a row comes no closer is noted."""
    value, more = np.inf, 1.0 + 2.0**-21 * (C.shape[1] + 4)
    for r in range(LANES):
        x = best[g, r]
        value = min(value, x)
        limit = (np.sqrt(x) + off) * (np.sqrt(x) + off) * more + TINY
        beyond[g, r] = np.float32(limit) if C[g, 0, r] < np.inf else np.float32(-np.inf)
    return value


@inner
def _close_ways(C: Any, rough: Any, left: int, ids: Any, best: Any, near: Any, places: Any) -> int:
    """Move the rows outside of the tree together, with their ways; how many they are."""
    kept = close_up(C, left, places)
    for p in range(left):
        to = places[p]
        if p + 1 == left or places[p + 1] > to:  # the last that came there is the one that stayed
            ids[to], best[to // LANES, to % LANES] = ids[p], best[p // LANES, p % LANES]
            near[to // LANES, to % LANES] = near[p // LANES, p % LANES]
            for j in range(rough.shape[1]):
                rough[to // LANES, j, to % LANES] = rough[p // LANES, j, p % LANES]
    for p in range(kept, left):
        best[p // LANES, p % LANES] = np.inf
    return kept


@loop
def _prim(
    C: Any, rough: Any, ids: Any, best: Any, near: Any, beyond: Any, least: Any, off: float, pairs: Any, squares: Any
) -> None:
    """Of the rows outside of the tree the nearest joins it. `least` is the shortest way of each group."""
    n, d = len(ids), C.shape[1]
    held, point, places = np.empty(LANES), np.empty(d), np.empty(n, dtype=np.int64)
    held_roughly, roughly = np.empty(LANES, dtype=np.float32), np.empty(d, dtype=np.float32)
    left, gone, at = n, 0, 0
    for step in range(n - 1):
        own = float(ids[at])
        for j in range(d):
            point[j], roughly[j] = C[at // LANES, j, at % LANES], rough[at // LANES, j, at % LANES]
        C[at // LANES, 0, at % LANES] = best[at // LANES, at % LANES] = np.inf
        least[at // LANES] = _look_again(C, at // LANES, best, beyond, off)
        gone += 1
        if 8 * gone > left:
            left, gone = _close_ways(C, rough, left, ids, best, near, places), 0
            for g in range(len(least)):
                least[g] = _look_again(C, g, best, beyond, off)
        value, first = np.inf, 0
        for g in range(-(-left // LANES)):
            near_enough = _may_come_closer(rough, g, roughly, held_roughly, beyond)
            if near_enough and _come_closer(C, g, point, own, held, best, near):
                least[g] = _look_again(C, g, best, beyond, off)
            if least[g] < value:
                value, first = least[g], g
        at = first * LANES
        while value < np.inf and best[first, at % LANES] != value:
            at += 1
        if not value < np.inf:  # all are infinitely far
            at = first_there(C, -1)
        pairs[step, 0], pairs[step, 1], squares[step] = int(near[at // LANES, at % LANES]), ids[at], value
