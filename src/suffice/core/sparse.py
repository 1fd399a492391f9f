"""Sparse rows as blocks hold them: matrices by rows (CSR) of SciPy, each cell stored once at most. Imports no SciPy."""

from __future__ import annotations

from typing import Any

from suffice.core.block import Array


def is_sparse(X: Any) -> bool:
    """Whether rows are a sparse matrix of any format."""
    return hasattr(X, "tocsr")


def with_cells(X: Any, cells: Array) -> Any:
    """A matrix of its own with other numbers at the places where X has some, zeros among them.

    >>> from scipy.sparse import csr_array
    >>> with_cells(csr_array([[0.0, 2.0], [3.0, 0.0]]), [5.0, 7.0]).toarray().tolist()
    [[0.0, 5.0], [7.0, 0.0]]
    """
    return type(X)((cells, X.indices.copy(), X.indptr.copy()), shape=X.shape)
