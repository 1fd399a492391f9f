"""Rows of numbers of which some may be missing, as tables."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.errors import Said, bad
from suffice.sources.tables.grid import as_array
from suffice.sources.tables.numbers import FiniteNumbers, Numbers, refuse_infinite
from suffice.sources.tables.table import Table, open_table


def open_with_gaps(owner: str, X: Any) -> Table:
    """An array, a sparse matrix or a table of numbers, of which some may be missing; none is infinite."""
    if isinstance(X, Numbers):
        return X
    if hasattr(X, "tocsr"):
        rows = X.tocsr()
        refuse_infinite(owner, rows)
        return Numbers(rows, None, owner)
    if not isinstance(X, (np.ndarray, list, tuple)):
        return FiniteNumbers(open_table(X), owner, allow_nan=True)
    rows = as_array(np.asarray(X))
    try:
        cells = rows if rows.dtype in (np.float32, np.float64) else rows.astype(np.float64)
    except (TypeError, ValueError):
        raise bad(owner, "X", "rows of numbers", Said(str(rows.dtype)), "Encode symbols first.") from None
    refuse_infinite(owner, cells, allow_nan=True)
    return Numbers(cells, None, owner)
