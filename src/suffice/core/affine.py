"""Maps of columns: what scalers and encoders do to rows, and `push` does to what is kept of them.

z = (x - centre) / scale,     z = (x - centre) A,     or     z = 1 if x is the category v, else 0

The law of every `push`: what is kept of mapped rows is what was kept of the rows, pushed. About its shift c a summary
holds x - c, and z - (c - centre) / scale is (x - c) / scale: a column far from 0 costs no digits.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.double_double import Pair, exact, times, two_sum
from suffice.core.sparse import is_sparse, with_cells


@dataclass(frozen=True)
class Affine:
    """One centre and one scale, never 0, a column.

    >>> Affine(("age",), np.array([40.0]), np.array([10.0])).rows(np.array([[45.0], [20.0]])).tolist()
    [[0.5], [-2.0]]
    """

    names: tuple[Any, ...]  # of the columns
    centre: Array  # (d,)
    scale: Array  # (d,)

    def rows(self, X: Array) -> Array:
        """Rows (n, d), mapped; sparse ones stay sparse, so that their columns may not be centred."""
        if is_sparse(X):
            cells: Any = X
            return with_cells(X, cells.data / self.scale[cells.indices])  # type: ignore[no-any-return]
        return np.asarray((X - self.centre) / self.scale)

    def back(self, Z: Array) -> Array:
        """Rows (n, d) as they were before."""
        if is_sparse(Z):
            cells: Any = Z
            return with_cells(Z, cells.data * self.scale[cells.indices])  # type: ignore[no-any-return]
        return np.asarray(Z * self.scale + self.centre)

    def shift(self, c: Array) -> Pair:
        """Where a shift goes (d,): the high half is the new shift, by the low one rows still lie beside it."""
        return two_sum(c, -self.centre) / exact(self.scale)

    def sums(self, S: Pair) -> Pair:
        """Sums of columns (..., d), of rows about a point, mapped."""
        return S / exact(self.scale)

    def products(self, Q: Pair) -> Pair:
        """Products of pairs of columns (..., d, d), of rows about a point, mapped."""
        return Q / exact(self.scale) / exact(self.scale[:, None])

    def squares(self, most: Array) -> Array:
        """What squares of columns (..., d) may be at most, of rows about a point, once these are mapped."""
        return np.asarray(most / self.scale**2)

    def triangles(self, T: Array) -> Array:
        """Triangles (K, d + 1, d + 1), whose first column is that of ones, of rows about a point, mapped."""
        T = T.copy()
        T[:, :, 1:] /= self.scale
        return T

    def at(self, names: tuple[Any, ...]) -> Affine:
        """The map of some columns, in their order; those it does not know stay as they are."""
        place = {name: j for j, name in enumerate(self.names)}
        known = [place.get(name, -1) for name in names]
        centre, scale = np.append(self.centre, 0.0)[known], np.append(self.scale, 1.0)[known]
        return Affine(names, centre, scale)

    def beside(self, more: int) -> Affine:
        """The same, with so many columns beside that stay as they are."""
        names = (*self.names, *(None for _ in range(more)))
        return Affine(names, np.append(self.centre, np.zeros(more)), np.append(self.scale, np.ones(more)))


@dataclass(frozen=True)
class Linear:
    """Any linear map: each new column is a sum of the old ones, each with a factor.

    >>> Linear(("x", "y"), ("sum",), np.array([1.0, 0.0]), np.ones((2, 1))).rows(np.array([[4.0, 2.0]])).tolist()
    [[5.0]]
    """

    names: tuple[Any, ...]  # of the columns
    out: tuple[Any, ...]  # of the new columns
    centre: Array  # (d,)
    matrix: Array  # (d, m)
    low: Array | float = 0.0  # (d,) what the centre is more than a float can tell

    def rows(self, X: Array) -> Array:
        """Rows (n, d), mapped (n, m)."""
        return np.asarray(((X - self.centre) - self.low) @ self.matrix)

    def over(self, names: tuple[Any, ...]) -> Linear:
        """The same map of columns that have names."""
        return replace(self, names=names)

    def shift(self, c: Array) -> Pair:
        """Where a shift goes (m,): the high half is the new shift, by the low one rows still lie beside it."""
        return times(two_sum(c, -self.centre) - exact(self.low), self.matrix)

    def sums(self, S: Pair) -> Pair:
        """Sums of columns (..., d), of rows about a point, mapped (..., m)."""
        return times(S, self.matrix)

    def products(self, Q: Pair) -> Pair:
        """Products of pairs of columns (..., d, d), of rows about a point, mapped (..., m, m)."""
        half = times(Q, self.matrix)
        return times(Pair(*(part.swapaxes(-1, -2) for part in half)), self.matrix)

    def squares(self, most: Array) -> Array:
        """What squares of columns (..., d) may be at most, of rows about a point, once these are mapped (..., m)."""
        return np.asarray((np.sqrt(most) @ np.abs(self.matrix)) ** 2)

    def triangles(self, T: Array) -> Array:
        """Triangles (K, d + 1, d + 1), whose first column is that of ones, mapped (K, d + 1, m + 1): not triangular."""
        return np.concatenate([T[:, :, :1], T[:, :, 1:] @ self.matrix], axis=2)

    def beside(self, more: int) -> Linear:
        """The same, with so many columns beside that stay as they are."""
        d, m = self.matrix.shape
        matrix = np.zeros((d + more, m + more))
        matrix[:d, :m], matrix[d:, m:] = self.matrix, np.eye(more)
        beside = tuple(None for _ in range(more))
        low = np.append(np.broadcast_to(self.low, d), np.zeros(more))
        return Linear((*self.names, *beside), (*self.out, *beside), np.append(self.centre, np.zeros(more)), matrix, low)


@dataclass(frozen=True)
class Indicated:
    """Each new column is the indicator of one category of one column of symbols."""

    names: tuple[Any, ...]  # of the new columns
    columns: tuple[Any, ...]  # names of the columns of symbols
    at: tuple[tuple[int, Any], ...]  # place of the column, and category, of each new one
