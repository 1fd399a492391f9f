"""Sparse rows that are multiplied by one table after another, as the alternating solvers do.

SciPy adds each stored cell's row of the table to a row in memory; here a row's sums stay in registers, sixteen columns
of the table at a time: less than half the time. Large tables go over threads, in runs of about as many stored cells.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from suffice.numerics.arrays import Array
from suffice.numerics.loop import instruction, loop
from suffice.numerics.threads import in_threads
from suffice.numerics.tile_code import TileCode

TOGETHER = 16  # columns of the table whose sums are held at once
SEVERAL_THREADS = 10_000_000  # products from which another thread begins before the first could end


class SparseProduct:
    """Rows (n, d), stored by rows, to be multiplied from the right.

    >>> from scipy.sparse import csr_array
    >>> (SparseProduct(csr_array([[0.0, 2.0], [3.0, 0.0]])) @ np.array([[1.0, 2.0], [5.0, 6.0]])).tolist()
    [[10.0, 12.0], [3.0, 6.0]]
    """

    def __init__(self, X: Any, threads: int = 1) -> None:
        """Take the cells as they are stored."""
        self._stored, self._threads = X, threads
        self._starts = X.indptr.astype(np.int64)
        self._cells, self._columns = np.ascontiguousarray(X.data, dtype=np.float64)[None], X.indices[None]
        self._table = self._sums = np.empty((0, 0))

    def __matmul__(self, V: Array) -> Array:
        """X V (n, k)."""
        n, (d, k) = len(self._starts) - 1, V.shape
        if not _times.pays(len(self._cells[0]) * k):
            return np.asarray(_times.instead(self._stored.__matmul__, V))
        wide = -(-k // TOGETHER) * TOGETHER
        if self._table.shape != (d, wide):  # new memory takes as long to come as the products do
            self._table, self._sums = np.zeros((d, wide)), np.empty((n, wide))
        self._table[:, :k] = V

        def run(rows: tuple[int, int], go_on: Any) -> None:
            _times(self._starts, self._cells, self._columns, self._table, self._sums, *rows)

        runs = self._runs(self._threads if self._cells.size * wide >= SEVERAL_THREADS else 1)
        in_threads(run, runs, len(runs))
        return self._sums[:, :k].copy()

    def _runs(self, threads: int) -> list[tuple[int, int]]:
        """Rows with about as many stored cells a thread."""
        shares = np.linspace(0, self._starts[-1], threads + 1)[1:-1]
        edges = [0, *np.searchsorted(self._starts, shares).tolist(), len(self._starts) - 1]
        return list(pairwise(edges))


def put_sparse_row(cells: Array, columns: Array, V: Array, out: Array, i: int, j: int, start: int, count: int) -> None:
    """Row i of a product, TOGETHER columns from j: stored cells (1, m) and their columns from `start`, times V."""
    stored, here = slice(start, start + count), slice(j, j + TOGETHER)
    out[i, here] = cells[0, stored] @ V[columns[0, stored], here]


@instruction(put_sparse_row)
def _sparse_row(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return TileCode(context, builder, signature, arguments, wide=TOGETHER).pass_sparse_row()


@loop
def _times(starts, cells, columns, V, out, a, b):  # type: ignore[no-untyped-def]
    """The rows from a to b."""
    for i in range(a, b):
        count = starts[i + 1] - starts[i]
        if count == 0:
            out[i] = 0.0
            continue
        for j in range(0, V.shape[1], TOGETHER):
            put_sparse_row(cells, columns, V, out, i, j, starts[i], count)
