"""The nearest of some centres: squared Euclidean distances by matrix products, a few rows at a time.

norm(x - c)^2 = norm(x)^2 - 2 x.c + norm(c)^2        all about the mean of the centres, so that offsets cost no digits

Large tables are multiplied in tiles, 64 rows in a buffer; the products are compared while they are in the cache.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.numerics.least_products import BROAD, least_products, turn_rows
from suffice.numerics.loop import inner, loop
from suffice.numerics.tile_code import HIGH
from suffice.numerics.tiles import ROWS, WIDEST, buffer, tiles_pay, width

CELLS = 1 << 17  # of rows and of distances worked on at a time: a megabyte stays in the second-level cache


def row_chunks(X: Any, width: int) -> Iterator[tuple[slice, Array]]:
    """Dense rows of an array or a sparse matrix, as float64, a few at a time."""
    step = max(16, CELLS // max(1, width, int(X.shape[1])))
    for start in range(0, int(X.shape[0]), step):
        rows = slice(start, min(start + step, int(X.shape[0])))
        some = X[rows]
        yield rows, np.asarray(some.toarray() if hasattr(some, "toarray") else some, dtype=np.float64)


class CentreProducts(NamedTuple):
    """Centres about their mean, as products with rows need them."""

    middle: Array  # (d,)
    twice: Array  # (d + 1, width of K), minus twice the centres and last their squares: a buffer; inf behind the last
    squares: Array  # (K,)

    @classmethod
    def of(cls, centres: Array, middle: Array | None = None) -> CentreProducts:
        """The centres as factors, about their mean or about some other point."""
        K, d = centres.shape
        middle = centres.mean(axis=0) if middle is None else middle
        about, twice = centres - middle, buffer(d + 1, width(K))
        squares = np.einsum("ij,ij->i", about, about)
        twice[:d, :K], twice[d, :K], twice[d, K:] = -2.0 * about.T, squares, np.inf
        return cls(middle, twice, squares)


def in_tiles(X: Any, K: int) -> bool:
    """Whether products of these rows with K centres are made by the loop."""
    return _fits_tiles(X) and tiles_pay(X.size * max(1, K // 8), int(X.shape[1]))


def _fits_tiles(X: Any) -> bool:
    return isinstance(X, np.ndarray) and X.dtype == np.float64 and X.shape[1] <= WIDEST


def tile_buffers(d: int, kind: Any = np.float64) -> tuple[Array, Array]:
    """Room for the rows of a buffer, and for what is least among their products."""
    return buffer(d, width(ROWS), kind=kind), buffer(4, width(ROWS), kind=kind)


def nearest_centre(X: Any, centres: Array) -> Array:
    """The number of the nearest centre of each row (n,), the first of equals.

    >>> nearest_centre(np.array([[1e8], [1e8 + 3.0]]), np.array([[1e8 + 4.0], [1e8 + 1.0]]))
    array([1, 0], dtype=int32)
    """
    labels = np.empty(int(X.shape[0]), dtype=np.int32)
    about = CentreProducts.of(centres)
    if in_tiles(X, len(centres)) or (_fits_tiles(X) and _nearest.pays(0)):
        _nearest(X, about.middle, about.twice, *tile_buffers(X.shape[1]), labels)
    else:
        _nearest.instead(_nearest_twin, X, about, labels)
    return labels


def _nearest_twin(X: Any, about: CentreProducts, labels: Array) -> None:
    """By matrix products, a few rows at a time: for sparse rows, for many columns, and for small tables."""
    K = len(about.squares)
    twice = np.ascontiguousarray(about.twice[:-1, :K])
    for rows, some in row_chunks(X, K):
        products = (some - about.middle) @ twice
        products += about.squares
        labels[rows] = products.argmin(axis=1)


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


@inner
def nearest_in_buffer(A: Array, B: Array, found: Array) -> None:
    """Of each row of a buffer (a column of B) the least product, the second least and the number of the least."""
    for r in range(ROWS):
        found[0, r] = found[1, r] = np.inf
        found[2, r] = 0.0
    for j in range(0, ROWS, BROAD):
        for i in range(0, A.shape[1], HIGH):
            least_products(A, B, found, i, j)


@loop
def _nearest(X: Array, middle: Array, A: Array, B: Array, found: Array, labels: Array) -> None:
    """Buffer after buffer."""
    n, rows = len(X), np.empty(ROWS, dtype=np.int64)
    for start in range(0, n, ROWS):
        m = min(ROWS, n - start)
        for r in range(m):
            rows[r] = start + r
        turn_rows(X, rows, m, middle, B)
        nearest_in_buffer(A, B, found)
        for r in range(m):
            labels[start + r] = int(found[2, r])
