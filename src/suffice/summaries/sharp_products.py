"""FullMoments by products that hardly round: numbers are cut into slices of few bits, which BLAS multiplies exactly.

A product of two slices of 21 bits has 42, and 1024 of them add up without rounding in the 53 bits of a float64. What is
left after two slices is multiplied as it is, which errs by about 2^-90 of the largest cells. Nine products in place of
one: for blocks whose columns nearly depend on one another, and for small ones. In large tables a loop does the same for
the price of three (`sharp_tiles`).
Reference: K. Ozaki et al., Error-free transformations of matrix multiplication (2012).
"""

from __future__ import annotations

import numpy as np

from suffice.core.block import Array
from suffice.core.double_double import Pair, exact, two_sum
from suffice.core.shares import Shares
from suffice.core.tally import Tally
from suffice.numerics.tiles import tiles_pay
from suffice.summaries.full_moments import FullMoments, moved
from suffice.summaries.sharp_tiles import Guide, sharp_products

BITS = 21
LEAST = -900  # exponents that are smaller have no inverse; squares of such numbers are 0
ROWS = 1024  # 2 * BITS and the bits of this number are below 53; the slices of some 50 columns stay in the cache


def sharp_moments(X: Array, R: Shares, shift: Array, beside: Array | None = None) -> FullMoments:
    """The same as `FullMoments.of`, for cells that it has let pass."""
    return sharpened(X, R, FullMoments.of(X, R, shift, beside), beside)


def sharpened(X: Array, R: Shares, plain: FullMoments, beside: Array | None = None) -> FullMoments:
    """The same from plain moments of these rows, and perhaps of others."""
    beside = np.empty((len(X), 0)) if beside is None else beside
    if tiles_pay(X.size, len(plain.shift)):
        return _tiled(X, beside, R, plain)
    total = FullMoments.empty(R.K, plain.shift)
    for a in range(0, len(X), ROWS):
        x, some = np.hstack([X[a : a + ROWS], beside[a : a + ROWS]]).astype(np.float64), R[a : a + ROWS]
        for k in np.unique(some.codes[some.live]):
            row, entry = np.nonzero((some.codes == k) & some.live)
            total = FullMoments.sum([total, _one(x[row], some.share[row, entry], plain.shift).spread([k], R.K)])
    return total


def _tiled(X: Array, beside: Array, R: Shares, plain: FullMoments) -> FullMoments:
    """By a loop."""
    guide = Guide(plain.mean.high, plain.weight.high, np.diagonal(plain.scatter.value, axis1=1, axis2=2))
    tally = Tally.of(R)
    centre, first, second = sharp_products(X, beside, R, guide)
    sums = moved(tally.weight, first, second, two_sum(centre, -plain.shift))
    return FullMoments(plain.shift, tally.rows, tally.weight, *sums, sharp=True)


def _one(x: Array, w: Array, shift: Array) -> FullMoments:
    """Rows of one component: multiplied about their mean, as bits far from the mean would be lost, then moved."""
    centre = shift + w @ (x - shift) / w.sum()
    tally = Tally.of(Shares.hard(np.zeros(len(w), dtype=np.int32), 1, w))
    z = two_sum(x, -centre)
    right = _slices(z)
    left = right if (w == 1.0).all() else _slices(z * exact(w[:, None]))
    m = len(centre)
    first = exact((np.ones(len(w)) @ left).reshape(3, m)).sum(0)
    second = exact((left.T @ right).reshape(3, m, 3, m).transpose(0, 2, 1, 3).reshape(9, m, m)).sum(0)
    sums = (Pair(pair.high[None], pair.low[None]) for pair in (first, second))
    return FullMoments(centre, tally.rows, tally.weight, *sums, sharp=True).about(shift)


def _slices(z: Pair) -> Array:
    """Two slices of each column and what is left of it, side by side (n, 3 m)."""
    n, m = z.high.shape
    out = np.empty((n, 3 * m))
    first, second, rest = out[:, :m], out[:, m : 2 * m], out[:, 2 * m :]
    _, exponent = np.frexp(np.abs(z.high).max(axis=0))
    exponent = np.maximum(exponent, LEAST)
    for piece, whole, bits in ((first, z.high, BITS), (second, rest, 2 * BITS)):
        np.multiply(whole, np.ldexp(1.0, bits - exponent), out=piece)
        np.rint(piece, out=piece)
        piece *= np.ldexp(1.0, exponent - bits)
        np.subtract(whole, piece, out=rest)
    rest += z.low  # last, where it is not rounded off
    return out
