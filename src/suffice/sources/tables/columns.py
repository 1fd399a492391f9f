"""Mappings of names to columns as tables: no table library needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.sources.tables.analyzer import Analyzer
from suffice.sources.tables.named_columns import NamedColumns
from suffice.sources.tables.plain_column import PlainColumn


@dataclass(frozen=True)
class Columns(NamedColumns):
    """A mapping of column names to lists or one-dimensional arrays; None marks a missing cell.

    >>> print(Columns({"age": [31, None], "smokes": [True, False]}).infer())
    column  kind
    age     count
    smokes  boolean
    """

    cells: Mapping[Any, Any]
    analyzer: Analyzer = field(default_factory=Analyzer)

    def __post_init__(self) -> None:
        """Refuse columns that are none, or not of one length."""
        lengths = {name: len(column.values) for name, column in self._columns.items()}
        if len(set(lengths.values())) > 1:
            raise bad("X", "the columns", "all of one length", lengths, "Mark missing cells with None.")

    @cached_property
    def _columns(self) -> dict[Any, PlainColumn]:
        return {name: PlainColumn(_listed(name, cells)) for name, cells in self.cells.items()}

    @property
    def n(self) -> int:
        """Number of rows."""
        return max((len(column.values) for column in self._columns.values()), default=0)


def _listed(name: Any, cells: Any) -> Sequence[Any] | Array:
    """Cells that can be cut into blocks."""
    if isinstance(cells, (list, tuple)) or (isinstance(cells, np.ndarray) and cells.ndim == 1):
        return cells
    if isinstance(cells, (str, bytes, Mapping)) or not hasattr(cells, "__iter__") or getattr(cells, "ndim", 1) != 1:
        raise bad("X", f"column {name!r}", "a list of cells, one a row", cells, "Put its cells into a list.")
    return list(cells)
