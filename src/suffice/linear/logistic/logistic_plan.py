"""From a schema to a logistic model: what the parameters of logistic regression ask of a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from suffice.core.registry import saved
from suffice.linear.regression.linear_plan import LinearPlan


@saved
@dataclass(frozen=True)
class LogisticPlan(LinearPlan):
    """How tables become design matrices; the coefficients are found in passes."""

    solver: Any = None

    face: ClassVar[str] = "probabilistic"

    def readings(self) -> tuple[type[Any], ...]:
        """Coefficients, their names and identities."""
        from suffice.linear.logistic.logistic_readings import LogisticReadings

        return (LogisticReadings,)
