"""Squared distances of rows from means, in the units of their normals, in tiles: |W_k (x - m_k)|^2.

Some rows at a time are turned on their side, so that everything runs along them; a triangle W multiplies no zeros.
"""

from __future__ import annotations

import numpy as np

from suffice.core.block import Array
from suffice.core.double_double import Pair, exact
from suffice.numerics.loop import inner, loop
from suffice.numerics.tile_code import HIGH, WIDE
from suffice.numerics.tiles import ROWS, buffer, put_tile, width


class Whitened:
    """Matrices and buffers of K normals with means (K, d), for `squares_of`."""

    def __init__(self, mean: Pair, W: Array, weights: Array) -> None:
        """One matrix a component, or one for all (K or 1, d, d), and weights of the whitened columns (K or 1, d)."""
        d, c = mean.high.shape[1], len(W)
        high = width(d)
        self.turned, self.heavy = buffer(c, d, high), np.zeros((c, high))
        self.turned[:, :, :d], self.heavy[:, :d] = W.transpose(0, 2, 1), weights
        self.lower = np.array([not np.triu(one, 1).any() for one in W])
        self.high, self.low = mean.high, mean.low
        self.rows, self.away, self.white = (buffer(size, width(ROWS)) for size in (d, d, high))

    def loan(self) -> tuple[Array, ...]:
        """What `squares_of` is called with."""
        return self.high, self.low, self.turned, self.lower, self.heavy, self.rows, self.away, self.white


def whitened_squares(X: Array, mean: Pair, W: Array, weights: Array) -> Array:
    """Sums over r of weights[r] (W_k (x - m_k))_r^2 for each component and row (K, n); no cell may be missing.

    Parameters
    ----------
    X : rows (n, d)
    mean : of the components (K, d)
    W : one matrix a component, or one for all (K or 1, d, d)
    weights : of the whitened columns (K or 1, d)
    """
    K, out = len(mean.high), np.empty((len(mean.high), len(X)))
    X = np.ascontiguousarray(X, dtype=np.float64)
    _put_squares(X, *Whitened(mean, W, weights).loan(), buffer(K, ROWS), out)
    return out


def tied_logs(X: Array, centre: Array, W: Array, weights: Array, slopes: Array, levels: Array) -> Array:
    """levels_k + slopes_k . t - |W t|^2 / 2 with t = x - centre, for each component and row (K, n).

    Rows are whitened once for all components, by W (1, d, d), whose columns have weights (1, d).
    """
    (K, d), out = slopes.shape, np.empty((len(slopes), len(X)))
    one, lines = Whitened(exact(centre[None]), W, weights), buffer(d, -(-K // HIGH) * HIGH)
    lines[:, :K] = slopes.T
    X = np.ascontiguousarray(X, dtype=np.float64)
    _put_tied(X, *one.loan(), buffer(1, ROWS), lines, levels, buffer(lines.shape[1], width(ROWS)), out)
    return out


@loop
def _put_tied(  # type: ignore[no-untyped-def]
    X, high, low, turned, lower, heavy, rows, away, white, squares, lines, levels, linear, out
):
    """Rows by the dozen; what is away from the centre serves both terms."""
    n, d = X.shape
    for start in range(0, n, ROWS):
        here = min(ROWS, n - start)
        squares_of(X[start : start + here], high, low, turned, lower, heavy, rows, away, white, squares)
        for i in range(0, linear.shape[0], HIGH):
            for j in range(0, ROWS, WIDE):
                put_tile(lines, away, linear, i, j, d)
        for k in range(out.shape[0]):
            for r in range(here):
                out[k, start + r] = levels[k] + (linear[k, r] - 0.5 * squares[0, r])


@loop
def _put_squares(X, high, low, turned, lower, heavy, rows, away, white, some, out):  # type: ignore[no-untyped-def]
    """Rows by the dozen."""
    n = X.shape[0]
    for start in range(0, n, ROWS):
        here = min(ROWS, n - start)
        squares_of(X[start : start + here], high, low, turned, lower, heavy, rows, away, white, some)
        for k in range(out.shape[0]):
            for r in range(here):
                out[k, start + r] = some[k, r]


@inner
def squares_of(
    X: Array,
    high: Array,
    low: Array,
    turned: Array,
    lower: Array,
    heavy: Array,
    rows: Array,
    away: Array,
    white: Array,
    out: Array,
) -> None:
    """Squared distances of up to ROWS rows, component by component, into out (K, ROWS)."""
    n, d = X.shape
    for r in range(n):
        for j in range(d):
            rows[j, r] = X[r, j]
    for k in range(high.shape[0]):
        c = k % turned.shape[0]
        for j in range(d):
            for r in range(ROWS):
                away[j, r] = (rows[j, r] - high[k, j]) - low[k, j]
        for i in range(0, d, HIGH):
            for j in range(0, ROWS, WIDE):
                put_tile(turned[c], away, white, i, j, min(i + HIGH, d) if lower[c] else d)
        for r in range(ROWS):
            out[k, r] = 0.0
        for i in range(d):
            for r in range(ROWS):
                out[k, r] += heavy[c, i] * white[i, r] * white[i, r]
