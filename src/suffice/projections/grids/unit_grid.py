"""Grids of units: where each is, how far apart they are, and which are neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from suffice.core.block import Array
from suffice.core.registry import saved

NEAR = {"rectangular": 1.5, "hexagonal": 1.1}  # distance below which units touch: eight around one, or six


@saved
@dataclass(frozen=True)
class UnitGrid:
    """Units in rows and columns; in a hexagonal grid every other row is moved by half a unit.

    >>> UnitGrid(2, 2, "hexagonal").places.round(3).tolist()
    [[0.0, 0.0], [0.0, 1.0], [0.866, 0.5], [0.866, 1.5]]
    """

    rows: int
    columns: int
    topology: str = "rectangular"

    @property
    def K(self) -> int:
        """Number of units."""
        return self.rows * self.columns

    @cached_property
    def places(self) -> Array:
        """Row and column of each unit, in units of their distance (K, 2)."""
        i, j = np.divmod(np.arange(self.K, dtype=np.float64), self.columns)
        if self.topology == "hexagonal":
            return np.column_stack([i * np.sqrt(0.75), j + 0.5 * (i % 2)])
        return np.column_stack([i, j])

    @cached_property
    def squares(self) -> Array:
        """Squared distances of the units on the grid (K, K)."""
        gap = self.places[:, None, :] - self.places[None, :, :]
        return np.asarray((gap**2).sum(axis=2))

    def smoothed(self, values: Array, width: float) -> Array:
        """Sums over all units of values (K, m) times exp(-|g_u - g_v|^2 / (2 width^2)).

        Of two units the factors along rows and along columns are multiplied; in a hexagonal grid columns are moved by
        half a unit between rows of different parity. No table of K x K is made.
        """
        i, j = np.arange(self.rows), np.arange(self.columns, dtype=np.float64)
        moved = self.places.reshape(self.rows, self.columns, 2)[:, 0]  # first unit of each row
        down = _bell(moved[:, 0], moved[:, 0], width)
        apart = moved[i, 1][:, None] - moved[i, 1][None, :]
        found = np.zeros((self.rows, self.columns, values.shape[1]))
        for gap in np.unique(apart):
            from_rows = np.where(apart == gap, down, 0.0) @ values.reshape(self.rows, -1)
            found += _bell(j + gap, j, width) @ from_rows.reshape(found.shape)
        return found.reshape(self.K, -1)

    @cached_property
    def touching(self) -> Array:
        """Which units touch (K, K); none touches itself."""
        return (self.squares < NEAR[self.topology] ** 2) & ~np.eye(self.K, dtype=bool)


def _bell(a: Array, b: Array, width: float) -> Array:
    return np.asarray(np.exp(-((a[:, None] - b[None, :]) ** 2) / (2.0 * width * width)))
