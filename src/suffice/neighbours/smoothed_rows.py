"""Targets smoothed by windows, as a value: it predicts on NumPy alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from suffice.core.block import Array, Block
from suffice.core.registry import saved
from suffice.estimators.boundary.number_plan import NumberPlan
from suffice.estimators.reading import reading
from suffice.families.windows.windows import Window
from suffice.neighbours.smoothers import NadarayaWatson, PriestleyChao


@saved
@dataclass(frozen=True)
class SmoothedRows:
    """Rows with targets, a window and its bandwidth."""

    smoother: NadarayaWatson | PriestleyChao
    window: Window
    bandwidth: float
    errors: Array | None = None  # mean squared error of each candidate, where the bandwidth was found by leaving out

    def predict(self, block: Block) -> Array:
        """Targets (n, q)."""
        return self.smoother.predict(block.parts[0], self.bandwidth, self.window)


class SmoothingReadings:
    """What smoothed rows tell."""

    bandwidth_ = reading("bandwidth", "The bandwidth.")

    @property
    def errors_(self: Any) -> Array:
        """Mean squared error of each candidate."""
        model: SmoothedRows = self._state()[0].model
        if model.errors is None:
            raise AttributeError("errors_ is there where the bandwidth was found by leaving rows out.")
        return model.errors


@saved
@dataclass(frozen=True)
class SmoothingPlan(NumberPlan):
    """A kernel regression."""

    face: ClassVar[str] = "regressor"

    def readings(self) -> tuple[type[Any], ...]:
        """Bandwidth and errors."""
        return (SmoothingReadings,)
