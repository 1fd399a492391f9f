"""Squared distances of rows from means, in the units of their normals, in tiles: |W_k (x - m_k)|^2.

Some rows at a time are turned on their side, so that everything runs along them; a triangle W multiplies no zeros.
"""

from __future__ import annotations

import numpy as np

from suffice.core.block import Array
from suffice.core.loop import loop
from suffice.core.pairs import Pair
from suffice.core.tiles import HIGH, ROWS, WIDE, buffer, put_tile, width


def whitened_squares(X: Array, mean: Pair, W: Array, weights: Array) -> Array:
    """Sums over r of weights[r] (W_k (x - m_k))_r^2 for each component and row (K, n); no cell may be missing.

    Parameters
    ----------
    X : rows (n, d)
    mean : of the components (K, d)
    W : one matrix a component, or one for all (K or 1, d, d)
    weights : of the whitened columns (K or 1, d)
    """
    (K, d), c = mean.high.shape, len(W)
    high = width(d)
    turned = buffer(c, d, high)
    turned[:, :, :d] = W.transpose(0, 2, 1)
    lower = np.array([not np.triu(one, 1).any() for one in W])
    heavy, out = np.zeros((c, high)), np.empty((K, len(X)))
    heavy[:, :d] = weights
    rows, away, white = buffer(d, width(ROWS)), buffer(d, width(ROWS)), buffer(high, width(ROWS))
    X = np.ascontiguousarray(X, dtype=np.float64)
    _put_squares(X, mean.high, mean.low, turned, lower, heavy, rows, away, white, out)
    return out


@loop
def _put_squares(X, high, low, turned, lower, heavy, rows, away, white, out):  # type: ignore[no-untyped-def]
    """Rows by the dozen, component by component."""
    n, d = X.shape
    for start in range(0, n, ROWS):
        some = min(ROWS, n - start)
        for r in range(some):
            for j in range(d):
                rows[j, r] = X[start + r, j]
        for k in range(high.shape[0]):
            c = k % turned.shape[0]
            for j in range(d):
                for r in range(ROWS):
                    away[j, r] = (rows[j, r] - high[k, j]) - low[k, j]
            for i in range(0, turned.shape[2], HIGH):
                if i < d:
                    for j in range(0, ROWS, WIDE):
                        put_tile(turned[c], away, white, i, j, min(i + HIGH, d) if lower[c] else d)
            squares = away[0]
            for r in range(ROWS):
                squares[r] = 0.0
            for i in range(d):
                for r in range(ROWS):
                    squares[r] += heavy[c, i] * white[i, r] * white[i, r]
            for r in range(some):
                out[k, start + r] = squares[r]
