"""From a schema to a linear learner: what the parameters of a linear model ask for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from suffice.core.registry import saved
from suffice.core.schema import Schema
from suffice.linear.design import Design
from suffice.linear.design_plan import DesignPlan
from suffice.linear.learner import LinearLearner
from suffice.sources.analyzer import Analyzer


@saved
@dataclass(frozen=True)
class LinearPlan(DesignPlan):
    """A solver, and how tables become design matrices."""

    owner: str  # the estimator
    solver: Any  # a Solver
    intercept: bool = True
    kinds: Mapping[Any, Any] = field(default_factory=dict)  # by column
    degree: int = 1
    interactions: bool = False
    analyzer: Analyzer = field(default_factory=Analyzer)

    def keeps(self, schema: Schema) -> Any:
        """Which products of columns are kept."""
        return self.degree, self.interactions

    def learner(self, schema: Schema) -> LinearLearner:
        """The learner for tables of this schema."""
        return LinearLearner(Design(self.owner, schema, self.degree, self.interactions), self.solver, self.intercept)

    def loaded(self, value: Any) -> Any:
        """The model of a file."""
        from suffice.linear.loaded import LoadedLinear

        return LoadedLinear(value)
