"""Some rows of any table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import _num_samples

from suffice.core.block import Array
from suffice.estimators.boundary.plain_arrays import as_numpy
from suffice.sources.tables.table import open_table


def take_rows(X: Any, rows: Array) -> Any:
    """Rows of an array, a sparse matrix, a list, a data frame, or a mapping of columns."""
    if isinstance(X, Mapping) and not hasattr(X, "tocsr"):
        return {name: _safe_indexing(column, rows) for name, column in X.items()}
    return _safe_indexing(X, rows)


def indexable_rows(X: Any) -> Any:
    """X itself, or in a form whose rows can be taken: sparse matrices by row, other strangers as arrays."""
    if hasattr(X, "tocsr"):
        return X.tocsr()
    X = as_numpy(X)
    if not hasattr(X, "__array__") and not hasattr(X, "__len__"):
        open_table(X)  # refuses a lazy table
    return X if hasattr(X, "__getitem__") or hasattr(X, "iloc") else np.asarray(X)


def count_rows(X: Any) -> int:
    """How many rows there are."""
    if isinstance(X, Mapping) and not hasattr(X, "tocsr"):
        return max((_num_samples(column) for column in X.values()), default=0)
    return int(_num_samples(X))
