"""The triangle of a matrix of products in float64, and how far its correlations are from depending on one another.

Cholesky's method costs a tenth of all eigenvalues, and what it leaves is the triangle that least squares needs anyway.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.linalg.lapack import dpocon, dpotrf

from suffice.core.block import Array
from suffice.numerics.arrays import every

DOUBT = 10.0  # times that an estimated condition number may be too small


class CorrelationRoot(NamedTuple):
    """T'T = S, and a condition number of the correlations of S that is not too small."""

    T: Array  # (m, m) upper triangle
    condition: float


def correlation_root(S: Array) -> CorrelationRoot | None:
    """The root of products (m, m), 0 where a column never varies; None where float64 can't tell one from the others.

    The condition number is that of the largest column sums, which that of eigenvalues is not above.

    >>> root = correlation_root(np.array([[4.0, 2.0], [2.0, 5.0]]))
    >>> root.T, root.condition < 100
    (array([[2., 1.],
           [0., 2.]]), True)
    """
    length = np.sqrt(S.diagonal())
    if not every(length):
        return _of_some(S, length > 0.0)
    if not len(S):
        return None
    C = S / (length[:, None] * length)
    T, info = dpotrf(C)  # the upper half of C, as its lower half may differ by rounding
    if info:
        return None
    reciprocal, info = dpocon(T, float(np.maximum.reduce(np.add.reduce(np.abs(C)))))
    if info or not reciprocal > 0.0:
        return None
    return CorrelationRoot(T * length, DOUBT / float(reciprocal))


def _of_some(S: Array, live: Array) -> CorrelationRoot | None:
    """The same where some columns never vary."""
    places = np.ix_(live, live)
    some = correlation_root(S[places]) if live.any() else None
    if some is None:
        return None
    T = np.zeros(S.shape)
    T[places] = some.T
    return CorrelationRoot(T, some.condition)
