"""What a fitted chain tells of itself: the same for estimators and for loaded models. No scikit-learn."""

from __future__ import annotations

from typing import Any


class ChainReadings:
    """How often the rows were read, and why."""

    @property
    def passes_(self: Any) -> int:
        """How often the rows were read: once, and the chain adds; or once a step, and as often as the last needs."""
        state = self._state()[0]
        return 1 if state.adds else int(state.state.passes)

    @property
    def reason_(self: Any) -> str:
        """Why it took so many passes."""
        plan = self._state()[0].plan
        if plan.ranked:
            return "rankings by class tell both cuts and how often each bin occurs"
        return "; ".join(plan.reasons) or "every step is linear, and the last is pushed through them"
