"""Trees over columns of numbers: by NumPy where the table is small, by a loop where it is large."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.numerics.loop import pays
from suffice.numerics.threads import processors
from suffice.trees.growth.absolute_loop import grow_absolute
from suffice.trees.growth.bins import BinnedCells
from suffice.trees.growth.growing import Growth, grow
from suffice.trees.growth.growing_loop import can_loop, grow_by_loop
from suffice.trees.nodes import TreeNodes

NODES = 130  # what NumPy costs for a cell of a node, in cells of a pass: calls, not arithmetic


def grow_numbers(X: Array, target: Any, growth: Growth, most: int | None = None) -> TreeNodes:
    """The tree of rows of numbers (n, d), NaN where missing; `most` bins a column, None: one a distinct value."""
    return grow_binned(BinnedCells.of(X, np.zeros(X.shape[1], dtype=np.int64), most), target, growth)


def grow_binned(cells: BinnedCells, target: Any, growth: Growth, trees: int = 1) -> TreeNodes:
    """The tree of rows whose cells are coded; `trees` says how many trees are grown from the same table."""
    columns = cells.codes.shape[1] if growth.columns is None else growth.columns
    worth = NODES * len(cells.codes) * columns * trees
    if not (can_loop(cells, growth) and pays(worth)):
        return grow(cells, target, growth)
    if not target.adds:
        return grow_absolute(cells, target, growth)
    return grow_by_loop(cells, target, growth, processors() if trees == 1 else 1)
