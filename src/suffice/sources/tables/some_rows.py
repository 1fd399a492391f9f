"""Some rows of an open table, as a table: for those who hand tables on and take rows of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from suffice.core.block import Array, take
from suffice.core.schema import Schema
from suffice.sources.tables.parts import Parts
from suffice.sources.tables.table import TableAround


@dataclass(frozen=True)
class SomeRows(TableAround):
    """A table whose rows can be taken by number, `rows[places]`; nothing is copied before parts are asked for.

    >>> from suffice.sources.tables.columns import Columns
    >>> some = SomeRows(Columns({"age": [31.0, 44.0, 50.0]}))[np.array([2, 0])]
    >>> some.n, some.parts(some.infer(), slice(0, 2))[0].ravel().tolist()
    (2, [50.0, 31.0])
    """

    places: Array | None = None  # numbers of rows; None for all

    @property
    def n(self) -> int:
        """Number of rows."""
        return self.table.n if self.places is None else len(self.places)

    @property
    def analyzer(self) -> Any:
        """How texts become words."""
        return getattr(self.table, "analyzer", None)

    def __getitem__(self, rows: Array | slice) -> SomeRows:
        """Rows of these rows."""
        mine = np.arange(self.table.n) if self.places is None else self.places
        return replace(self, places=mine[rows])

    def at_once(self, schema: Schema) -> int:
        """All rows where some were taken, else as the table."""
        return self.table.at_once(schema) if self.places is None else max(self.n, 1)

    def parts(self, schema: Schema, rows: slice) -> Parts:
        """Some rows, as the parts of the schema."""
        if self.places is None:
            return self.table.parts(schema, rows)
        whole = self.table.parts(schema, slice(0, self.table.n))
        return tuple(take(part, self.places[rows]) for part in whole)
