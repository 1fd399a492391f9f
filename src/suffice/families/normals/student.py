"""Student distributions: normal columns whose mean and variance were integrated out.

log p(x | k) = sum_j log t((x_j - m_kj) / s_kj; v_kj) - log s_kj
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from suffice.core.block import Array
from suffice.core.double_double import Pair
from suffice.core.registry import saved
from suffice.families.family import Cellwise


@saved
@dataclass(frozen=True)
class Students(Cellwise):
    """K Student distributions over d independent columns; infinite freedom is the normal."""

    mean: Pair  # (K, d) each
    variance: Array  # (K, d) squared scale; 0 where a column tells nothing
    freedom: Array  # (K, d)
    weights: Array  # (d,) power of each column

    @cached_property
    def _height(self) -> Array:
        """Log density at the location (K, d)."""
        from suffice.families.beliefs.log_rising_factorial import (
            log_rising,
        )  # SciPy is not needed to load or to predict with normals

        v = np.where(np.isinf(self.freedom), 1.0, self.freedom)
        student = log_rising(v / 2, 0.5) - 0.5 * np.log(v * np.pi)
        scale = np.where(self.variance > 0, self.variance, 1.0)
        height: Array = np.where(np.isinf(self.freedom), -0.5 * np.log(2 * np.pi), student) - 0.5 * np.log(scale)
        return height

    @property
    def K(self) -> int:
        """Number of components."""
        return len(self.variance)

    def log_cells(self, x: Array, k: int) -> Array:
        """Log density of each cell (n, d)."""
        variance, v = self.variance[k], self.freedom[k]
        z = ((x - self.mean.high[k]) - self.mean.low[k]) / np.sqrt(np.where(variance > 0, variance, 1.0))
        finite = np.where(np.isinf(v), 1.0, v)
        tail = np.where(np.isinf(v), -0.5 * z * z, -(finite + 1) / 2 * np.log1p(z * z / finite))
        return np.where(variance == 0, 0.0, self._height[k] + tail)

    def sample(self, components: Array, rng: np.random.Generator) -> Array:
        """Rows (n, d)."""
        v = self.freedom[components]
        z = rng.standard_normal(v.shape)
        finite = np.where(np.isinf(v), 1.0, v)
        z = np.where(np.isinf(v), z, z / np.sqrt(rng.chisquare(finite) / finite))
        return self.mean.high[components] + (self.mean.low[components] + z * np.sqrt(self.variance[components]))
