"""Cosine distance and the angle between rows, seen from the origin: both ignore the lengths of rows.

1 - cos(x, y) = norm(u - v)^2 / 2 for the unit vectors u and v; taken so, small angles keep their digits.

Cosine distance is no metric: for angles 0, 45 and 90 degrees it is 1 > 2 (1 - cos 45) = 0.586, and x and 2 x are at 0.
The angle is a pseudo-metric. A row of zeros has no direction: it is at a right angle to all others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.registry import saved
from suffice.spaces.distances.distance import Axioms, Embedded, number_rows
from suffice.spaces.euclidean import squared_distances


@saved
@dataclass(frozen=True)
class Cosine(Embedded):
    """d(x, y) = 1 - x.y / (norm(x) norm(y)).

    >>> round(Cosine().pair([1.0, 0.0], [3.0, 3.0]), 6)
    0.292893
    """

    power = 2.0
    axioms = Axioms.DISSIMILARITY

    def place(self, X: Any) -> Array:
        """On the unit sphere."""
        return unit_rows(X)

    def between(self, X: Any, Y: Any = None) -> Array:
        """Half the squared chord."""
        return squared_distances(unit_rows(X), None if Y is None else unit_rows(Y)) / 2.0

    def of_lengths(self, lengths: Array) -> Array:
        """Half the squared chord."""
        lengths *= lengths
        lengths /= 2.0
        return lengths

    def to_length(self, distance: float) -> float:
        """The chord."""
        return float(np.sqrt(2.0 * distance))


@saved
@dataclass(frozen=True)
class Angle(Embedded):
    """d(x, y) = the angle between x and y, in radians: a metric of directions.

    >>> round(Angle().pair([1.0, 0.0], [3.0, 3.0]) / np.pi, 6)
    0.25
    """

    power = 2.0
    axioms = Axioms.PSEUDO

    def place(self, X: Any) -> Array:
        """On the unit sphere."""
        return unit_rows(X)

    def of_lengths(self, lengths: Array) -> Array:
        """2 arcsin of half the chord."""
        lengths /= 2.0
        np.minimum(lengths, 1.0, out=lengths)
        return 2.0 * np.arcsin(lengths, out=lengths)

    def to_length(self, distance: float) -> float:
        """The chord; no angle is wider than pi."""
        return float(2.0 * np.sin(min(distance, np.pi) / 2.0)) if distance < np.pi else np.inf


def unit_rows(X: Any) -> Array:
    """Rows of length 1, with one more column: 1 for a row of zeros, which so is at a right angle to all others."""
    rows = number_rows(X)
    largest = np.abs(rows).max(axis=1, initial=0.0)
    none = largest == 0.0
    with np.errstate(invalid="ignore"):  # an infinite row has no direction
        rows = rows / np.where(none, 1.0, largest)[:, None]
    rows /= np.where(none, 1.0, np.sqrt(np.einsum("ij,ij->i", rows, rows)))[:, None]
    return np.column_stack([rows, none.astype(np.float64)])
