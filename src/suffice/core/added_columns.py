"""Columns to which others are added: how what is kept of rows with 0 in place of a missing cell tells of other values.

z_j = x_j + m_j x_i     for some columns j, each with another column i that no such sum changes
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.core.block import Array
from suffice.core.double_double import Pair, exact


@dataclass(frozen=True)
class AddedColumns:
    """Some columns with a multiple of another one added to each; the rest stay as they are.

    >>> AddedColumns(np.array([0]), np.array([1]), np.array([7.0])).sums(exact(np.array([[3.0, 2.0]]))).value.tolist()
    [[17.0, 2.0]]
    """

    to: Array  # (g,) places of the columns that change
    of: Array  # (g,) places of those that are added, none of which changes
    factor: Array  # (g,)

    def shift(self, c: Array) -> Pair:
        """Where a shift goes (d,): the high half is the new shift, by the low one rows still lie beside it."""
        return self.sums(exact(c))

    def sums(self, S: Pair) -> Pair:
        """Sums of columns (..., d), of rows about a point, mapped."""
        added = Pair(*(half[..., self.of] for half in S)) * exact(self.factor)
        new = Pair(*(half[..., self.to] for half in S)) + added
        out = Pair(*(half.copy() for half in S))
        for half, part in zip(out, new, strict=True):
            half[..., self.to] = part
        return out

    def products(self, Q: Pair) -> Pair:
        """Products of pairs of columns (..., d, d), of rows about a point, mapped."""
        half = self.sums(Q)
        return self.sums(Pair(*(part.swapaxes(-1, -2) for part in half)))

    def squares(self, most: Array) -> Array:
        """What squares of columns (..., d) may be at most, of rows about a point, once these are mapped."""
        out = np.array(most)
        out[..., self.to] = (np.sqrt(most[..., self.to]) + np.abs(self.factor) * np.sqrt(most[..., self.of])) ** 2
        return out

    def triangles(self, T: Array) -> Array:
        """Triangles (K, d + 1, d + 1), whose first column is that of ones, mapped: not triangular."""
        out = T.copy()
        out[:, :, self.to + 1] += self.factor * T[:, :, self.of + 1]
        return out
