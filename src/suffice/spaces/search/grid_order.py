"""An order of rows in which neighbours follow one another: by the cells of a grid over the first three columns.

Rows that are asked about in it meet the same leaves of a tree, and a tree of rows that lie in it is built in half the
time, as halving them reads memory in a row.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.numerics.loop import loop

DETAIL = 4.0  # cells of a grid to a standard deviation
SIDE = 64  # cells along a column
SEEN = 4096  # rows, evenly taken, that say how columns spread: only the speed depends on it


def neighbours_together(places: Array) -> Array:
    """The numbers of the rows, those of a cell one after the other in their old order.

    >>> neighbours_together(np.array([[9.0], [-9.0], [9.0], [-9.0]])).tolist()
    [1, 3, 0, 2]
    """
    some = places[:: max(1, len(places) // SEEN), :3]
    middle, spread = some.mean(axis=0), some.std(axis=0)
    varies = (spread > 0.0) & (spread < np.inf)
    columns = np.flatnonzero(varies)
    scale = np.where(varies, DETAIL / np.where(varies, spread, 1.0), 0.0)
    if sort_by_cell.pays(places.size):
        order, cell = np.empty(len(places), dtype=np.int64), np.empty(len(places), dtype=np.int32)
        sort_by_cell(places, columns, middle, scale, cell, np.zeros(SIDE ** len(columns) + 1, dtype=np.int64), order)
        return order
    return _sorted_by_cell(places, columns, middle, scale)


def _sorted_by_cell(places: Array, columns: Array, middle: Array, scale: Array) -> Array:
    """The twin."""
    cell = np.zeros(len(places), dtype=np.int64)
    for j in columns:
        at = (places[:, j] - middle[j]) * scale[j] + SIDE // 2
        cell = SIDE * cell + np.fmin(np.fmax(at, 0.0), SIDE - 1.0).astype(np.int64)
    return np.argsort(cell, kind="stable")


@loop
def sort_by_cell(places: Any, columns: Any, middle: Any, scale: Any, cell: Any, starts: Any, order: Any) -> None:
    """Count the rows of each cell, then put each where its cell has room."""
    for i in range(len(places)):
        here = 0
        for j in columns:
            at = (places[i, j] - middle[j]) * scale[j] + SIDE // 2
            at = at if at > 0.0 else 0.0  # so is what is no number
            here = SIDE * here + int(at if at < SIDE - 1.0 else SIDE - 1.0)
        cell[i] = here
        starts[here + 1] += 1
    for c in range(len(starts) - 1):
        starts[c + 1] += starts[c]
    for i in range(len(places)):
        here = cell[i]
        order[starts[here]] = i
        starts[here] += 1
