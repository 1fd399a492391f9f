"""Rows side by side: one is compared with 64 at a time, column after column, from the differences themselves.

A product would be faster, and lose digits where rows are near. Arrays of three dimensions, indexed by plain loops, are
what compilers turn into vector instructions; slices of arrays, or `/`, which looks for 0, are not.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.numerics.arrays import Array
from suffice.numerics.loop import inner

LANES = 64  # rows of a group


def grouped(X: Array, fill: float = np.inf) -> Array:
    """Rows in groups (G, d, LANES); what is left of the last holds `fill`.

    >>> grouped(np.array([[1.0, 2.0]])).shape
    (1, 2, 64)
    """
    n, d = X.shape
    groups = -(-n // LANES)
    padded = np.full((groups * LANES, d), fill)
    padded[:n] = X
    return np.ascontiguousarray(padded.reshape(groups, LANES, d).transpose(0, 2, 1))


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
