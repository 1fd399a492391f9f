"""Arrays as they are: those of other libraries become NumPy's, plain floats are let in without scikit-learn's checks.

On small tables those checks are most of a prediction: 60 of 90 microseconds for a row of four columns.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from suffice.numerics.arrays import all_finite, unmasked

FLOAT = np.dtype(np.float64)
KNOWN = frozenset({"dtype", "order", "ensure_all_finite", "ensure_min_samples", "accept_sparse", "accept_large_sparse"})
ALIKE = (np.float64, "numeric", None, "float64", FLOAT)  # rules for the type that leave float64 as it is


def as_numpy(X: Any) -> Any:
    """An array of another library as NumPy's: we compute with NumPy, wherever scikit-learn may be told to dispatch.

    Masked cells are missing ones, and a record batch of Arrow, whose columns `X[i]` are, becomes a table.
    """
    if isinstance(X, np.ma.MaskedArray):
        return unmasked(X)
    if type(X).__name__ == "RecordBatch" and type(X).__module__.startswith("pyarrow"):
        import pyarrow as pa

        return pa.Table.from_batches([X])
    return np.asarray(X) if hasattr(X, "__array_namespace__") and not isinstance(X, np.ndarray) else X


def is_mapping(X: Any) -> bool:
    """Whether X is a mapping of columns; some sparse matrices are mappings too."""
    return isinstance(X, Mapping) and not hasattr(X, "tocsr")


def of_texts(X: Any) -> bool:
    """Whether X is an array of texts, or lists of rows with some: they may be numbers, written out."""
    if isinstance(X, np.ndarray):
        return X.dtype.kind in "US"
    if not isinstance(X, (list, tuple)):
        return False
    return any(isinstance(cell, (str, bytes)) for row in X if isinstance(row, (list, tuple)) for cell in row)


def texts_as_numbers(X: Any) -> Any:
    """Numbers written out as texts, read; all else as it is. Texts that are none raise NumPy's error."""
    return np.asarray(X, dtype=np.float64) if of_texts(X) else X


def without_sparse_columns(X: Any, rules: Mapping[str, Any]) -> Any:
    """A table of pandas with its sparse columns filled in; where all are and sparse rows are taken, it is as it was.

    scikit-learn warns of some such columns, and calls a table of nothing else a sparse matrix.
    """
    if not type(X).__module__.startswith("pandas") or not hasattr(X, "dtypes") or getattr(X, "ndim", 0) != 2:
        return X
    filled = {name: dtype.subtype for name, dtype in X.dtypes.items() if type(dtype).__name__ == "SparseDtype"}
    taken = rules.get("accept_sparse", False) and len(filled) == X.shape[1]
    return X.astype(filled) if filled and not taken and X.columns.is_unique else X


def let_in(estimator: Any, X: Any, rules: Mapping[str, Any], first: bool) -> bool:
    """Whether X passes the rules just as it is; if so the estimator knows its number of columns, as after the checks.

    False says nothing: the checks decide, and find the words.
    """
    if type(X) is not np.ndarray or X.dtype != FLOAT or X.ndim != 2 or not X.size:
        return False
    known = vars(estimator)
    if "feature_names_in_" in known or (not first and known.get("n_features_in_") != X.shape[1]):
        return False
    if not (rules.keys() <= KNOWN and _as_it_is(X, rules)):
        return False
    if first:
        estimator.n_features_in_ = X.shape[1]
    return True


def _as_it_is(X: Any, rules: Mapping[str, Any]) -> bool:
    kind, order, finite = rules.get("dtype"), rules.get("order"), rules.get("ensure_all_finite", True)
    if kind is not None and not any(each in ALIKE for each in (kind if isinstance(kind, (list, tuple)) else (kind,))):
        return False
    if (order is not None and not X.flags[f"{order}_CONTIGUOUS"]) or len(X) < rules.get("ensure_min_samples", 1):
        return False
    return finite is False or all_finite(X)
