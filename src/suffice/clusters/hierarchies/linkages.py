"""Linkages: how far two sets of rows are apart, and how that follows when two sets become one.

d(A u B, C) by the rule of Lance and Williams, from d(A, C), d(B, C), d(A, B) and the sizes
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.spaces.distances.distance import number_rows
from suffice.spaces.distances.minkowski import Euclidean


@dataclass(frozen=True)
class Linkage(ABC):
    """A distance between sets, built on a distance between rows."""

    code = 0  # by which loops know it
    squared = False  # whether it works on squares of Euclidean distances
    reducible = (
        True  # whether a chain of nearest neighbours finds the tree: no union is nearer than both its parts were
    )

    @abstractmethod
    def update(self, a: Any, b: Any, ab: float, na: float, nb: float, nc: Any) -> Any:
        """The distance of a union to others, from the distances of its parts to them."""

    @abstractmethod
    def between(self, A: Array, B: Array, distance: Any) -> float:
        """The distance of two sets of rows, from its definition."""


@dataclass(frozen=True)
class SingleLinkage(Linkage):
    """The closest pair. Chains."""

    def update(self, a: Any, b: Any, ab: float, na: float, nb: float, nc: Any) -> Any:
        """The smaller."""
        return np.minimum(a, b)

    def between(self, A: Array, B: Array, distance: Any) -> float:
        """The least of all pairs."""
        return float(distance.between(A, B).min())


@dataclass(frozen=True)
class CompleteLinkage(Linkage):
    """The farthest pair. Exaggerates high levels."""

    code = 1

    def update(self, a: Any, b: Any, ab: float, na: float, nb: float, nc: Any) -> Any:
        """The larger."""
        return np.maximum(a, b)

    def between(self, A: Array, B: Array, distance: Any) -> float:
        """The largest of all pairs."""
        return float(distance.between(A, B).max())


@dataclass(frozen=True)
class AverageLinkage(Linkage):
    """The mean over all pairs (UPGMA)."""

    code = 2

    def update(self, a: Any, b: Any, ab: float, na: float, nb: float, nc: Any) -> Any:
        """The mean, by sizes."""
        return (na * a + nb * b) / (na + nb)

    def between(self, A: Array, B: Array, distance: Any) -> float:
        """The mean of all pairs."""
        return float(distance.between(A, B).mean())


@dataclass(frozen=True)
class WeightedLinkage(Linkage):
    """The mean of the distances of the two parts (WPGMA): it knows the tree, not only the sets."""

    code = 3

    def update(self, a: Any, b: Any, ab: float, na: float, nb: float, nc: Any) -> Any:
        """The mean, sizes apart."""
        return 0.5 * (a + b)

    def between(self, A: Array, B: Array, distance: Any) -> float:
        """There is none without a tree."""
        raise bad("linkage", "linkage", "one of two sets alone", "weighted", "Use average.")


@dataclass(frozen=True)
class CentroidLinkage(Linkage):
    """The distance of the means (UPGMC). Levels may fall."""

    squared = True
    reducible = False

    def update(self, a: Any, b: Any, ab: float, na: float, nb: float, nc: Any) -> Any:
        """The mean of the union lies on the line between the means."""
        n = na + nb
        return (na * a + nb * b) / n - na * nb * ab / (n * n)

    def between(self, A: Array, B: Array, distance: Any) -> float:
        """Of the two means."""
        return float(distance.pair(A.mean(axis=0), B.mean(axis=0)))


@dataclass(frozen=True)
class MedianLinkage(Linkage):
    """The distance of midpoints of midpoints (WPGMC). Levels may fall. Not the median over pairs."""

    squared = True
    reducible = False

    def update(self, a: Any, b: Any, ab: float, na: float, nb: float, nc: Any) -> Any:
        """The union lies in the middle between its parts."""
        return 0.5 * (a + b) - 0.25 * ab

    def between(self, A: Array, B: Array, distance: Any) -> float:
        """There is none without a tree."""
        raise bad("linkage", "linkage", "one of two sets alone", "median", "Use median_of_pairs.")


@dataclass(frozen=True)
class WardLinkage(Linkage):
    """The root of twice the rise of the scatter: sqrt(2 nA nB / (nA + nB)) norm(mA - mB), as SciPy counts it."""

    code = 4
    squared = True

    def update(self, a: Any, b: Any, ab: float, na: float, nb: float, nc: Any) -> Any:
        """From scatters."""
        return ((na + nc) * a + (nb + nc) * b - nc * ab) / (na + nb + nc)

    def between(self, A: Array, B: Array, distance: Any) -> float:
        """From sizes and means."""
        return float(np.sqrt(2.0 * ward_increase(A, B)))


@dataclass(frozen=True)
class MedianOfPairs(Linkage):
    """The median over all pairs: of two sets; it has no rule for unions, so that no tree is built with it."""

    def update(self, a: Any, b: Any, ab: float, na: float, nb: float, nc: Any) -> Any:
        """There is none."""
        raise bad("linkage", "linkage", "one with a rule for unions", "median_of_pairs", "Use average or median.")

    def between(self, A: Array, B: Array, distance: Any) -> float:
        """The median of all pairs."""
        return float(np.median(distance.between(A, B)))


LINKAGES: Mapping[str, Linkage] = {
    "average": AverageLinkage(),
    "centroid": CentroidLinkage(),
    "complete": CompleteLinkage(),
    "median": MedianLinkage(),
    "single": SingleLinkage(),
    "ward": WardLinkage(),
    "weighted": WeightedLinkage(),
}


def ward_increase(A: Any, B: Any) -> float:
    """By how much the scatter within clusters rises if two of them become one.

    >>> ward_increase([[0.0], [2.0]], [[5.0]])
    10.666666666666666
    """
    A, B = _both("ward_increase", A, B)
    gap = (A - A[0]).mean(axis=0) - (B - A[0]).mean(axis=0)  # about a first row, so that an offset costs no digits
    return float(len(A) * len(B) / (len(A) + len(B)) * (gap @ gap))


def linkage_between(A: Any, B: Any, linkage: str = "average", metric: Any = "euclidean") -> float:
    """The distance of two sets of rows, from the definition of a linkage.

    Parameters
    ----------
    A, B : two sets of rows
    linkage : single, complete, average, centroid, ward, or median_of_pairs
    metric : a distance of rows, or its name

    >>> linkage_between([[0.0]], [[1.0], [2.0]], "complete")
    2.0
    """
    from suffice.spaces.distances.named_distances import as_distance

    ways = {**LINKAGES, "median_of_pairs": MedianOfPairs()}
    if linkage not in ways:
        raise bad("linkage_between", "linkage", f"one of {', '.join(ways)}", linkage, "Choose one of these.")
    A, B = _both("linkage_between", A, B)
    distance = Euclidean() if metric == "euclidean" else as_distance(metric, owner="linkage_between")
    return ways[linkage].between(A, B, distance)


def _both(owner: str, A: Any, B: Any) -> tuple[Array, Array]:
    """Two sets of rows of as many columns."""
    shapes = np.shape(A), np.shape(B)
    A, B = number_rows(A, owner), number_rows(B, owner)
    if len(shapes[0]) != 2 or len(shapes[1]) != 2 or not len(A) or not len(B) or A.shape[1] != B.shape[1]:
        raise bad(owner, "A and B", "tables with rows, of the same columns", shapes, "One row is [[...]].")
    if not (np.isfinite(A).all() and np.isfinite(B).all()):
        raise bad(owner, "A and B", "finite", Said("NaN or infinity"), "Fill the missing cells first.")
    return A, B
