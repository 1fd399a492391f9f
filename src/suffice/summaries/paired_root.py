"""The triangle T with T'T = S, by Cholesky's method in pairs: products that hardly round keep their digits."""

from __future__ import annotations

import numpy as np

from suffice.core.block import Array
from suffice.core.double_double import Pair

LEFT = 2.0**-80  # share of a column's square, below which what the columns before leave of it is rounding


def paired_root(S: Pair) -> Array | None:
    """Upper triangle (m, m) of a matrix of products (m, m); None where a column follows from those before it.

    A column of zeros has a row of zeros.

    >>> from suffice.core.double_double import exact
    >>> paired_root(exact(np.array([[4.0, 2.0], [2.0, 5.0]])))
    array([[2., 1.],
           [0., 2.]])
    """
    m = len(S.high)
    scale = np.ldexp(1.0, -(np.frexp(np.diagonal(S.high))[1] // 2))  # by powers of 2, exactly: no product is too small
    scale = np.where(np.diagonal(S.high) > 0, scale, 1.0)
    rest = Pair(*(half * scale[:, None] * scale for half in S))
    squares, T = np.diagonal(rest.high).copy(), np.zeros((m, m))
    for j in range(m):
        if squares[j] == 0.0:
            continue
        pivot = rest.high[j, j]
        if not pivot > LEFT * squares[j]:
            return None
        row = Pair(*(half[j, j:] for half in rest))
        T[j, j:] = row.value / np.sqrt(pivot)
        share = row / Pair(row.high[:1], row.low[:1])
        taken = Pair(share.high[:, None], share.low[:, None]) * Pair(row.high[None], row.low[None])
        for half, new in zip(rest, Pair(*(h[j:, j:] for h in rest)) - taken, strict=True):
            half[j:, j:] = new
    return T / scale
