"""What files say of support vector machines and perceptrons: what they answer, and what they tell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from suffice.core.registry import saved
from suffice.estimators.design.coded_plan import CodedPlan


@saved
@dataclass(frozen=True)
class MachinePlan(CodedPlan):
    """A support vector machine; its face is another where it gives probabilities."""

    face: str = "classifier"

    def readings(self) -> tuple[type[Any], ...]:
        """Vectors, multipliers, thresholds; scores, where its face does not tell them."""
        from suffice.margin.svc.support_readings import ScoreReadings, SupportReadings

        return (SupportReadings, ScoreReadings)


@saved
@dataclass(frozen=True)
class PerceptronPlan(CodedPlan):
    """Linear scores that were learned row by row."""

    face: ClassVar[str] = "classifier"

    def readings(self) -> tuple[type[Any], ...]:
        """Coefficients, sweeps, mistakes."""
        from suffice.margin.perceptron.linear_scores import LinearReadings

        return (LinearReadings,)


@saved
@dataclass(frozen=True)
class DualPlan(CodedPlan):
    """Scores by a kernel and the rows that were ever wrong."""

    face: ClassVar[str] = "classifier"

    def readings(self) -> tuple[type[Any], ...]:
        """Rows that were wrong, and how often."""
        from suffice.margin.perceptron.dual_scores import DualReadings

        return (DualReadings,)


@saved
@dataclass(frozen=True)
class LinePlan(CodedPlan):
    """A linear function that was learned row by row."""

    face: ClassVar[str] = "regressor"

    def readings(self) -> tuple[type[Any], ...]:
        """Coefficients, sweeps, residuals."""
        from suffice.margin.perceptron.linear_function import LineReadings

        return (LineReadings,)
