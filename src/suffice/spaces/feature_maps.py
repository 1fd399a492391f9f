"""Feature maps written out: the spaces in which two polynomial kernels are inner products."""

from __future__ import annotations

from math import sqrt

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad


def quadratic_map(X: Array) -> Array:
    """(1, sqrt2 x1, sqrt2 x2, sqrt2 x1 x2, x1^2, x2^2) of rows of two numbers: its inner product is (u.v + 1)^2.

    >>> a, b = quadratic_map(np.array([[1.0, 2.0], [3.0, 1.0]]))
    >>> round(float(a @ b), 12)
    36.0
    """
    x1, x2 = _two("quadratic_map", X)
    r = sqrt(2.0)
    return np.column_stack([np.ones_like(x1), r * x1, r * x2, r * x1 * x2, x1 * x1, x2 * x2])


def monomial_map(X: Array) -> Array:
    """(x1^2, x2^2, sqrt2 x1 x2) of rows of two numbers: its inner product is (u.v)^2.

    >>> a, b = monomial_map(np.array([[1.0, 2.0], [3.0, 1.0]]))
    >>> round(float(a @ b), 12)
    25.0
    """
    x1, x2 = _two("monomial_map", X)
    return np.column_stack([x1 * x1, x2 * x2, sqrt(2.0) * x1 * x2])


def _two(owner: str, X: Array) -> tuple[Array, Array]:
    X = np.asarray(X, dtype=np.float64)
    if X.ndim != 2 or X.shape[1] != 2:
        raise bad(owner, "X", "rows of two numbers", Said(f"shape {X.shape}"), "Use PolynomialKernel for more columns.")
    return X[:, 0], X[:, 1]
