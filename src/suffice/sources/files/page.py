"""Pages: the rows of one block as they came, before anybody decided what the columns are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

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
