"""Maps as values: where each row is, and how others are placed among them. On NumPy and SciPy alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.errors import Said, bad
from suffice.core.registry import saved
from suffice.core.schema import Schema
from suffice.estimators.boundary.number_plan import NumberPlan
from suffice.estimators.reading import reading
from suffice.projections.maps.classical_scaling import Scaled
from suffice.projections.maps.dissimilarities import GIVEN, distances
from suffice.projections.maps.stress_majorization import placed
from suffice.sources.tables.numbers import number_schema


@saved
@dataclass(frozen=True)
class RowMetric:
    """How far rows are apart."""

    owner: str
    name: Any  # of a distance, a function, or GIVEN
    given: Any = None  # further arguments

    def between(self, X: Any, rows: Array) -> Array:
        """Distances of rows from those of the map; where these came as distances, X says them itself."""
        if isinstance(self.name, str) and self.name == GIVEN:
            D = np.asarray(X, dtype=np.float64)
            if D.shape[1] != len(rows):
                rule = f"distances to the {len(rows)} rows of the map"
                raise bad(self.owner, "X", rule, Said(f"{D.shape[1]} columns"), "One column a row of the map.")
            return D
        return distances(self.owner, X, rows, self.name, self.given)


@saved
@dataclass(frozen=True)
class ClassicalMap:
    """A map by classical scaling."""

    rows: Array  # (n, d) of the table, or distances
    metric: RowMetric
    scaled: Scaled

    @property
    def embedding(self) -> Array:
        """The map (n, k)."""
        return self.scaled.places

    def place(self, block: Block) -> Array:
        """Places of other rows."""
        return self.scaled.among(self.metric.between(block.parts[0], self.rows))


@saved
@dataclass(frozen=True)
class StressMap:
    """A map of least stress."""

    rows: Array  # (n, d) of the table, or distances
    metric: RowMetric
    embedding: Array  # (n, k)
    stress: float
    steps: int

    def place(self, block: Block) -> Array:
        """Places of other rows: of least stress, the map as it is."""
        return placed(self.metric.between(block.parts[0], self.rows), self.embedding)


class ClassicalReadings:
    """Eigenvalues, distances."""

    eigenvalues_ = reading("scaled.values", "Eigenvalues of the products, one an axis (k,).")

    @property
    def dissimilarity_matrix_(self: Any) -> Array:
        """Distances of the rows from one another (n, n)."""
        model = self._state()[0].model
        return np.asarray(model.metric.between(model.rows, model.rows))


class StressReadings:
    """Stress, steps, distances."""

    stress_ = reading("stress", "How far the distances of the map are from those of the rows.")
    n_iter_ = reading("steps", "Number of steps of the run that was kept.")

    @property
    def dissimilarity_matrix_(self: Any) -> Array:
        """Distances of the rows from one another (n, n)."""
        model = self._state()[0].model
        return np.asarray(model.metric.between(model.rows, model.rows))


@saved
@dataclass(frozen=True)
class ClassicalPlan(NumberPlan):
    """A map by classical scaling."""

    face: ClassVar[str] = "placement"

    def readings(self) -> tuple[type[Any], ...]:
        """Eigenvalues and distances."""
        return (ClassicalReadings,)


@saved
@dataclass(frozen=True)
class StressPlan(NumberPlan):
    """A map of least stress."""

    face: ClassVar[str] = "placement"

    def readings(self) -> tuple[type[Any], ...]:
        """Stress, steps, distances."""
        return (StressReadings,)


def columns_out(name: str, k: int) -> Schema:
    """Columns of a map: isomap0, isomap1, ..."""
    return number_schema(tuple(f"{name}{j}" for j in range(k)), k)
