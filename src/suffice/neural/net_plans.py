"""What files say of nets: what they answer, and what they tell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from suffice.core.registry import saved
from suffice.estimators.boundary.number_plan import NumberPlan
from suffice.estimators.design.coded_plan import CodedPlan


@saved
@dataclass(frozen=True)
class NetClassPlan(CodedPlan):
    """A net that classifies; with one label a row, or several."""

    face: str = "probabilistic"  # or "several_labels"

    def readings(self) -> tuple[type[Any], ...]:
        """Weights, errors by epoch, hidden outputs; probabilities of each of several labels."""
        from suffice.neural.net_labels import LabelShares
        from suffice.neural.net_models import NetReadings

        return (NetReadings, LabelShares) if self.face == "several_labels" else (NetReadings,)


@saved
@dataclass(frozen=True)
class NetFunctionPlan(CodedPlan):
    """A net that predicts numbers."""

    face: ClassVar[str] = "regressor"

    def readings(self) -> tuple[type[Any], ...]:
        """Weights, errors by epoch, hidden outputs."""
        from suffice.neural.net_models import NetReadings

        return (NetReadings,)


@saved
@dataclass(frozen=True)
class NetCodePlan(NumberPlan):
    """A net that recodes rows."""

    face: ClassVar[str] = "transformer"

    def readings(self) -> tuple[type[Any], ...]:
        """Weights, errors by epoch, hidden outputs."""
        from suffice.neural.net_models import NetReadings

        return (NetReadings,)
