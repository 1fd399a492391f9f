"""A map by the shortest ways over neighbours (Isomap), as a value. No scikit-learn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.registry import saved
from suffice.core.schema import Schema
from suffice.estimators.boundary.number_plan import NumberPlan
from suffice.estimators.reading import reading
from suffice.projections.maps.classical_scaling import Scaled
from suffice.projections.maps.dissimilarities import GIVEN
from suffice.projections.maps.map_models import RowMetric, columns_out
from suffice.projections.maps.neighbour_graph import nearest


@saved
@dataclass(frozen=True)
class IsomapModel:
    """Rows, the ways between them, and their map."""

    rows: Array  # (n, d) of the table, or distances
    metric: RowMetric
    k: int | None
    radius: float | None
    ways: Array  # (n, n) lengths
    scaled: Scaled

    def map(self, block: Block) -> Block:
        """Other rows go over their neighbours."""
        X = block.parts[0]
        kind = X.dtype if X.dtype in (np.float32, np.float64) else np.dtype(np.float64)
        X = np.asarray(X.toarray() if hasattr(X, "toarray") else X, dtype=np.float64)
        out = np.concatenate([self._some(X[a : a + 256]) for a in range(0, max(len(X), 1), 256)])
        return block._replace(parts=(out.astype(kind, copy=False),))

    def _some(self, X: Array) -> Array:
        if self.k is not None and self.metric.name != GIVEN:
            found, at = nearest(self.metric, X, self.rows, self.k, False)
            lengths = (self.ways[at] + found[:, :, None]).min(axis=1)
        else:
            D = self.metric.between(X, self.rows)
            reach = np.sort(D, axis=1)[:, [self.k - 1]] if self.k is not None else float(self.radius or 0.0)
            D = np.where(reach >= D, D, np.inf)
            lengths = (self.ways[None, :, :] + D[:, :, None]).min(axis=1)
        return self.scaled.among(lengths)

    @property
    def embedding(self) -> Array:
        """The map (n, k)."""
        return self.scaled.places

    def inverse(self, Z: Array) -> Array:
        """The rows of the map nearest to some places: a map by neighbours has no other way back."""
        gap = ((np.asarray(Z, dtype=np.float64)[:, None, :] - self.scaled.places[None, :, :]) ** 2).sum(axis=2)
        return np.asarray(self.rows[gap.argmin(axis=1)].astype(Z.dtype, copy=False))

    def map_schema(self, schema: Schema) -> Schema:
        """One column a dimension."""
        return columns_out("isomap", self.scaled.places.shape[1])

    def names_out(self, names: tuple[Any, ...]) -> tuple[Any, ...]:
        """isomap0, isomap1, ..."""
        return tuple(f"isomap{j}" for j in range(self.scaled.places.shape[1]))


class IsomapReadings:
    """The map, and the ways between rows."""

    dist_matrix_ = reading("ways", "Lengths of the shortest ways between the rows (n, n).")

    @property
    def embedding_(self: Any) -> Array:
        """The map: a place for each row it was made of (n, k)."""
        places = self._state()[0].model.scaled.places
        return np.asarray(places.astype(np.float32) if self._origin.cell_type == "<f4" else places)

    def reconstruction_error(self: Any) -> float:
        """Root of the squared differences between the products that the ways imply and those of the map, over n."""
        model: IsomapModel = self._state()[0].model
        squares = model.ways**2
        level = squares.mean(axis=1)
        B = -0.5 * (squares - level[:, None] - level[None, :] + level.mean())
        left = float((B**2).sum()) - float((model.scaled.values**2).sum())
        return float(np.sqrt(max(left, 0.0)) / len(B))


@saved
@dataclass(frozen=True)
class IsomapPlan(NumberPlan):
    """A map by ways through neighbours."""

    face: ClassVar[str] = "transformer"

    def readings(self) -> tuple[type[Any], ...]:
        """The map and the ways."""
        return (IsomapReadings,)
