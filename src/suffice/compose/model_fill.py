"""Missing cells from models of their columns: each predicts one column from the others. No scikit-learn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from suffice.compose.held import Held
from suffice.core.block import Array
from suffice.core.registry import saved
from suffice.features.column_plan import NumberCells
from suffice.features.missing.cell_fill import CellFill


@saved
@dataclass(frozen=True)
class ModelFillPlan(NumberCells):
    """Rows of numbers, some of them missing."""

    face: ClassVar[str] = "transformer"


@saved
@dataclass(frozen=True)
class ModelFill(CellFill):
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

    def holding(self, change: Callable[[Held], Held]) -> ModelFill:
        """The same, with each of what is held in another form."""
        return replace(self, helds=tuple(map(change, self.helds)))
