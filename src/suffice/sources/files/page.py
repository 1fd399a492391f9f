"""Pages: some rows as they come, before their columns are known: of a file, or of tables that come one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from suffice.core.errors import Said, bad
from suffice.core.kinds import Kind
from suffice.sources.files.text_format import Format
from suffice.sources.written.written_cells import Text

Expected = Callable[[Any], Kind]  # what a column is taken for so far: a hint that changes no result


class Page(NamedTuple):
    """Written rows."""

    where: str  # the file
    names: tuple[Any, ...]  # of all columns
    columns: Mapping[Any, Text]  # those that are read
    n: int
    short: int = 0  # rows with too few cells
    long: tuple[int, ...] = ()  # rows with too many cells
    cut: int = 0  # 1 where the last row is cut off
    nuls: int = 0  # NUL characters that were removed
    notes: tuple[str, ...] = ()


class TypedPage(NamedTuple):
    """Rows whose columns have types: a table of a library, a mapping of columns, or an array."""

    where: str
    table: Any
    names: tuple[Any, ...] | None = None  # of all columns, those that are not read included; None: the table's own


@dataclass(frozen=True)
class Layout:
    """How the rows of one file are written."""

    where: str
    format: Format
    separator: str
    names: tuple[str, ...]
    ignore: frozenset[Any] = frozenset()

    @property
    def wanted(self) -> list[tuple[int, str]]:
        """Places and names of the columns that are read."""
        return [(place, name) for place, name in enumerate(self.names) if name not in self.ignore]


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
