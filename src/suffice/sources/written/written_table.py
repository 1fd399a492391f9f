"""Written rows as a table: each column read as the kind it was taken for, and anew where a model asks for another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.kinds import Kind
from suffice.core.schema import Column, Schema
from suffice.core.written_forms import is_plain
from suffice.sources.files.text_format import Format
from suffice.sources.tables.analyzer import PLAIN_WORDS, Analyzer
from suffice.sources.tables.parts import Parts, read_parts
from suffice.sources.tables.symbols import Symbols
from suffice.sources.written.convert import Converted, convert
from suffice.sources.written.written_cells import Text


@dataclass(frozen=True)
class WrittenColumn:
    """The cells of a column as they were written, and as they were read."""

    text: Text
    column: Column
    found: Converted
    format: Format

    def infer(self, name: Any) -> Column:
        """What it was taken for."""
        return self.column

    def numbers(self, column: Column, rows: slice) -> Array:
        """Some cells as numbers, truth values as 0 and 1 as those of tables in memory; what is none is missing."""
        if self.column.kind is Kind.BOOLEAN and column.kind is not Kind.DATE and self.found.symbols is not None:
            codes, labels = self.found.symbols
            return np.array([*map(float, labels), np.nan])[codes[rows]]
        found = self.found.numbers
        if found is None or column.kind.storage is not self.column.kind.storage or self._other(column):
            found = convert(self.text, column, self.format).numbers
        assert found is not None
        return found[rows]

    def _other(self, column: Column) -> bool:
        """Whether dates were asked for and numbers read, or the other way round; or another form of them."""
        if (column.kind is Kind.DATE) != (self.column.kind is Kind.DATE):
            return True
        said = self.column.name in self.format.written
        return not (said or is_plain(column.form) or column.form == self.column.form)

    def symbols(self, column: Column, rows: slice) -> Symbols:
        """Some cells as codes; what the kind does not know is missing."""
        found = self.found.symbols
        if found is None or (column.kind, column.order) != (self.column.kind, self.column.order):
            found = convert(self.text, column, self.format, declared=True).symbols
        assert found is not None
        return found[0][rows], found[1]

    def texts(self, rows: slice) -> Sequence[Any]:
        """Some cells as they were written, None where missing."""
        return self.text.texts()[rows]


@dataclass(frozen=True)
class WrittenTable:
    """Rows of a text file.

    >>> from suffice.core.kinds import Kind
    >>> from suffice.sources.written.written_cells import ListText
    >>> text, column = ListText(["31", "44"], Format()), Column("age", Kind.COUNT)
    >>> read = WrittenColumn(text, column, convert(text, column, Format()), Format())
    >>> WrittenTable({"age": read}, 2).parts(Schema((column,)), slice(None))[0].ravel().tolist()
    [31.0, 44.0]
    """

    columns: Mapping[Any, WrittenColumn]
    n: int
    analyzer: Analyzer = PLAIN_WORDS

    def infer(self) -> Schema:
        """What the columns were taken for."""
        return Schema(tuple(column.column for column in self.columns.values()))

    def at_once(self, schema: Schema) -> int:
        """All rows: they are converted already."""
        return max(self.n, 1)

    def parts(self, schema: Schema, rows: slice) -> Parts:
        """Some rows; columns are known by their names."""
        start, stop, _ = rows.indices(self.n)
        columns: list[Any] = [self.columns.get(name) for name in schema.find(list(self.columns))]
        return read_parts(schema, columns, slice(start, stop), self.analyzer)
