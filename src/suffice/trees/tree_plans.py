"""What files say of trees: what they answer, and what they tell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from suffice.core.errors import Said, bad
from suffice.core.kinds import Kind, Storage
from suffice.core.registry import saved
from suffice.core.schema import Schema
from suffice.estimators.boundary.number_plan import NumberPlan
from suffice.sources.tables.numbers import open_numbers
from suffice.sources.tables.table import Table, open_table


@saved
@dataclass(frozen=True)
class NumberTreePlan(NumberPlan):
    """Trees over columns of numbers, some of which may be missing."""

    face: str = "probabilistic"
    allow_nan: bool = True  # type: ignore[misc]  # here the estimator decides

    def open(self, X: Any) -> Table:
        """Numbers, sparse ones as an array."""
        X = X.toarray() if hasattr(X, "tocsr") else X
        return open_numbers(self.owner, X, self.allow_nan, "Use Tree, which takes symbols too.")

    def readings(self) -> tuple[type[Any], ...]:
        """Nodes, paths, importances."""
        from suffice.trees.tree_readings import TreeReadings

        return (TreeReadings,)


@saved
@dataclass(frozen=True)
class TablePlan:
    """Trees and rules over tables of every kind but texts."""

    owner: str
    kinds: Mapping[Any, Any] = field(default_factory=dict)  # by column
    face: str = "probabilistic"
    tells: str = "tree"  # what else it tells

    whole: ClassVar[bool] = True

    def open(self, X: Any) -> Table:
        """Any table."""
        return open_table(X)

    def schema(self, table: Table) -> Schema:
        """What the columns show, then what the user declared."""
        return self.declare(table.infer())

    def declare(self, schema: Schema) -> Schema:
        """What the user declared in place of what the columns showed."""
        return schema.declare(self.owner, self.kinds)

    def keeps(self, schema: Schema) -> Any:
        """No summary."""
        return None

    def learner(self, schema: Schema) -> Any:
        """There is none: trees are found level by level."""
        raise bad(self.owner, "a model", "found from its rows", Said("a sum of them"), "Use fit.")

    def lift(self, summary: Any, old: Schema, new: Schema) -> Any:
        """Nothing to do."""
        return summary

    def chunk(self, table: Table, schema: Schema) -> tuple[Table, Schema]:
        """As it is."""
        return table, schema

    def readings(self) -> tuple[type[Any], ...]:
        """Nodes and paths, rules, or subgroups."""
        if self.tells == "subgroups":
            from suffice.trees.rules.subgroups import SubgroupReadings

            return (SubgroupReadings,)
        if self.tells == "rules":
            from suffice.trees.rules.rule_readings import RuleReadings

            return (RuleReadings,)
        from suffice.trees.tree_readings import TreeReadings

        return (TreeReadings,)

    def check(self, schema: Schema) -> None:
        """Refuse texts, and tables without a column to learn from."""
        for column in schema.columns:
            if column.kind.storage is Storage.WORDS:
                rule = "numbers, dates or symbols"
                remedy = "Declare it categorical, leave it out, or turn its words into columns first."
                raise bad(self.owner, f"column {column.name!r}", rule, Said("a text"), remedy)
        if not schema.features:
            raise schema.without_features(self.owner)


SYMBOL_KINDS = (Kind.BOOLEAN, Kind.CATEGORICAL, Kind.ORDINAL)
