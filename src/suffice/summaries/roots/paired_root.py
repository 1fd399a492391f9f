"""The triangle T with T'T = S, by Cholesky's method in pairs: products that hardly round keep their digits."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy.linalg.blas import dtrsm

from suffice.core.block import Array
from suffice.core.double_double import Pair, exact
from suffice.summaries.sharp_products import ROWS, products, slices

NEAR = 2.0**-27  # what a root may miss by for its correction to be right to the last bit: condition numbers of 1e8
LEFT = 2.0**-80  # share of a column's square, below which what the columns before leave of it is rounding


def paired_root(S: Pair) -> Array | None:
    """Upper triangle (m, m) of a matrix of products (m, m); None where a column follows from those before it.

    A column of zeros has a row of zeros.

    >>> from suffice.core.double_double import exact
    >>> paired_root(exact(np.array([[4.0, 2.0], [2.0, 5.0]])))
    array([[2., 1.],
           [0., 2.]])
    """
    scale = np.ldexp(1.0, -(np.frexp(np.diagonal(S.high))[1] // 2))  # by powers of 2, exactly: no product is too small
    scale = np.where(np.diagonal(S.high) > 0, scale, 1.0)
    scaled = Pair(*(half * scale[:, None] * scale for half in S))
    T = _corrected(scaled)
    T = _by_columns(scaled) if T is None else T
    return None if T is None else T / scale


def _corrected(S: Pair) -> Array | None:
    """The root in float64, and what it misses by put right; None where that is much, as columns nearly depend.

    T + U T with U the upper half of M = T'^-1 (S - T'T) T^-1, half of its diagonal, misses by the square of M.
    """
    squares = np.diagonal(S.high)
    live = squares > 0
    if (squares < 0).any() or not 0 < live.sum() <= ROWS:
        return None
    if not live.all():
        T, some = np.zeros(S.high.shape), _corrected(Pair(*(half[np.ix_(live, live)] for half in S)))
        if some is not None:
            T[np.ix_(live, live)] = some
        return None if some is None else T
    try:
        T = np.linalg.cholesky(S.high).T
    except np.linalg.LinAlgError:
        return None
    cut = slices(exact(T))
    found = products(cut, cut)
    gap = (S.high - found.high) + (S.low - found.low)  # the first are nearly equal: what is left of them is short
    M = dtrsm(1.0, T, dtrsm(1.0, T, gap, trans_a=1), side=1)
    if not np.abs(M).max() < NEAR:
        return None
    return np.asarray(T + (M * _upper(len(M))) @ T)


@lru_cache(maxsize=16)
def _upper(m: int) -> Array:
    """What is taken of each entry (m, m): all above the diagonal, half on it, nothing below."""
    return np.triu(np.ones((m, m)), 1) + np.diag(np.full(m, 0.5))


def _by_columns(S: Pair) -> Array | None:
    """Column by column, in pairs."""
    m, rest = len(S.high), Pair(*(half.copy() for half in S))
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
    return T
