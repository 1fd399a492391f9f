"""A map that keeps neighbours (t-SNE), as a value. No scikit-learn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.registry import saved
from suffice.estimators.boundary.number_plan import NumberPlan
from suffice.estimators.reading import reading
from suffice.projections.maps.map_models import RowMetric
from suffice.projections.maps.neighbour_probabilities import (
    conditional_probabilities,
)


@saved
@dataclass(frozen=True)
class NeighbourMap:
    """A map by t-SNE, and the rows it was made of."""

    rows: Array  # (n, d) of the table, or distances
    metric: RowMetric
    perplexity: float
    embedding: Array  # (n, k)
    divergence: float
    steps: int
    rate: float

    def place(self, block: Block) -> Array:
        """Other rows at the mean of the places of their neighbours, by the probabilities of these."""
        D = self.metric.between(block.parts[0], self.rows)
        return np.asarray(conditional_probabilities(D**2, min(self.perplexity, D.shape[1])) @ self.embedding)


class NeighbourMapReadings:
    """Divergence, steps, rate."""

    kl_divergence_ = reading("divergence", "Kullback-Leibler divergence of the map from the rows, in nats.")
    n_iter_ = reading("steps", "Number of steps, counted from 0.")
    learning_rate_ = reading("rate", "Size of the steps.")


@saved
@dataclass(frozen=True)
class NeighbourMapPlan(NumberPlan):
    """A map by t-SNE."""

    face: ClassVar[str] = "placement"

    def readings(self) -> tuple[type[Any], ...]:
        """Divergence and steps."""
        return (NeighbourMapReadings,)
