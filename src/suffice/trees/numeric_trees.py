"""Trees over columns of numbers: by NumPy where the table is small, by a loop where it is large."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.trees.bins import BinnedCells
from suffice.trees.growing import Growth, grow
from suffice.trees.nodes import TreeNodes


def grow_numbers(X: Array, target: Any, growth: Growth, most: int | None = None) -> TreeNodes:
    """The tree of rows of numbers (n, d), NaN where missing; `most` bins a column, None: one a distinct value."""
    return grow(BinnedCells.of(X, np.zeros(X.shape[1], dtype=np.int64), most), target, growth)
