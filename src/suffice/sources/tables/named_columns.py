"""Tables whose columns are known by their names: what mappings and the frames of table libraries share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from suffice.core.schema import Schema
from suffice.sources.tables.analyzer import Analyzer
from suffice.sources.tables.parts import Cells, Parts, read_parts, rows_at_once
from suffice.sources.tables.plain_column import NO_COLUMN


class NamedColumns(ABC):
    """A table that reads its blocks column by column."""

    analyzer: Analyzer

    @property
    @abstractmethod
    def n(self) -> int:
        """Number of rows."""

    @property
    @abstractmethod
    def _columns(self) -> Mapping[Any, Cells]:
        """The columns by name."""

    def infer(self) -> Schema:
        """The kinds of its columns."""
        return Schema(tuple(column.infer(name) for name, column in self._columns.items()))

    def at_once(self, schema: Schema) -> int:
        """As many rows as are converted at a time."""
        return rows_at_once(len(schema.columns))

    def parts(self, schema: Schema, rows: slice) -> Parts:
        """Some rows; columns are known by their names."""
        start, stop, _ = rows.indices(self.n)
        columns = [self._columns.get(name, NO_COLUMN) for name in schema.find(list(self._columns))]
        return read_parts(schema, columns, slice(start, stop), self.analyzer)
