"""Plans of models of plain numbers that take any table: its columns become numbers by a design. No scikit-learn."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Self

from suffice.core.errors import BadInput
from suffice.core.schema import Schema
from suffice.estimators.boundary.number_plan import NumberPlan
from suffice.estimators.design.table_design import TableDesign, feature_schema
from suffice.estimators.state.origin import library
from suffice.sources.tables.numbers import Numbers, number_schema
from suffice.sources.tables.table import Table


@dataclass(frozen=True)
class CodedPlan(NumberPlan):
    """Rows are numbers, or become numbers as the rows of training did."""

    design: TableDesign | None = field(default=None, kw_only=True)  # None: the rows of training were an array

    def open(self, X: Any) -> Table:
        """Numbers as they are; a table by the design, or as it is where there is none yet."""
        if isinstance(X, Numbers):
            return X
        if self.design is None:
            return X if isinstance(X, Table) else super().open(X)
        if not self.design.plain or library(X) == "mapping":
            return self.design.table(X)
        try:
            return super().open(X)
        except BadInput:
            if library(X) is None:
                raise
            return self.design.table(X)

    def schema(self, table: Table) -> Schema:
        """The kinds that the columns show."""
        shown = table.infer()
        return shown if isinstance(table, Numbers) else feature_schema(self.owner, shown)

    def chunk(self, table: Table, schema: Schema) -> tuple[Table, Schema]:
        """A chunk of a file, by the design where there is one."""
        if self.design is None or not table.n:
            return super().chunk(table, schema)
        return self.design.table(table), number_schema(self.design.names, len(self.design.names))

    def by(self, design: TableDesign) -> Self:
        """The same plan for tables that become numbers by this design."""
        return replace(self, design=design)


@dataclass(frozen=True)
class RawChunks:
    """Reads chunks of files as they are, to find their design."""

    owner: str

    def chunk(self, table: Table, schema: Schema) -> tuple[Table, Schema]:
        """All columns that can become numbers."""
        return table, schema
