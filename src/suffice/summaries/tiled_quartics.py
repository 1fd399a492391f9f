"""Products of columns and of their squares in tiles, about a centre near each component's mean.

Behind `QuarticMoments`: rows gather as those of `tiled_products` do, with their squares in a buffer beside them.
"""

from __future__ import annotations

import numpy as np

from suffice.core.block import Array
from suffice.core.shares import Shares
from suffice.numerics.loop import inner, loop
from suffice.numerics.tiles import AHEAD, ROWS, add_product, add_square, ask_for_row, buffer, mirrored, width
from suffice.summaries.tiled_products import FOLD, Products, first_centres


def tiled_quartics(X: Array, R: Shares) -> tuple[Products, Array, Array]:
    """Sums of w u and w u u', of w u^2 u' and of w u^2 u^2' with u = x - centre; not finite where a cell is not."""
    X, codes = np.ascontiguousarray(X, dtype=np.float64), np.ascontiguousarray(R.codes)
    w = None if R.plain else np.ascontiguousarray(R.share)
    (d, K), wide = (X.shape[1], R.K), width(X.shape[1] + 1)
    centre = first_centres(X, X[:, :0], codes, w, K)
    Z, S = buffer(2, K, ROWS, wide)
    A, B = (Z, S) if w is None else buffer(2, K, ROWS, wide)
    some, G = buffer(2, 3, K, wide, wide)
    filled, rows = np.zeros((2, K), dtype=np.int64)
    _add_quartics(X, codes, w, centre, filled, rows, Z, S, A, B, some, G)
    second, fourth = (mirrored(G[i, :, :d, :d]) for i in (0, 2))
    products = Products(centre, rows, G[0, :, d, d], G[0, :, :d, d], second)
    return products, G[1, :, :d, :d].copy(), fourth


@loop
def _add_quartics(X, codes, w, centre, filled, rows, Z, S, A, B, some, G):  # type: ignore[no-untyped-def]
    """Fill the buffers, and multiply each when it is full, or at the end."""
    n, d = X.shape
    for r in range(n):
        ask_for_row(X, r + AHEAD)
        for e in range(codes.shape[1]):
            k = codes[r, e]
            if k < 0 or (w is not None and w[r, e] == 0.0):
                continue
            b = filled[k]
            for j in range(d):
                u = X[r, j] - centre[k, j]
                Z[k, b, j] = u
                S[k, b, j] = u * u
            Z[k, b, d] = 1.0
            if w is not None:
                for j in range(d + 1):
                    A[k, b, j] = w[r, e] * Z[k, b, j]
                    B[k, b, j] = w[r, e] * S[k, b, j]
            filled[k] = b + 1
            if b + 1 == ROWS:
                _multiply(Z, S, A, B, some, k, ROWS)
                filled[k] = 0
                rows[k] += ROWS
                if rows[k] % (FOLD * ROWS) == 0:
                    G[:, k] += some[:, k]
                    some[:, k] = 0.0
    for k in range(filled.shape[0]):
        if filled[k] > 0:
            _multiply(Z, S, A, B, some, k, filled[k])
            rows[k] += filled[k]
        G[:, k] += some[:, k]


@inner
def _multiply(Z: Array, S: Array, A: Array, B: Array, some: Array, k: int, rows: int) -> None:
    """The three products of one buffer."""
    add_square(A[k], Z[k], some[0, k], rows)
    add_product(S[k], A[k], some[1, k], rows)
    add_square(B[k], S[k], some[2, k], rows)
