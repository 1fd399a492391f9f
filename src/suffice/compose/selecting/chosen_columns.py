"""Columns that an estimator has chosen, as a map of rows. No scikit-learn."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from suffice.compose.held import Held
from suffice.core.block import Array, Block
from suffice.core.kinds import Kind
from suffice.core.registry import saved
from suffice.core.schema import Schema
from suffice.estimators.reading import reading
from suffice.features.column_plan import NumberCells


@saved
@dataclass(frozen=True)
class ChoicePlan(NumberCells):
    """Rows of numbers; whether cells may be missing is the estimator's to say."""

    face: ClassVar[str] = "transformer"

    def readings(self) -> tuple[type[Any], ...]:
        """Which columns stay."""
        return (ChoiceReadings,)


class ChoiceReadings:
    """Which columns stay, and why."""

    support_ = reading("support", "Which columns stay (d,).")
    scores_ = reading("scores", "What the columns were judged by (d,), or the scores of the subsets on the way.")

    def get_support(self: Any, indices: bool = False) -> Array:
        """Which columns stay: True or False of each (d,), or their numbers.

        Parameters
        ----------
        indices : whether to give numbers
        """
        mask = self._state()[0].model.support
        return np.flatnonzero(mask) if indices else mask.copy()


@saved
@dataclass(frozen=True)
class ChosenColumns:
    """The columns that stay, why, and the estimator that said so where it is kept."""

    owner: str
    support: Array  # (d,) True for those that stay
    scores: Array  # importances (d,), or scores on the way
    threshold: float = np.nan
    helds: tuple[Held, ...] = ()

    def map(self, block: Block) -> Block:
        """The columns that stay."""
        if not self.support.any():
            told = "no column stays (No features were selected: either the data is too noisy or the test too strict)"
            warnings.warn(f"{self.owner}: {told}.", UserWarning, stacklevel=8)
        return block._replace(parts=(np.ascontiguousarray(np.asarray(block.parts[0])[:, self.support]),))

    def inverse(self, Z: Array) -> Array:
        """Columns in their places, 0 where one did not stay."""
        rows = np.zeros((len(Z), len(self.support)), dtype=Z.dtype)
        rows[:, self.support] = Z
        return rows

    def map_schema(self, schema: Schema) -> Schema:
        """The columns that stay."""
        chosen = zip(schema.columns, self.support.tolist(), strict=True)
        return Schema(tuple(replace(column, kind=Kind.QUANTITATIVE) for column, stays in chosen if stays))

    def names_out(self, names: tuple[Any, ...]) -> tuple[Any, ...]:
        """Their names."""
        return tuple(name for name, stays in zip(names, self.support.tolist(), strict=True) if stays)

    def holding(self, change: Callable[[Held], Held]) -> ChosenColumns:
        """The same, with what is held in another form."""
        return replace(self, helds=tuple(map(change, self.helds)))
