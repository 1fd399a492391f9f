"""A table completed by factors of low rank, as a value. No scikit-learn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.registry import saved
from suffice.core.schema import Schema
from suffice.estimators.boundary.number_plan import NumberPlan
from suffice.projections.factors.completion import Completed
from suffice.sources.tables.numbers import open_with_gaps
from suffice.sources.tables.table import Table


@saved
@dataclass(frozen=True)
class CompletionModel:
    """Factors, and how other rows are filled in."""

    found: Completed

    def map(self, block: Block) -> Block:
        """Rows with nothing missing."""
        X = block.parts[0]
        kind = X.dtype if X.dtype in (np.float32, np.float64) else np.dtype(np.float64)
        return block._replace(parts=(self.found.fill(X).astype(kind, copy=False),))

    def inverse(self, Z: Array) -> Array:
        """Rows as they are: which cells were missing is not known."""
        return Z

    def map_schema(self, schema: Schema) -> Schema:
        """The same columns."""
        return schema

    def names_out(self, names: tuple[Any, ...]) -> tuple[Any, ...]:
        """The names of the columns stay."""
        return names


class CompletionReadings:
    """Factors and single cells."""

    @property
    def row_factors_(self: Any) -> Array:
        """Factors of the rows of training (n, k)."""
        return np.asarray(self._state()[0].model.found.rows)

    @property
    def column_factors_(self: Any) -> Array:
        """Factors of the columns (d, k)."""
        return np.asarray(self._state()[0].model.found.columns)

    @property
    def n_iter_(self: Any) -> int:
        """Number of rounds."""
        return int(self._state()[0].model.found.steps)

    def predict_cells(self: Any, rows: Any, columns: Any) -> Array:
        """Single cells of the table of training, seen or not, by the numbers of their rows and columns.

        Parameters
        ----------
        rows, columns : whole numbers, one each a cell
        """
        return np.asarray(self._state()[0].model.found.cells(rows, columns))


@saved
@dataclass(frozen=True)
class CompletionPlan(NumberPlan):
    """Rows of numbers, some of them missing."""

    face: ClassVar[str] = "transformer"
    allow_nan: ClassVar[bool] = True
    whole: ClassVar[bool] = False

    def open(self, X: Any) -> Table:
        """Rows with gaps."""
        return open_with_gaps(self.owner, X)

    def readings(self) -> tuple[type[Any], ...]:
        """Factors and cells."""
        return (CompletionReadings,)
