"""Products of columns about a centre near each component's mean, in tiles: the loop behind `FullMoments`.

The centre is the mean of a component's first rows. Rows gather in a buffer for each component, less its centre and with
a column of ones beside them, so that weights and sums are products too; a full buffer is multiplied by itself.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.shares import Shares
from suffice.numerics.loop import CHUNK, loop
from suffice.numerics.tile_code import HIGH
from suffice.numerics.tiles import AHEAD, ROWS, add_square, ask_for_row, buffer, mirrored, width

TILED = 64 * CHUNK  # rows whose products are added as plain numbers
FOLD = 64  # buffers whose products are added before they are added to those of others: a sum of sums rounds less


class Products(NamedTuple):
    """Sums about a centre, per component; columns of X first, then those beside them."""

    centre: Array  # (K, m)
    rows: Array  # (K,) int64
    weight: Array  # (K,)
    first: Array  # (K, m)
    second: Array  # (K, m, m)


def tiled_products(X: Array, beside: Array, R: Shares) -> Products:
    """Sums of w (x - centre) and of w (x - centre)(x - centre)' over the rows; not finite where a cell is not."""
    m = X.shape[1] + beside.shape[1]
    X, beside = (np.ascontiguousarray(part, dtype=np.float64) for part in (X, beside))
    codes = np.ascontiguousarray(R.codes)
    w = None if R.plain else np.ascontiguousarray(R.share)
    centre, wide = first_centres(X, beside, codes, w, R.K), width(m + 1, HIGH)
    Z, (some, G) = buffer(R.K, ROWS, wide), buffer(2, R.K, wide, wide)
    A = Z if w is None else buffer(R.K, ROWS, wide)
    filled, rows = np.zeros((2, R.K), dtype=np.int64)
    _add_products(X, beside, codes, w, centre, filled, rows, Z, A, some, G)
    return Products(centre, rows, G[:, m, m], G[:, :m, m], mirrored(G[:, :m, :m]))


def first_centres(X: Array, beside: Array, codes: Array, w: Array | None, K: int) -> Array:
    """The mean of the first rows of each component (K, m); 0 where there is none."""
    centre = np.zeros((K, X.shape[1] + beside.shape[1]))
    _centres(X, beside, codes, w, centre, np.zeros(K, dtype=np.int64), ROWS)
    return centre


@loop
def _centres(X, beside, codes, w, centre, met, enough):  # type: ignore[no-untyped-def]
    """The mean of the first rows of each component, about the first of them, so that a constant is met exactly."""
    n, d = X.shape
    t = beside.shape[1]
    open_ = met.shape[0]
    start, total = np.zeros(centre.shape), np.zeros(centre.shape)
    for r in range(n):
        if open_ == 0:
            break
        for e in range(codes.shape[1]):
            k = codes[r, e]
            if k < 0 or met[k] == enough or (w is not None and w[r, e] == 0.0):
                continue
            if met[k] == 0:
                start[k, :d] = X[r]
                start[k, d:] = beside[r]
            for j in range(d):
                total[k, j] += X[r, j] - start[k, j]
            for j in range(t):
                total[k, d + j] += beside[r, j] - start[k, d + j]
            met[k] += 1
            open_ -= met[k] == enough
    for k in range(met.shape[0]):
        if met[k] > 0:
            centre[k] = start[k] + total[k] / met[k]


@loop
def _add_products(X, beside, codes, w, centre, filled, rows, Z, A, some, G):  # type: ignore[no-untyped-def]
    """Fill the buffers, and multiply each when it is full, or at the end."""
    n, d = X.shape
    t = beside.shape[1]
    for r in range(n):
        ask_for_row(X, r + AHEAD)
        for e in range(codes.shape[1]):
            k = codes[r, e]
            if k < 0 or (w is not None and w[r, e] == 0.0):
                continue
            b = filled[k]
            for j in range(d):
                Z[k, b, j] = X[r, j] - centre[k, j]
            for j in range(t):
                Z[k, b, d + j] = beside[r, j] - centre[k, d + j]
            Z[k, b, d + t] = 1.0
            if w is not None:
                for j in range(d + t + 1):
                    A[k, b, j] = w[r, e] * Z[k, b, j]
            filled[k] = b + 1
            if b + 1 == ROWS:
                add_square(A[k], Z[k], some[k], ROWS)
                filled[k] = 0
                rows[k] += ROWS
                if rows[k] % (FOLD * ROWS) == 0:
                    G[k] += some[k]
                    some[k] = 0.0
    for k in range(filled.shape[0]):
        if filled[k] > 0:
            add_square(A[k], Z[k], some[k], filled[k])
            rows[k] += filled[k]
        G[k] += some[k]
