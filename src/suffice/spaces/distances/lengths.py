"""Minkowski lengths of differences of rows, for every p above 0, without overflow or loss by cancellation.

norm_p(x - y) = (sum_j abs(x_j - y_j)^p)^(1/p), the largest of them for p = infinity

For p = 2 by matrix products, mended where those lose digits (`euclidean`); else by SciPy's loops.
"""

from __future__ import annotations

from math import inf

import numpy as np

from suffice.core.block import Array
from suffice.spaces.euclidean import squared_distances

TINY = 2.0**-900  # powers below this, or above its inverse, may have left the range of floats


def minkowski_lengths(X: Array, Y: Array | None, p: float) -> Array:
    """norm_p(x - y) of each row of X and each of Y (n, m); without Y, of X and itself: exactly symmetric."""
    if p == 2.0:
        found = squared_distances(X, Y)
        np.sqrt(found, out=found)
    else:
        found = _by_loops(X, X if Y is None else Y, p)
    _mend(found, X, X if Y is None else Y, p)
    return found


def paired_lengths(X: Array, Y: Array, p: float) -> Array:
    """norm_p(x_i - y_i) of two tables of as many rows (n,)."""
    return lengths_of(_apart(X, Y), p)


def _by_loops(X: Array, Y: Array, p: float) -> Array:
    from scipy.spatial.distance import cdist

    if not X.shape[1]:
        return np.zeros((len(X), len(Y)))
    with np.errstate(over="ignore", under="ignore"):
        if p == 1.0:
            return np.asarray(cdist(X, Y, "cityblock"))
        return np.asarray(cdist(X, Y, "chebyshev") if p == inf else cdist(X, Y, "minkowski", p=p))


def _mend(found: Array, X: Array, Y: Array, p: float) -> None:
    """Lengths whose powers left the range of floats, taken again in units of the largest difference."""
    if p in (1.0, inf):
        return
    least = TINY ** (1.0 / max(p, 2.0))
    lost = ~((found > least) & (found < 1.0 / least))
    if lost.any():
        i, j = np.nonzero(lost)
        step = max(1, (1 << 20) // max(1, X.shape[1]))
        for start in range(0, len(i), step):
            at = i[start : start + step], j[start : start + step]
            found[at] = lengths_of(_apart(X[at[0]], Y[at[1]]), p)


def _apart(X: Array, Y: Array) -> Array:
    """Differences; of two infinite cells there is none, and their distance is no number."""
    with np.errstate(invalid="ignore"):
        return np.asarray(X - Y)


def lengths_of(apart: Array, p: float) -> Array:
    """Lengths (n,) of differences (n, d); those whose powers leave the range of floats, in units of the largest."""
    apart = np.abs(apart)
    if p == 1.0:
        return np.asarray(apart.sum(axis=1))
    if p == inf:
        return np.asarray(apart.max(axis=1, initial=0.0))
    if p != 2.0:
        return _in_units(apart, p)
    with np.errstate(over="ignore", under="ignore"):
        squares = np.einsum("ij,ij->i", apart, apart)
    found = np.sqrt(squares)
    lost = ~((squares > TINY) & (squares < 1.0 / TINY))
    if lost.any():
        found[lost] = _in_units(apart[lost], 2.0)
    return np.asarray(found)


def _in_units(apart: Array, p: float) -> Array:
    largest = apart.max(axis=1, initial=0.0)
    unit = np.where((largest > 0.0) & np.isfinite(largest), largest, 1.0)
    with np.errstate(under="ignore"):
        return np.asarray(unit * ((apart / unit[:, None]) ** p).sum(axis=1) ** (1.0 / p))
