"""Centres under any distance, as a value, and the rules by which they are found: means, medians, directions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.registry import saved
from suffice.estimators.boundary.number_plan import NumberPlan
from suffice.estimators.reading import reading
from suffice.spaces.distances.angular import Cosine, unit_rows
from suffice.spaces.distances.distance import Distance
from suffice.spaces.distances.minkowski import Manhattan, SquaredEuclidean


class ExemplarRule(ABC):
    """A distance, and the point of least total distance to some rows."""

    distance: Distance

    @abstractmethod
    def exemplar(self, X: Array, w: Array) -> Array:
        """The point for rows with weights."""


class MeanRule(ExemplarRule):
    """The mean."""

    distance = SquaredEuclidean()

    def exemplar(self, X: Array, w: Array) -> Array:
        """By way of a first row."""
        return np.asarray(X[0] + w @ (X - X[0]) / w.sum())


class MedianRule(ExemplarRule):
    """The median of each column."""

    distance = Manhattan()

    def exemplar(self, X: Array, w: Array) -> Array:
        """The middle of the weight; between two rows where it lies there."""
        order = np.argsort(X, axis=0, kind="stable")
        values = np.take_along_axis(X, order, axis=0)
        reached = np.cumsum(w[order], axis=0)
        half = 0.5 * reached[-1]
        low = (reached < half * (1 - 1e-12)).sum(axis=0)
        high = np.minimum((reached <= half * (1 + 1e-12)).sum(axis=0), len(X) - 1)
        at = np.arange(X.shape[1])
        return np.asarray(0.5 * (values[low, at] + values[high, at]))


class DirectionRule(ExemplarRule):
    """The direction of the mean of unit rows."""

    distance = Cosine()

    def exemplar(self, X: Array, w: Array) -> Array:
        """A unit row; the first row where the mean has no direction."""
        unit = unit_rows(X)[:, :-1]  # without the column of rows of zeros, which there are none of
        mean = w @ unit
        length = np.linalg.norm(mean)
        return np.asarray(mean / length if length > 0 else unit[0])


EXEMPLARS: Mapping[str, ExemplarRule] = {
    "cosine": DirectionRule(),
    "euclidean": MeanRule(),
    "manhattan": MedianRule(),
}


@saved
@dataclass(frozen=True)
class ExemplarCentres:
    """One exemplar a cluster, and the distance to them."""

    centres: Array  # (K, d)
    kind: str
    labels: Array  # (n,)
    cost: float
    steps: int

    def assign(self, block: Block) -> Array:
        """The nearest exemplar (n,)."""
        return np.asarray(self._far(block).argmin(axis=1).astype(np.int32))

    def closeness(self, block: Block) -> Array:
        """Minus the distance to it (n,)."""
        return np.asarray(-self._far(block).min(axis=1))

    def _far(self, block: Block) -> Array:
        return EXEMPLARS[self.kind].distance.between(block.parts[0], self.centres)


class ExemplarCentreReadings:
    """Exemplars and what they cost."""

    cluster_centers_ = reading("centres", "The exemplars (K, d).")
    inertia_ = reading("cost", "Weighted sum of distances to the nearest exemplar.")
    n_iter_ = reading("steps", "Number of passes.")


@saved
@dataclass(frozen=True)
class ExemplarCentrePlan(NumberPlan):
    """Exemplars of another distance."""

    face: ClassVar[str] = "clusterer"

    def readings(self) -> tuple[type[Any], ...]:
        """Exemplars and their cost."""
        return (ExemplarCentreReadings,)
