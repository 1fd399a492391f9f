"""Elliptical distances: Euclidean after a rotation and a scaling of the axes. Mahalanobis takes both from data.

d(x, y) = sqrt((x - y)^T M (x - y)),   M = R^T S^2 R, or the inverse of a covariance
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.core.registry import saved
from suffice.core.shares import Shares
from suffice.spaces.distances.distance import Axioms, Embedded, number_rows
from suffice.summaries.full_moments import FullMoments

SINGULAR = 1e-14  # an eigenvalue of a unit-free table below this, times its size, is 0 but for rounding


@saved
@dataclass(frozen=True)
class Elliptical(Embedded):
    """d(x, y) = sqrt((x - y)^T M (x - y)): points at one distance from x form an ellipse.

    A pseudo-metric where M has no full rank.

    >>> import numpy as np
    >>> Elliptical(np.diag([0.25, 1.0])).pair([0.0, 0.0], [2.0, 0.0])
    1.0
    """

    matrix: Array  # (d, d) symmetric, no negative eigenvalue

    def __post_init__(self) -> None:
        """Check the matrix."""
        object.__setattr__(self, "matrix", _square(self, "matrix", self.matrix))
        least = float(self._spectrum[0].min(initial=0.0))
        if least < -SINGULAR * len(self.matrix):
            told = Said(f"{np.linalg.eigvalsh(self.matrix).min():.3g}")
            raise bad(self, "matrix", "without negative eigenvalues", told, "Give A.T @ A.")

    @classmethod
    def of_axes(cls, rotation: Any, scaling: Any) -> Elliptical:
        """From a rotation R and the scaling of each axis after it: M = R^T S^2 R."""
        R, S = np.asarray(rotation, dtype=np.float64), np.asarray(scaling, dtype=np.float64)
        turned = (np.diag(S) if S.ndim == 1 else S) @ R
        return cls(turned.T @ turned)

    @cached_property
    def _unit(self) -> Array:
        """The root of each diagonal element: axes are found unit-free, as columns may be in units of any size."""
        diagonal = np.diagonal(self.matrix)
        return np.sqrt(np.where(diagonal == 0, 1.0, np.abs(diagonal)))

    @cached_property
    def _spectrum(self) -> tuple[Array, Array]:
        values, vectors = np.linalg.eigh(self.matrix / self._unit / self._unit[:, None])
        return values, vectors

    @cached_property
    def _axes(self) -> Array:
        values, vectors = self._spectrum
        kept = values > SINGULAR * len(values)
        return np.asarray(vectors[:, kept] * np.sqrt(values[kept]) * self._unit[:, None])

    power = 2.0

    @property
    def axioms(self) -> Axioms:
        """A pseudo-metric where some direction is not seen."""
        return Axioms.METRIC if self._axes.shape == self.matrix.shape else Axioms.PSEUDO

    def place(self, X: Any) -> Array:
        """Along the axes of the ellipse, in units of their lengths."""
        return turned_rows(self, X, self._axes)


@saved
@dataclass(frozen=True)
class Mahalanobis(Embedded):
    """d(x, y) = sqrt((x - y)^T C^-1 (x - y)), with C the covariance of the rows; the identity gives Euclidean.

    >>> import numpy as np
    >>> Mahalanobis(np.diag([4.0, 1.0])).pair([0.0, 0.0], [2.0, 0.0])
    1.0
    """

    covariance: Array  # (d, d) positive definite

    power = 2.0
    axioms = Axioms.METRIC

    def __post_init__(self) -> None:
        """Check the covariance."""
        object.__setattr__(self, "covariance", _square(self, "covariance", self.covariance))
        self._axes  # noqa: B018

    @classmethod
    def of(cls, X: Any, w: Any = None) -> Mahalanobis:
        """With the covariance of these rows, divided by their weight."""
        rows = number_rows(X, "Mahalanobis")
        weight = None if w is None else np.asarray(w, dtype=np.float64)
        R = Shares.hard(np.zeros(len(rows), dtype=np.int32), 1, weight)
        return cls.of_moments(FullMoments.of(rows, R))

    @classmethod
    def of_moments(cls, moments: FullMoments) -> Mahalanobis:
        """With the covariance that moments hold, pooled over their components: moments add, merge and forget."""
        return cls(np.asarray(moments.pooled().covariance[0]))

    @cached_property
    def _axes(self) -> Array:
        """C^-1/2, column by column: unit-free first, so that scales of columns cost no digits."""
        unit = np.sqrt(np.diagonal(self.covariance))
        if (unit > 0).all():
            values, vectors = np.linalg.eigh(self.covariance / np.outer(unit, unit))
            if values.min(initial=1.0) > SINGULAR * len(unit):
                return np.asarray((vectors / np.sqrt(values)) / unit[:, None])
        remedy = "Leave out columns that are constant or follow from others."
        raise bad(self, "covariance", "positive definite", Said("a singular one"), remedy)

    def place(self, X: Any) -> Array:
        """Uncorrelated and of unit variance."""
        return turned_rows(self, X, self._axes)


def turned_rows(owner: object, X: Any, axes: Array) -> Array:
    """Rows along axes."""
    rows = number_rows(X, owner)
    if rows.shape[1] != len(axes):
        raise bad(owner, "X", f"of {len(axes)} columns", Said(str(rows.shape[1])), "Give the columns it was made for.")
    return np.asarray(rows @ axes)


def _square(owner: object, name: str, matrix: Any) -> Array:
    found = np.asarray(matrix, dtype=np.float64)
    if found.ndim != 2 or found.shape[0] != found.shape[1] or not np.isfinite(found).all():
        raise bad(owner, name, "a square table of numbers", Said(f"shape {found.shape}"), "Give d x d numbers.")
    if not np.allclose(found, found.T, rtol=1e-8, atol=1e-12 * float(np.abs(found).max(initial=0.0))):
        raise bad(owner, name, "symmetric", Said("one that is not"), "Take the mean of it and its transpose.")
    return np.asarray((found + found.T) / 2.0)
