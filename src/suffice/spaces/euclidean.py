"""Squared Euclidean distances by matrix product, mended where that product loses its digits.

norm(x - z)^2 = norm(x)^2 + norm(z)^2 - 2 x.z

Both tables are centred first, so that an offset they share costs nothing. Where the three terms still cancel (rows
that nearly coincide, clusters far from the centre) the distance is taken from the differences themselves: it is never
negative, 0 for equal rows, and right to about 1e-12 of itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from suffice.core.block import Array

CUT = 2.0**-10  # share of norm(x)^2 + norm(z)^2 below which the product has lost more than ten bits
CELLS = 1 << 16  # of the result worked on at a time: half a megabyte stays in the second-level cache


class Centred(NamedTuple):
    """Rows about a centre, with their squared lengths: what many distances to the same rows share."""

    centre: Array  # (d,)
    rows: Array  # (m, d)
    squares: Array  # (m,)
    given: Array  # (m, d) the rows as they were: centring rounds

    @classmethod
    def of(cls, Z: Array, centre: Array | None = None) -> Centred:
        """The rows about their mean, or about a centre."""
        Z = np.asarray(Z, dtype=np.float64)
        with np.errstate(over="ignore", invalid="ignore"):
            middle = _middle(Z) if centre is None else centre
            rows = Z - middle
            return cls(middle, rows, np.einsum("ij,ij->i", rows, rows), Z)


def squared_distances(X: Array, Z: Array | None = None) -> Array:
    """norm(x - z)^2 of each row of X and each of Z (n, m); without Z, of X and itself: exactly symmetric.

    >>> squared_distances(np.array([[1e8, 0.0], [1e8 + 3.0, 4.0]]))
    array([[ 0., 25.],
           [25.,  0.]])
    """
    near = Centred.of(X if Z is None else Z)
    return distances_to(near, near if Z is None else Centred.of(X, near.centre))


def distances_to(near: Centred, X: Centred, finish: Callable[[Array], object] | None = None) -> Array:
    """Squared distances (n, m) of rows about the same centre; `finish` changes each stretch of them in place."""
    with np.errstate(over="ignore", invalid="ignore"):
        found = X.rows @ near.rows.T  # of a table and itself: one triangle is computed, the other is its copy
        step = max(1, CELLS // max(1, len(near.rows)))
        for start in range(0, len(found), step):
            _from_products(found[start : start + step], X.given[start:], X.squares[start : start + step], near)
            if finish is not None:
                finish(found[start : start + step])
    return found


def _from_products(block: Array, X: Array, squares: Array, near: Centred) -> None:
    """Products become squared distances in place."""
    total = np.add.outer(squares, near.squares)  # first the squares, so that the order of the two rows is the same
    block *= -2.0
    block += total
    total *= CUT
    lost = block <= total  # False for what is not a number:
    np.logical_or(lost, ~np.isfinite(total), out=lost)  # squares beyond the range of floats
    if lost.any():
        i, j = np.nonzero(lost)
        step = max(1, CELLS // max(1, near.rows.shape[1]))
        for start in range(0, len(i), step):
            at = i[start : start + step], j[start : start + step]
            apart = X[at[0]] - near.given[at[1]]
            block[at] = np.einsum("ij,ij->i", apart, apart)


def _middle(Z: Array) -> Array:
    """The mean, by way of a first row: the sum of many large numbers would round more than their differences."""
    if not len(Z):
        return np.zeros(Z.shape[1])
    return np.asarray(Z[0] + (Z - Z[0]).mean(axis=0))
