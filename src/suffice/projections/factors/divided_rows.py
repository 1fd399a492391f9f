"""Sparse rows cut into runs, so that their products with a table go over threads, which SciPy's do not."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.numerics.threads import in_threads
from suffice.sources.engines.memory import processors

MANY = 50_000  # stored cells from which threads pay


class DividedRows:
    """Runs of rows with about as many stored cells each.

    >>> from scipy.sparse import csr_array
    >>> (DividedRows(csr_array([[0.0, 2.0], [3.0, 0.0]]), 2) @ np.eye(2)).tolist()
    [[0.0, 2.0], [3.0, 0.0]]
    """

    def __init__(self, X: Any, runs: int) -> None:
        """Cut X into at most so many runs."""
        shares = np.linspace(0, X.nnz, runs + 1)[1:-1]
        edges = [0, *np.searchsorted(X.indptr, shares).tolist(), X.shape[0]]
        self.runs = [(slice(a, b), X[a:b]) for a, b in pairwise(edges) if a < b]
        self.n = X.shape[0]

    def __matmul__(self, V: Array) -> Array:
        """X V (n, k)."""
        out = np.empty((self.n, V.shape[1]))

        def multiply(run: tuple[slice, Any], go_on: Any) -> None:
            out[run[0]] = run[1] @ V

        in_threads(multiply, self.runs, len(self.runs))
        return out


def both_ways(X: Any) -> tuple[Any, Any]:
    """X and its transpose, to be multiplied again and again: sparse ones of many cells by threads."""
    threads = processors()
    if not hasattr(X, "tocsr") or X.nnz < MANY or threads < 2:
        return X, X.T
    return DividedRows(X.tocsr(), threads), DividedRows(X.T.tocsr(), threads)
