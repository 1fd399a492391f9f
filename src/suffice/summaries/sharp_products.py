"""FullMoments by products that hardly round: numbers are cut into slices of few bits, which BLAS multiplies exactly.

A product of two slices of 21 bits has 42, and 2048 of them add up without rounding in the 53 bits of a float64. What is
left after two slices is multiplied as it is, which errs by about 2^-90 of the largest cells. Nine products in place of
one: for blocks whose columns nearly depend on one another, and for small ones.
Reference: K. Ozaki et al., Error-free transformations of matrix multiplication (2012).
"""

from __future__ import annotations

import numpy as np

from suffice.core.block import Array
from suffice.core.pairs import Pair, exact, two_sum
from suffice.core.shares import Shares
from suffice.core.tally import Tally
from suffice.summaries.full_moments import FullMoments

BITS = 21
ROWS = 2048  # 2 * BITS and the bits of this number are 53


def sharp_moments(X: Array, R: Shares, shift: Array) -> FullMoments:
    """The same as `FullMoments.of`, for cells that it has let pass."""
    total = FullMoments.empty(R.K, shift)
    for a in range(0, len(X), ROWS):
        x, some = np.asarray(X[a : a + ROWS], dtype=np.float64), R[a : a + ROWS]
        for k in np.unique(some.codes[some.live]):
            row, entry = np.nonzero((some.codes == k) & some.live)
            total = FullMoments.sum([total, _one(x[row], some.share[row, entry], shift).spread([k], R.K)])
    return total


def _one(x: Array, w: Array, shift: Array) -> FullMoments:
    """Rows of one component: multiplied about their mean, as bits far from the mean would be lost, then moved."""
    centre = shift + w @ (x - shift) / w.sum()
    tally = Tally.of(Shares.hard(np.zeros(len(w), dtype=np.int32), 1, w))
    sums = _products(two_sum(x, -centre), w)
    first, second = (Pair(*(half[None][at] for half in sums)) for at in (np.s_[:, 0, 1:], np.s_[:, 1:, 1:]))
    return FullMoments(centre, tally.rows, tally.weight, first, second).about(shift)


def _products(z: Pair, w: Array) -> Pair:
    """Sum of w (1, z)(1, z)' over rows (m + 1, m + 1)."""
    one = np.ones((len(w), 1))
    z = Pair(np.hstack([one, z.high]), np.hstack([np.zeros_like(one), z.low]))
    right = _slices(z)
    left = right if (w == 1.0).all() else _slices(z * exact(w[:, None]))
    m = z.high.shape[1]
    blocks = (left.T @ right).reshape(3, m, 3, m).transpose(0, 2, 1, 3).reshape(9, m, m)
    return Pair(blocks, np.zeros_like(blocks)).sum(0)


def _slices(z: Pair) -> Array:
    """Two slices of each column and what is left of it, side by side (n, 3 m)."""
    _, exponent = np.frexp(np.abs(z.high).max(axis=0))
    unit = np.ldexp(1.0, exponent - BITS)
    first = np.rint(z.high / unit) * unit
    rest = (z.high - first) + z.low
    unit = unit * 2.0**-BITS
    second = np.rint(rest / unit) * unit
    return np.hstack([first, second, rest - second])
