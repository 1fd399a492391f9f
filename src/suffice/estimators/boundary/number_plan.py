"""What the plans of models of plain numbers share. No scikit-learn."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from suffice.core.errors import NotASummary, Said, bad, refusal
from suffice.core.kinds import Kind, Storage
from suffice.core.schema import Column, Schema
from suffice.sources.tables.numbers import FiniteNumbers, Numbers, number_columns, open_numbers
from suffice.sources.tables.table import Table

READ_AS_NUMBERS = (Kind.UNKNOWN, Kind.BOOLEAN, Kind.COUNT, Kind.RATIO)  # as an array of floats would hold them


@dataclass(frozen=True)
class NumberPlan:
    """Rows are numbers, none of them missing unless the plan allows it; the model was found, and no summary is kept."""

    owner: str  # the estimator

    whole: ClassVar[bool] = True  # models divide the rows to predict by themselves, where that pays
    linear: ClassVar[bool] = False  # whether its map, if it is one, is affine in each column, whatever the rows were
    allow_nan: ClassVar[bool] = False  # whether cells may be missing
    others: ClassVar[str] = "Leave the column out."  # what to do with columns that are no numbers

    def open(self, X: Any) -> Table:
        """An array, a sparse matrix, or a table of numbers."""
        return open_numbers(self.owner, X)

    def schema(self, table: Table) -> Schema:
        """All columns are numbers."""
        return table.infer()

    def declare(self, schema: Schema) -> Schema:
        """Nothing is declared."""
        return schema

    def keeps(self, schema: Schema) -> Any:
        """No summary."""
        return None

    def learner(self, schema: Schema) -> Any:
        """There is none: the model was found from rows in memory."""
        raise refusal(NotASummary, self.owner, "a model", "found from its rows", Said("a sum of them"), "Use fit.")

    def lift(self, summary: Any, old: Schema, new: Schema) -> Any:
        """Nothing to do: there is one part."""
        return summary

    def chunk(self, table: Table, schema: Schema) -> tuple[Table, Schema]:
        """A chunk of a file, all of whose features must be numbers; Booleans are 0 and 1, dates are days."""
        wanted = self.numbers(schema)
        if table.n and wanted.columns:
            names, X = number_columns(self.owner, table, schema, dates=True)
            table = Numbers(X, names, self.owner)
        return FiniteNumbers(table, self.owner, self.allow_nan), wanted

    def numbers(self, schema: Schema) -> Schema:
        """The features as numbers of one kind, so that chunks agree; identifiers are none."""
        return Schema(tuple(self._number(c) for c in schema.columns if c.kind is not Kind.IDENTIFIER))

    def readings(self) -> tuple[type[Any], ...]:
        """Classes whose methods and properties a model from a file has beside its face."""
        return ()

    def _number(self, column: Column) -> Column:
        if column.kind in READ_AS_NUMBERS:
            return replace(column, kind=Kind.QUANTITATIVE)
        if column.kind.storage is not Storage.NUMBERS:
            came = Said(f"{column.name!r}, which is {column.kind.value}")
            raise bad(self.owner, "the features", "columns of numbers", came, self.others)
        return column
