"""The nearest of some centres: squared Euclidean distances by matrix products, a few rows at a time.

norm(x - c)^2 = norm(x)^2 - 2 x.c + norm(c)^2        all about the mean of the centres, so that offsets cost no digits
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.numerics.loop import loop, pays

CELLS = 1 << 17  # of rows and of distances worked on at a time: a megabyte stays in the second-level cache


def row_chunks(X: Any, width: int) -> Iterator[tuple[slice, Array]]:
    """Dense rows of an array or a sparse matrix, as float64, a few at a time."""
    step = max(16, CELLS // max(1, width, int(X.shape[1])))
    for start in range(0, int(X.shape[0]), step):
        rows = slice(start, min(start + step, int(X.shape[0])))
        some = X[rows]
        yield rows, np.asarray(some.toarray() if hasattr(some, "toarray") else some, dtype=np.float64)


def nearest_centre(X: Any, centres: Array) -> Array:
    """The number of the nearest centre of each row (n,), the first of equals.

    >>> nearest_centre(np.array([[1e8], [1e8 + 3.0]]), np.array([[1e8 + 4.0], [1e8 + 1.0]]))
    array([1, 0], dtype=int32)
    """
    labels = np.empty(int(X.shape[0]), dtype=np.int32)
    middle = centres.mean(axis=0)
    about = centres - middle
    squares, twice = np.einsum("ij,ij->i", about, about), np.ascontiguousarray(-2.0 * about.T)
    if isinstance(X, np.ndarray) and X.dtype == np.float64 and pays(X.size * max(1, len(centres) // 8)):
        _nearest(X, middle, twice, squares, np.empty((4, len(centres))), labels)
        return labels
    for rows, some in row_chunks(X, len(centres)):
        products = (some - middle) @ twice
        products += squares
        labels[rows] = products.argmin(axis=1)
    return labels


def squared_to_own(X: Any, centres: Array, labels: Array) -> Array:
    """Squared distance of each row to its own centre (n,), from the differences themselves: no digits are lost."""
    found = np.empty(int(X.shape[0]))
    for rows, some in row_chunks(X, 1):
        apart = some - centres[labels[rows]]
        found[rows] = np.einsum("ij,ij->i", apart, apart)
    return found


def distances_to_centres(X: Any, centres: Array) -> Array:
    """Euclidean distances (n, K)."""
    from suffice.spaces.euclidean import Centred, distances_to

    near = Centred.of(centres)
    found = np.empty((int(X.shape[0]), len(centres)))
    for rows, some in row_chunks(X, len(centres)):
        found[rows] = distances_to(near, Centred.of(some, near.centre))
    return np.sqrt(found, out=found)


@loop
def _nearest(X: Array, middle: Array, twice: Array, squares: Array, far: Array, labels: Array) -> None:
    """Four rows at a time, all centres side by side; the twin is the matrix product above."""
    n, d = X.shape
    K = len(squares)
    a, b, c, e = far[0], far[1], far[2], far[3]
    for start in range(0, n, 4):
        i1, i2, i3 = min(start + 1, n - 1), min(start + 2, n - 1), min(start + 3, n - 1)
        for k in range(K):
            a[k] = b[k] = c[k] = e[k] = squares[k]
        for j in range(d):
            m = middle[j]
            x0, x1, x2, x3 = X[start, j] - m, X[i1, j] - m, X[i2, j] - m, X[i3, j] - m
            for k in range(K):
                t = twice[j, k]
                a[k] += x0 * t
                b[k] += x1 * t
                c[k] += x2 * t
                e[k] += x3 * t
        for r in range(min(4, n - start)):
            best = 0
            for k in range(1, K):
                if far[r, k] < far[r, best]:
                    best = k
            labels[start + r] = best
