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

    @cached_property
    def touching(self) -> Array:
        """Which units touch (K, K); none touches itself."""
        return (self.squares < NEAR[self.topology] ** 2) & ~np.eye(self.K, dtype=bool)
