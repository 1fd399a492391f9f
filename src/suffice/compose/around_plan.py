"""The plan of an estimator around others: rows are handed on as they are. No scikit-learn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from suffice.core.block import Block
from suffice.core.errors import NotASummary, Said, refusal
from suffice.core.kinds import Kind
from suffice.core.registry import saved
from suffice.core.schema import Schema
from suffice.sources.tables.some_rows import SomeRows
from suffice.sources.tables.table import Table, TableOf, open_table


@dataclass(frozen=True)
class PassedOn:
    """Rows that only an estimator inside can read: one part, the table itself, all at once."""

    X: Any
    together: ClassVar[bool] = True

    @property
    def n(self) -> int:
        """Number of rows."""
        shape = getattr(self.X, "shape", None)
        if shape is not None:
            return int(shape[0])
        return len(self.X) if isinstance(self.X, (list, tuple)) else open_table(self.X).n

    def infer(self) -> Schema:
        """Nobody here knows."""
        return Schema(())

    def at_once(self, schema: Schema) -> int:
        """All."""
        return max(self.n, 1)

    def parts(self, schema: Schema, rows: slice) -> tuple[Any, ...]:
        """The table."""
        return (self.X[rows] if isinstance(self.X, SomeRows) else self.X,)


@saved
@dataclass(frozen=True)
class AroundPlan:
    """Hands rows on; `wishes` are what to decide by where `predict` is told nothing else."""

    owner: str
    wishes: Mapping[str, Any] = field(default_factory=dict)
    unexplained: Any = None
    face: str = "probabilistic"  # what it answers
    tells: tuple[str, ...] = ()  # what else, from TELLINGS

    def open(self, X: Any) -> Table:
        """As it is."""
        return PassedOn(X)

    def schema(self, table: Table) -> Schema:
        """Nobody here knows."""
        return Schema(())

    def declare(self, schema: Schema) -> Schema:
        """Nothing is declared."""
        return schema

    def chunk(self, table: Table, schema: Schema) -> tuple[Table, Schema]:
        """The features of the chunk in the order of the schema: an estimator inside may know columns by their place."""
        features = tuple(column for column in schema.columns if column.kind is not Kind.IDENTIFIER)
        return PassedOn(SomeRows(TableOf(table, Schema(features)))), Schema(())

    def keeps(self, schema: Schema) -> Any:
        """Nothing."""
        return None

    def learner(self, schema: Schema) -> Any:
        """There is none: what is inside learns."""
        raise refusal(
            NotASummary, self.owner, "learning", "left to the estimator inside", Said("a schema to learn from")
        )

    def lift(self, summary: Any, old: Schema, new: Schema) -> Any:
        """Nothing to do."""
        return summary

    def readings(self) -> tuple[type[Any], ...]:
        """What it tells beside its face."""
        from suffice.compose.around_readings import TELLINGS

        return tuple(TELLINGS[name] for name in self.tells if name in TELLINGS)


def table_of(block: Block) -> Any:
    """The rows that were handed on."""
    return block.parts[0]
