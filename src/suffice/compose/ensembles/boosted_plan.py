"""What files say of boosted members and boosted rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from suffice.core.registry import saved
from suffice.trees.tree_plans import NumberTreePlan


@saved
@dataclass(frozen=True)
class BoostedPlan(NumberTreePlan):
    """Boosted members over columns of numbers."""

    def readings(self) -> tuple[type[Any], ...]:
        """Weights, scores by round, margins."""
        from suffice.compose.ensembles.boosted_readings import BoostedReadings

        return (BoostedReadings,)
