"""Missing cells from models of their columns: each predicts one column from the others. No scikit-learn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from suffice.compose.held import Held
from suffice.core.block import Array, Block
from suffice.core.kinds import Kind
from suffice.core.registry import saved
from suffice.core.schema import Schema
from suffice.features.column_plan import NumberCells


@saved
@dataclass(frozen=True)
class ModelFillPlan(NumberCells):
    """Rows of numbers, some of them missing."""

    face: ClassVar[str] = "transformer"


@saved
@dataclass(frozen=True)
class ModelFill:
    """One model a column, and where missing cells begin."""

    owner: str
    start: Array  # (d,) mean of the cells of each column
    helds: tuple[Held, ...]  # d
    rounds: int  # how often new rows go through all models
    tol: float

    def filled(self, X: Array) -> Array:
        """Rows with nothing missing: predicted column by column, again and again."""
        gaps = np.isnan(X)
        out, spread = np.where(gaps, self.start, X), 1.0 + np.abs(self.start)
        some = np.flatnonzero(gaps.any(axis=0))
        for _ in range(self.rounds if len(out) else 0):
            before = out.copy()
            for j in some:
                rows = gaps[:, j]
                out[rows, j] = self.helds[j].live.predict(np.delete(out[rows], j, axis=1))
            if np.abs((out - before) / spread).max(initial=0.0) <= self.tol:
                break
        return out

    def map(self, block: Block) -> Block:
        """Rows with nothing missing."""
        X = block.parts[0]
        kind = X.dtype if X.dtype in (np.float32, np.float64) else np.dtype(np.float64)
        return block._replace(parts=(self.filled(np.asarray(X, dtype=np.float64)).astype(kind, copy=False),))

    def inverse(self, Z: Array) -> Array:
        """Which cells were missing is not known any more: rows as they are."""
        return Z

    def map_schema(self, schema: Schema) -> Schema:
        """The same columns, of any numbers."""
        return Schema(tuple(replace(column, kind=Kind.QUANTITATIVE) for column in schema.columns))

    def names_out(self, names: tuple[Any, ...]) -> tuple[Any, ...]:
        """The names of the columns stay."""
        return names

    def holding(self, change: Callable[[Held], Held]) -> ModelFill:
        """The same, with each of what is held in another form."""
        return replace(self, helds=tuple(map(change, self.helds)))
