"""Lengths of rows, and rows divided by theirs, dense or sparse. No scikit-learn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.sparse import is_sparse, with_cells

Length = Callable[[Array, Callable[[Array], Array]], Array]  # cells between 0 and 1, and how those of a row add
NORMS: Mapping[str, Length | None] = {
    "l1": lambda cells, total: total(cells),
    "l2": lambda cells, total: np.sqrt(total(cells * cells)),
    "max": None,
}


def unit_rows(X: Any, norm: str) -> Any:
    """Rows (n, d) divided by their lengths; rows of zeros stay. Cells are divided by the largest of their row first.

    >>> unit_rows(np.array([[3.0, -4.0], [0.0, 0.0]]), "l2").tolist()
    [[0.6, -0.8], [0.0, 0.0]]
    """
    sparse = is_sparse(X)
    cells = np.asarray(X.data if sparse else X, dtype=np.float64)
    of: Any  # the row of each cell
    if sparse:
        of = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))
        largest = np.zeros(X.shape[0])
        np.maximum.at(largest, of, np.abs(cells))
    else:
        of, largest = (slice(None), None), np.abs(cells).max(axis=1, initial=0.0)
    cells = cells / np.where(largest > 0.0, largest, 1.0)[of]
    length = NORMS[norm]
    if length is not None:
        total = (lambda x: np.bincount(of, x, X.shape[0])) if sparse else (lambda x: x.sum(axis=1))
        long = length(np.abs(cells), total)
        cells = cells / np.where(long > 0.0, long, 1.0)[of]
    cells = cells.astype(X.dtype if X.dtype in (np.float32, np.float64) else np.float64, copy=False)
    return with_cells(X, cells) if sparse else cells
