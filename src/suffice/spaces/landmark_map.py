"""Rows in the space of a kernel, as far as some landmark rows span it: the map of Nystrom.

phi(x) = W' k(x, landmarks),   W W' the inverse of k(landmarks, landmarks):   phi(x).phi(z) = k(x, z) for landmarks
k(x, x) - norm(phi(x))^2 >= 0 is the square of what lies outside their span
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.core.registry import saved
from suffice.spaces.kernels import Kernel

RANK = 1e-12  # of the largest eigenvalue: smaller ones are rounding, and landmarks that say nothing new


@saved
@dataclass(frozen=True)
class LandmarkMap:
    """Features whose inner products are those of a kernel, in the span of landmarks.

    >>> from suffice.spaces import LinearKernel
    >>> rows = np.array([[1.0, 0.0], [1.0, 1.0], [2.0, 0.0]])
    >>> F = LandmarkMap.of(rows, LinearKernel()).of_rows(np.array([[3.0, 4.0], [1.0, 2.0]]))
    >>> round(float(F[0] @ F[1]), 9)
    11.0
    """

    landmarks: Array  # (L, d)
    kernel: Kernel
    whitener: Array  # (L, r)

    @classmethod
    def of(cls, landmarks: Any, kernel: Kernel) -> LandmarkMap:
        """From rows; copies and others that lie in the span of the rest do no harm."""
        rows = np.ascontiguousarray(landmarks, dtype=np.float64)
        values, vectors = np.linalg.eigh(kernel.between(rows))
        if values[0] < -1e-8 * max(values[-1], 1e-300):
            rule = "one whose values are inner products (no eigenvalue below 0)"
            raise bad("LandmarkMap", "kernel", rule, Said(f"{kernel}, with {values[0]:.2g}"), "Use rbf or linear.")
        kept = values > RANK * values[-1]
        return cls(rows, kernel, np.ascontiguousarray(vectors[:, kept] / np.sqrt(values[kept])))

    def of_rows(self, X: Array) -> Array:
        """The features of rows (n, r)."""
        rows = np.ascontiguousarray(X, dtype=np.float64)  # products round by how rows lie in memory
        return np.asarray(self.kernel.between(rows, self.landmarks) @ self.whitener)

    def outside(self, X: Array, F: Array) -> Array:
        """The square of what lies outside the span, row by row (n,)."""
        own = self.kernel.diagonal(np.asarray(X, dtype=np.float64))
        return np.asarray(np.maximum(own - np.einsum("ij,ij->i", F, F), 0.0))
