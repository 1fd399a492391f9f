"""A self-organising map as a value: it finds the best matching unit of a row on NumPy alone.

unit of x = argmin_u |x - w_u|
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.errors import Said, bad
from suffice.core.registry import saved
from suffice.core.schema import Schema
from suffice.estimators.boundary.number_plan import NumberPlan
from suffice.projections.grids.unit_grid import UnitGrid
from suffice.sources.tables.numbers import number_schema
from suffice.spaces.nearest_centre import nearest_centre

AT_ONCE = 1 << 22  # distances held at a time


@saved
@dataclass(frozen=True)
class GridModel:
    """Weights of the units, and the epoch they are of."""

    grid: UnitGrid
    weights: Array  # (K, d)
    epoch: int = 0

    def squares(self, X: Any) -> Array:
        """Squared distances of rows from all units (n, K), about the mean weight: offsets cost nothing."""
        centre = self.weights.mean(axis=0)
        Z, W = np.asarray(X, dtype=np.float64) - centre, self.weights - centre
        found = (Z**2).sum(axis=1)[:, None] + (W**2).sum(axis=1)[None, :] - 2.0 * (Z @ W.T)
        return np.asarray(np.maximum(found, 0.0))

    def best(self, X: Any) -> Array:
        """The best matching unit of each row (n,)."""
        return nearest_centre(np.asarray(X, dtype=np.float64), self.weights)

    def two_best(self, X: Any) -> Array:
        """The best matching unit of each row, and the next (n, 2)."""
        step = max(1, AT_ONCE // self.grid.K)
        out = np.zeros((len(X), 2), dtype=np.int64)
        for a in range(0, len(X), step):
            D = self.squares(X[a : a + step])
            rows = np.arange(len(D))
            out[a : a + step, 0] = first = D.argmin(axis=1)
            D[rows, first] = np.inf
            out[a : a + step, 1] = D.argmin(axis=1)
        return out

    def map(self, block: Block) -> Block:
        """Places of the best matching units on the grid."""
        return block._replace(parts=(self.grid.places[self.best(block.parts[0])],))

    def inverse(self, Z: Array) -> Array:
        """Weights of the units nearest to places on the grid."""
        gap = ((Z[:, None, :] - self.grid.places[None, :, :]) ** 2).sum(axis=2)
        return np.asarray(self.weights[gap.argmin(axis=1)])

    def map_schema(self, schema: Schema) -> Schema:
        """Two places."""
        return number_schema(self.names_out(()), 2)

    def names_out(self, names: tuple[Any, ...]) -> tuple[Any, ...]:
        """Row and column of the grid."""
        return ("selforganizingmap0", "selforganizingmap1")


class GridReadings:
    """Units, errors, pictures of the grid."""

    @property
    def weights_(self: Any) -> Array:
        """Weights of the units (rows, columns, d): the planes of the components, one a column of the table."""
        model: GridModel = self._state()[0].model
        return model.weights.reshape(model.grid.rows, model.grid.columns, -1)

    @property
    def n_iter_(self: Any) -> int:
        """Number of epochs."""
        return int(self._state()[0].model.epoch)

    def predict(self: Any, X: Any) -> Array:
        """Number of the best matching unit of each row (n,): row of the grid times its columns, plus the column.

        Parameters
        ----------
        X : rows like those of training
        """
        state, X = self._state(X)
        return np.asarray(state.map(X, lambda block: state.model.best(block.parts[0]), self.threads))

    def quantization_error(self: Any, X: Any) -> float:
        """Mean distance of rows from their best matching units.

        Parameters
        ----------
        X : rows like those of training
        """
        state, X = self._state(X)
        model: GridModel = state.model
        block = state.block(X)
        rows = np.asarray(block.parts[0], dtype=np.float64)
        return float(np.sqrt(((rows - model.weights[model.best(rows)]) ** 2).sum(axis=1)).mean())

    def topographic_error(self: Any, X: Any) -> float:
        """Share of rows whose two best matching units do not touch.

        Parameters
        ----------
        X : rows like those of training
        """
        state, X = self._state(X)
        model: GridModel = state.model
        both = model.two_best(state.block(X).parts[0])
        return float((~model.grid.touching[both[:, 0], both[:, 1]]).mean())

    def distance_map(self: Any, *, scaled: bool = False) -> Array:
        """Mean distance of each unit's weights from those of its neighbours (rows, columns); borders have fewer.

        Parameters
        ----------
        scaled : whether the largest is 1
        """
        model: GridModel = self._state()[0].model
        D = np.sqrt(model.squares(model.weights))
        near = model.grid.touching
        found = (D * near).sum(axis=1) / np.maximum(near.sum(axis=1), 1)
        found = found / (found.max() or 1.0) if scaled else found
        return np.asarray(found.reshape(model.grid.rows, model.grid.columns))

    def hits(self: Any, X: Any) -> Array:
        """How many rows each unit is best for (rows, columns).

        Parameters
        ----------
        X : rows like those of training
        """
        grid: UnitGrid = self._state()[0].model.grid
        return np.bincount(self.predict(X), minlength=grid.K).reshape(grid.rows, grid.columns)

    def label_grid(self: Any, X: Any, labels: Any) -> list[list[Any]]:
        """The commonest label among the rows that each unit is best for; None where there is none.

        Parameters
        ----------
        X : rows like those of training
        labels : one a row
        """
        grid: UnitGrid = self._state()[0].model.grid
        units, labels = self.predict(X).tolist(), list(labels)
        if len(units) != len(labels):
            got = Said(f"{len(labels)} for {len(units)} rows")
            raise bad(self._owner, "labels", "one a row", got, "Give as many as there are rows.")
        counts: list[Counter[Any]] = [Counter() for _ in range(grid.K)]
        for unit, label in zip(units, labels, strict=True):
            counts[unit][label] += 1
        told = [count.most_common(1)[0][0] if count else None for count in counts]
        return [told[i * grid.columns : (i + 1) * grid.columns] for i in range(grid.rows)]


@saved
@dataclass(frozen=True)
class GridPlan(NumberPlan):
    """A self-organising map."""

    face: ClassVar[str] = "transformer"

    def schema(self, table: Any) -> Schema:
        """All columns are numbers."""
        return table.infer() if hasattr(table, "X") else self.numbers(table.infer())

    def readings(self) -> tuple[type[Any], ...]:
        """Units, errors, pictures."""
        return (GridReadings,)
