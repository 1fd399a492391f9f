"""Classical scaling: coordinates whose inner products are those that given distances imply.

B = -1/2 J D^2 J,     J = I - 1 1'/n,     Y = V L^(1/2)          V, L the leading eigenvectors and eigenvalues of B
A new row at distances d from the others is put at  y = 1/2 L^-1 Y' (mean of D^2 - d^2)      (Gower)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import eigh
from scipy.sparse.linalg import eigsh

from suffice.core.block import Array
from suffice.core.registry import saved
from suffice.projections.components.principal_axes import turned


@saved
@dataclass(frozen=True)
class Scaled:
    """Coordinates, and what places other rows among them."""

    places: Array  # (n, k)
    values: Array  # (k,) eigenvalues
    level: Array  # (n,) mean squared distance of each row
    centre: float  # mean of these

    def among(self, D: Array) -> Array:
        """Places of rows at distances D (m, n) from the rows of the map."""
        gap = self.level[None, :] - D**2
        gap = gap - gap.mean(axis=1, keepdims=True)
        inverse = np.divide(1.0, self.values, out=np.zeros_like(self.values), where=self.values > 0)
        return np.asarray(0.5 * (gap @ self.places) * inverse)


MANY, FEW = 200, 10  # rows from which, and axes below which, only the leading eigenvectors are looked for


def _largest(B: Array, k: int) -> tuple[Array, Array]:
    """The k largest eigenvalues, rising, and their vectors."""
    n = len(B)
    if n > MANY and k < FEW:
        values, vectors = eigsh(B, k, which="LA", v0=np.random.default_rng(0).uniform(-1, 1, n))
        order = np.argsort(values)
        return values[order], vectors[:, order]
    return eigh((B + B.T) / 2.0, subset_by_index=(max(n - k, 0), n - 1))  # type: ignore[no-any-return]


def classical_scaling(D: Array, k: int) -> Scaled:
    """Coordinates (n, k) of things at distances D (n, n); exact where they lie in k dimensions.

    >>> D = np.abs(np.subtract.outer([0.0, 1.0, 3.0], [0.0, 1.0, 3.0]))
    >>> np.abs(np.diff(classical_scaling(D, 1).places[:, 0])).round(12).tolist()
    [1.0, 2.0]
    """
    B, n = D**2, len(D)
    level = B.mean(axis=1)
    centre = float(level.mean())
    B -= level[:, None]
    B -= level[None, :] - centre
    B *= -0.5
    values, vectors = _largest(B, k)
    values, vectors = np.maximum(values[::-1], 0.0), vectors[:, ::-1]
    small = values <= 16 * n * np.finfo(float).eps * max(float(values[0]), 0.0)
    values = np.where(small, 0.0, values)
    places = turned(np.ascontiguousarray(vectors.T)).T * np.sqrt(values)
    if k > n:
        places, values = np.hstack([places, np.zeros((n, k - n))]), np.append(values, np.zeros(k - n))
    return Scaled(np.ascontiguousarray(places), values, level, centre)
