"""Sparse rows filled in, and rows shown as they came. No scikit-learn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.numerics.memory import memory

SPARSE = "_sparse_rows"  # among the attributes of the estimator: whether it was learned from a sparse matrix


def filled(owner: str, X: Any) -> Array:
    """A sparse matrix as an array; one that would not leave room for anything else is refused before it is made."""
    n, d = X.shape
    need = 8 * n * d
    if need > memory() // 4:
        rule = f"such that {n:,} rows of {d:,} columns, filled in, take less than a quarter of the memory"
        remedy = "Use fewer columns (rare words tell little), or a model that takes sparse rows, such as Perceptron."
        raise bad(owner, "the sparse rows", rule, Said(f"{need:,} bytes"), remedy)
    return np.ascontiguousarray(X.toarray(), dtype=np.float64)


def narrow(X: Any, rules: Mapping[str, Any]) -> Any:
    """A sparse matrix with indices of 32 bits, where only such are taken and they hold the same numbers.

    SciPy's arrays have 64 bits whenever somebody's arithmetic had, however small the table is.
    """
    if rules.get("accept_large_sparse", True) or not hasattr(X, "tocsr"):
        return X
    from scipy.sparse import csr_array, csr_matrix, isspmatrix

    rows = X.tocsr()
    small = max(rows.nnz, *rows.shape) <= np.iinfo(np.int32).max
    if rows.indices.dtype == rows.indptr.dtype == np.int32 or not small:
        return X
    kind = csr_matrix if isspmatrix(X) else csr_array
    return kind((rows.data, rows.indices.astype(np.int32), rows.indptr.astype(np.int32)), shape=rows.shape)


def as_came(holder: Any, values: Array) -> Any:
    """Rows or coefficients, sparse where the rows to learn from were."""
    if not vars(holder).get(SPARSE, False):
        return values
    from scipy.sparse import csr_matrix

    return csr_matrix(values)
