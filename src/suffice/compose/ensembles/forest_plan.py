"""What files say of forests: what they answer, and what they tell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from suffice.core.registry import saved
from suffice.trees.tree_plans import NumberTreePlan, TablePlan


@saved
@dataclass(frozen=True)
class NumberForestPlan(NumberTreePlan):
    """Forests over columns of numbers, some of which may be missing."""

    def readings(self) -> tuple[type[Any], ...]:
        """Trees, leaves, importances."""
        from suffice.compose.ensembles.forest_readings import ForestReadings

        return (ForestReadings,)


@saved
@dataclass(frozen=True)
class TableForestPlan(TablePlan):
    """Forests over tables of every kind but texts."""

    def readings(self) -> tuple[type[Any], ...]:
        """Trees, leaves, importances."""
        from suffice.compose.ensembles.forest_readings import ForestReadings

        return (ForestReadings,)
