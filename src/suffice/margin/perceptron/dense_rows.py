"""The rows of a block of numbers, as an array."""

from __future__ import annotations

import numpy as np

from suffice.core.block import Array, Block


def dense_rows(block: Block) -> Array:
    """Sparse rows with all their zeros."""
    (rows,) = block.parts
    return np.asarray(rows.toarray() if hasattr(rows, "toarray") else rows)
