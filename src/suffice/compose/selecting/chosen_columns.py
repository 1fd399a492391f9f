"""Columns that an estimator has chosen, as a map of rows. No scikit-learn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from suffice.compose.held import Held
from suffice.core.block import Array
from suffice.core.registry import saved
from suffice.estimators.reading import reading
from suffice.features.column_plan import NumberCells
from suffice.features.selection.kept_columns import KeptColumns, get_support


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
    get_support = get_support


@saved
@dataclass(frozen=True)
class ChosenColumns(KeptColumns):
    """The columns that stay, why, and the estimator that said so where it is kept."""

    owner: str
    support: Array  # (d,) True for those that stay
    scores: Array  # importances (d,), or scores on the way
    threshold: float = np.nan
    helds: tuple[Held, ...] = ()
    most: int | None = None  # columns that may stay, where a most was asked for

    @property
    def told_by(self) -> str:
        """The estimator."""
        return self.owner

    def holding(self, change: Callable[[Held], Held]) -> ChosenColumns:
        """The same, with what is held in another form."""
        return replace(self, helds=tuple(map(change, self.helds)))
