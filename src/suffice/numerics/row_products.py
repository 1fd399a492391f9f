"""Products of rows with one another, X X', where rows are fewer than columns: in threads that end with the call.

Those of BLAS go on waiting for work when they are done, each library's own, and whoever calls the other next waits for
a processor: in steps of 16 ms, where the products of 200 rows of 5,000 columns take 5.
"""

from __future__ import annotations

import numpy as np

from suffice.numerics.arrays import Array
from suffice.numerics.blas_threads import one_thread_each, threads_of_ours
from suffice.numerics.threads import in_threads

WORTH = 20_000_000  # products from which another thread begins before the first could end
NARROW = (
    8  # times as many columns as rows that a piece has at least, as its sums are made and added: a tenth of its time
)
PIECES = 8  # at most, as each has its sums


def row_products(X: Array) -> Array:
    """The products (n, n) of rows (n, p), the same for any number of threads.

    >>> row_products(np.array([[1.0, 2.0], [0.0, 3.0]])).tolist()
    [[5.0, 6.0], [6.0, 9.0]]
    """
    n, p = X.shape
    pieces = _pieces(n, p)
    if pieces == 1:
        return np.asarray(X @ X.T)
    edges = np.linspace(0, p, pieces + 1).astype(int).tolist()
    threads = threads_of_ours()

    def some(piece: int, go_on: object) -> Array:
        here = X[:, edges[piece] : edges[piece + 1]]
        return np.asarray(here @ here.T)

    with one_thread_each():
        first, *others = in_threads(some, range(pieces), threads)
    for other in others:
        first += other
    return first


def _pieces(n: int, p: int) -> int:
    """A power of two, so that threads have as much to do each."""
    if n * n * p < 2 * WORTH or p < 2 * n:
        return 1
    most = min(max(p // (NARROW * max(n, 1)), 2), PIECES)
    return 1 << (most.bit_length() - 1)
