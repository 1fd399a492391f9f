"""Rows side by side: one is compared with 64 at a time, column after column, from the differences themselves.

A product would be faster, and lose digits where rows are near. Arrays of three dimensions, indexed by plain loops, are
what compilers turn into vector instructions; slices of arrays, or `/`, which looks for 0, are not.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.numerics.arrays import Array
from suffice.numerics.loop import inner, instruction
from suffice.numerics.tile_code import HIGH, WIDE, TileCode, longest

LANES = 64  # rows of a group
PART = 32  # of them, whose sums are held in registers at a time


def grouped(X: Array, fill: float = np.inf) -> Array:
    """Rows in groups (G, d, LANES); what is left of the last holds `fill`.

    >>> grouped(np.array([[1.0, 2.0]])).shape
    (1, 2, 64)
    """
    n, d = X.shape
    full, left = divmod(n, LANES)
    groups = np.empty((full + (left > 0), d, LANES))
    groups[:full] = X[: full * LANES].reshape(full, LANES, d).transpose(0, 2, 1)  # at once, not by way of a padded copy
    if left:
        groups[full] = fill
        groups[full, :, :left] = X[full * LANES :].T
    return groups


def add_distances(X: Any, C: Any, w: Any, total: Any, i: int, g: int, r: int) -> None:
    """Add the distances of row i to PART rows of a group from r, each times its weight, to sums (1, LANES)."""
    here = slice(r, r + PART)
    squares = np.zeros(PART)
    for j in range(C.shape[1]):
        squares += (C[g, j, here] - X[i, j]) ** 2
    total[0, here] += w[g, here] * np.sqrt(squares)


@instruction(add_distances)
def _distances(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """As many sums as a processor can add to at a time; all lanes round alike, whatever their number."""
    return TileCode(context, builder, signature, arguments, 1, PART, longest()).pass_distances()


def add_gaps(share: Any, C: Any, centres: Any, sums: Any, g: int, k: int, j: int) -> None:
    """Add share[k] (x - centre k) of the rows of a group, of four columns from j, to sums (K, d, WIDE)."""
    for a in range(j, j + HIGH):
        sums[k, a] += (share[k] * (C[g, a] - centres[k, a])).reshape(-1, WIDE).sum(axis=0)


def add_gap(share: Any, C: Any, centres: Any, sums: Any, g: int, k: int, j: int) -> None:
    """The same of one column."""
    sums[k, j] += (share[k] * (C[g, j] - centres[k, j])).reshape(-1, WIDE).sum(axis=0)


def _gaps(high: int) -> Any:
    """Sums are held in registers while the group passes, where a loop would store them row by row."""

    def builds(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return TileCode(context, builder, signature, arguments, high).pass_group()

    return builds


instruction(add_gaps)(_gaps(HIGH))
instruction(add_gap)(_gaps(1))


@inner
def squares_to(C: Any, g: int, point: Any, held: Any) -> None:
    """Squared distances of a point to the rows of a group, four columns at a time."""
    d = len(point)
    for r in range(LANES):
        held[r] = (C[g, 0, r] - point[0]) * (C[g, 0, r] - point[0])
    j = 1
    while j + 3 < d:
        x0, x1, x2, x3 = point[j], point[j + 1], point[j + 2], point[j + 3]
        for r in range(LANES):
            g0, g1, g2, g3 = C[g, j, r] - x0, C[g, j + 1, r] - x1, C[g, j + 2, r] - x2, C[g, j + 3, r] - x3
            held[r] = (((held[r] + g0 * g0) + g1 * g1) + g2 * g2) + g3 * g3
        j += 4
    while j < d:
        x = point[j]
        for r in range(LANES):
            gap = C[g, j, r] - x
            held[r] += gap * gap
        j += 1


@inner
def first_there(C: Any, but: int) -> int:
    """The first row or cluster that is not struck out, and not one of them."""
    p = 0
    while p == but or not C[p // LANES, 0, p % LANES] < np.inf:
        p += 1
    return p


@inner
def close_up(C: Any, left: int, places: Any) -> int:
    """Move what is not struck out together; how many they are, and where each came to."""
    kept = 0
    for p in range(left):
        places[p] = kept
        if C[p // LANES, 0, p % LANES] < np.inf:
            for j in range(C.shape[1]):
                C[kept // LANES, j, kept % LANES] = C[p // LANES, j, p % LANES]
            kept += 1
    for p in range(kept, left):
        C[p // LANES, 0, p % LANES] = np.inf
    return kept
