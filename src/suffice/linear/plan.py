"""From a schema to a linear learner: what the parameters of a linear model ask for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from suffice.core.kinds import Kind
from suffice.core.registry import saved
from suffice.core.schema import Schema
from suffice.linear.design import Design
from suffice.linear.learner import LinearLearner
from suffice.linear.terms import ByTerm
from suffice.sources.analyzer import Analyzer
from suffice.sources.matrix import Matrix
from suffice.sources.table import Table, open_table


@saved
@dataclass(frozen=True)
class LinearPlan:
    """A solver, and how tables become design matrices."""

    owner: str  # the estimator
    solver: Any  # a Solver
    intercept: bool = True
    kinds: Mapping[Any, Any] = field(default_factory=dict)  # by column
    degree: int = 1
    interactions: bool = False
    analyzer: Analyzer = field(default_factory=Analyzer)

    def open(self, X: Any) -> Table:
        """Any table."""
        return open_table(X)

    def schema(self, table: Table) -> Schema:
        """What the columns show, then what the user declared; the columns of a sparse matrix are numbers."""
        shown = table.infer()
        if isinstance(table, Matrix):
            shown = Schema.numbered([Kind.QUANTITATIVE] * table.X.shape[1])
        return self.declare(shown)

    def declare(self, schema: Schema) -> Schema:
        """What the user declared in place of what the columns showed."""
        return schema.declare(self.owner, self.kinds)

    def keeps(self, schema: Schema) -> Any:
        """Which products of columns are kept."""
        return self.degree, self.interactions

    def learner(self, schema: Schema) -> LinearLearner:
        """The learner for tables of this schema."""
        return LinearLearner(Design(self.owner, schema, self.degree, self.interactions), self.solver, self.intercept)

    def lift(self, summary: ByTerm, old: Schema, new: Schema) -> ByTerm:
        """Nothing to do: terms are known by name."""
        return summary

    def loaded(self, value: Any) -> Any:
        """The model of a file."""
        from suffice.linear.loaded import LoadedLinear

        return LoadedLinear(value)
