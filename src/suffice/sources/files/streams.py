"""Tables in memory or coming one by one as pages: they stay in the thread of whoever makes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from suffice.core.errors import Said, bad
from suffice.sources.files.page import TypedPage

WHERE = "rows"


def table_pages(tables: Iterable[Any]) -> Iterator[TypedPage]:
    """One page a table."""
    for number, table in enumerate(tables):
        yield TypedPage(f"table {number}", table)


def is_table(what: Any) -> bool:
    """Whether this is one table, not a series of tables: pandas, polars, Arrow, a mapping, an array, a matrix."""
    if isinstance(what, (Mapping, np.ndarray)) or hasattr(what, "tocsr"):
        return True
    shaped = hasattr(what, "shape") or hasattr(what, "num_columns")  # record batches have no shape in old versions
    return shaped and (hasattr(what, "columns") or hasattr(what, "__arrow_c_stream__"))


class Once:
    """An iterator, which can be gone through once."""

    def __init__(self, tables: Iterator[Any]) -> None:
        """Take the iterator; nothing is drawn from it yet."""
        self.tables: Iterator[Any] | None = tables

    def take(self) -> Iterator[Any]:
        """The tables; only once."""
        if self.tables is None:
            raise bad(
                "rows",
                "an iterator of tables",
                "read once",
                Said("a second pass"),
                "Open the rows anew, or pass files or a list of tables, which can be read again.",
            )
        tables, self.tables = self.tables, None
        return tables
