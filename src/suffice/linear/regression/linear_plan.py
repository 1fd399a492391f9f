"""From a schema to a linear learner: what the parameters of a linear model ask for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from suffice.core.registry import saved
from suffice.core.schema import Schema
from suffice.linear.design import Design
from suffice.linear.design_plan import DesignPlan
from suffice.linear.regression.linear_learner import LinearLearner
from suffice.sources.tables.analyzer import PLAIN_WORDS, Analyzer

LAST = "_last_learner"  # among the attributes of a plan


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
    analyzer: Analyzer = PLAIN_WORDS
    chosen: bool = False  # whether the penalty was chosen from the rows
    gaps: bool = False  # whether cells may be missing
    flattens: bool = False  # whether a table of one target is answered by one number a row, as by scikit-learn's Ridge

    face: ClassVar[str] = "regressor"

    def keeps(self, schema: Schema) -> Any:
        """Which products of columns are kept."""
        return self.degree, self.interactions

    @property
    def pushes(self) -> bool:
        """Whether what is kept of rows tells what would be kept of rows whose columns are scaled."""
        return self.degree == 1

    @property
    def quadratic(self) -> float | None:
        """The penalty of squared coefficients, where products of columns tell the model of any subset; else None."""
        found: float | None = getattr(self.solver, "quadratic", None) if self.degree == 1 and not self.kinds else None
        return found

    @property
    def mixed(self) -> bool:
        """Whether it also tells that of rows whose columns are mixed, as by a rotation."""
        return self.pushes

    @property
    def fixed(self) -> Any:
        """The solver, where its penalty was chosen from the rows: models add under the same one."""
        return self.solver if self.chosen else None

    def learner(self, schema: Schema) -> LinearLearner:
        """The learner for tables of this schema; the last one is kept, as it is asked for again to estimate."""
        known: tuple[Schema, LinearLearner] | None = vars(self).get(LAST)
        if known is None or known[0] is not schema:
            known = schema, LinearLearner(self.design(schema), self.solver, self.intercept)
            vars(self)[LAST] = known
        return known[1]

    def design(self, schema: Schema) -> Design:
        """How rows of a schema become a matrix."""
        return Design(self.owner, schema, self.degree, self.interactions, self.gaps)

    def readings(self) -> tuple[type[Any], ...]:
        """Coefficients, their names and tests."""
        from suffice.linear.regression.coefficients import Tested

        return (Tested,)
