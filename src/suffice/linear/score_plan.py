"""From a schema to a learner of linear scores. No scikit-learn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from suffice.core.by_class import ByClass
from suffice.core.kinds import Kind
from suffice.core.registry import saved
from suffice.core.schema import Schema
from suffice.linear.design import Design
from suffice.linear.scores import ScoreLearner
from suffice.sources.analyzer import Analyzer
from suffice.sources.matrix import Matrix
from suffice.sources.table import Table, open_table


@saved
@dataclass(frozen=True)
class ScorePlan:
    """A rule for directions, and how tables become design matrices."""

    owner: str  # the estimator
    rule: Any  # a Rule
    kinds: Mapping[Any, Any] = field(default_factory=dict)  # by column
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
        """All rules read the same."""
        return None

    def learner(self, schema: Schema) -> ScoreLearner:
        """The learner for tables of this schema."""
        return ScoreLearner(Design(self.owner, schema), self.rule)

    def lift(self, summary: ByClass, old: Schema, new: Schema) -> ByClass:
        """Nothing to do: terms are known by name."""
        return summary

    def loaded(self, value: Any) -> Any:
        """The model of a file."""
        from suffice.linear.loaded_scores import LoadedLinearScores

        return LoadedLinearScores(value)
