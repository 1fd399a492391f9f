"""Medoids as a value: rows of training that stand for their clusters. No scikit-learn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.registry import saved
from suffice.estimators.design.kind_plan import KindPlan
from suffice.estimators.reading import reading
from suffice.spaces.distances.distance import Distance, measured
from suffice.spaces.distances.given_distances import Precomputed


@saved
@dataclass(frozen=True)
class Medoids:
    """Rows that stand for their clusters, and the distance they were found by."""

    rows: Any  # (K, d), or their numbers (K,) where distances were given
    indices: Array  # (K,)
    distance: Distance
    labels: Array  # (n,)
    cost: float
    steps: int
    settled: bool

    def assign(self, block: Block) -> Array:
        """The nearest medoid (n,), the first of equals."""
        return np.asarray(self.distances(block).argmin(axis=1))

    def closeness(self, block: Block) -> Array:
        """Minus the distance to the nearest medoid (n,)."""
        return np.asarray(-self.distances(block).min(axis=1))

    def distances(self, block: Block) -> Array:
        """Distances to all medoids (n, K)."""
        return measured(self.distance, self.distance.between(block.parts[0], self.rows))


class MedoidReadings:
    """Medoids and what they cost."""

    medoid_indices_ = reading("indices", "Numbers of the medoids (K,).")
    inertia_ = reading("cost", "Weighted sum of distances to the nearest medoid.")
    n_iter_ = reading("steps", "Number of rounds.")

    @property
    def cluster_centers_(self: Any) -> Array:
        """The medoids (K, d), where rows were given; by kind, with their symbols."""
        state = self._state()[0]
        model = state.model
        if isinstance(model.distance, Precomputed):
            raise AttributeError(f"{self._owner}: distances have no cluster_centers_. See medoid_indices_.")
        return np.asarray(model.rows if state.plan.codes is None else state.plan.codes.read_back(model.rows))


@saved
@dataclass(frozen=True)
class MedoidPlan(KindPlan):
    """Medoids."""

    face: ClassVar[str] = "clusterer"

    def readings(self) -> tuple[type[Any], ...]:
        """Medoids and their cost."""
        return (MedoidReadings,)
