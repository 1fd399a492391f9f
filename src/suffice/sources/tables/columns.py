"""Columns known by their names, without a table library: lists and arrays, and mappings of them as tables."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.core.kinds import Kind
from suffice.core.schema import Column, Schema
from suffice.sources.tables.analyzer import PLAIN_WORDS, Analyzer
from suffice.sources.tables.cells import days_of_array, kind_of_cells, numbers_of_cells
from suffice.sources.tables.parts import Cells, Parts, read_parts, rows_at_once
from suffice.sources.tables.symbols import Symbols, code_array, code_cells


@dataclass(frozen=True)
class PlainColumn:
    """Cells in memory, converted a block at a time.

    >>> PlainColumn([1, 2, None]).infer("age")
    Column(name='age', kind=<Kind.COUNT: 'count'>, order=None, written=None)
    """

    values: Sequence[Any] | Array

    def infer(self, name: Any) -> Column:
        """From the type of an array, or from the cells; a column without a cell that is present is unknown."""
        if isinstance(self.values, np.ndarray):
            return Column(name, kind_of_array(self.values))
        return Column(name, kind_of_cells(self.values))

    def numbers(self, column: Column, rows: slice) -> Array:
        """Some cells as floats, NaN where missing."""
        some = self.values[rows]
        if isinstance(some, np.ndarray):
            if some.dtype.kind in "biuf":
                return some.astype(np.float64, copy=False)
            if some.dtype.kind in "mM":
                return days_of_array(some)
        return numbers_of_cells(column, _listed(some), rows.start)

    def symbols(self, column: Column, rows: slice) -> Symbols:
        """Some cells as codes."""
        what, some = ("X", f"a cell of column {column.name!r}"), self.values[rows]
        if isinstance(some, np.ndarray):
            return code_array(what, some, rows.start)
        return code_cells(what, some, rows.start)

    def texts(self, rows: slice) -> Sequence[Any]:
        """Some cells as they are."""
        return _listed(self.values[rows])


NO_COLUMN = PlainColumn(())  # stands for a column that is no feature and may be lacking; it is never read


def _listed(values: Sequence[Any] | Array) -> Sequence[Any]:
    return values.tolist() if isinstance(values, np.ndarray) else values


def kind_of_array(values: Array) -> Kind:
    """The kind of a one-dimensional array."""
    if values.dtype.kind in "iu":
        return Kind.UNKNOWN if not len(values) else Kind.COUNT if values.min() >= 0 else Kind.QUANTITATIVE
    if values.dtype.kind not in _BY_TYPE:
        return kind_of_cells(values)
    return _BY_TYPE[values.dtype.kind] if len(values) and not _all_missing(values) else Kind.UNKNOWN


_BY_TYPE = {
    "b": Kind.BOOLEAN,
    "f": Kind.QUANTITATIVE,
    "c": Kind.QUANTITATIVE,  # refused when read
    "m": Kind.QUANTITATIVE,
    "M": Kind.DATE,
}


def _all_missing(values: Array) -> bool:
    return bool(values[0] != values[0]) and bool((values != values).all())


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


@dataclass(frozen=True)
class Columns(NamedColumns):
    """A mapping of column names to lists or one-dimensional arrays; None marks a missing cell.

    >>> print(Columns({"age": [31, None], "smokes": [True, False]}).infer())
    column  kind
    age     count
    smokes  boolean
    """

    cells: Mapping[Any, Any]
    analyzer: Analyzer = PLAIN_WORDS

    def __post_init__(self) -> None:
        """Refuse columns that are none, or not of one length."""
        lengths = {name: len(column.values) for name, column in self._columns.items()}
        if len(set(lengths.values())) > 1:
            raise bad("X", "the columns", "all of one length", lengths, "Mark missing cells with None.")

    @cached_property
    def _columns(self) -> dict[Any, PlainColumn]:
        return {name: PlainColumn(_one_column(name, cells)) for name, cells in self.cells.items()}

    def named(self) -> Iterable[tuple[Any, PlainColumn]]:
        """Names and their columns, in order."""
        return self._columns.items()

    @property
    def n(self) -> int:
        """Number of rows."""
        return max((len(column.values) for column in self._columns.values()), default=0)


def _one_column(name: Any, cells: Any) -> Sequence[Any] | Array:
    """Cells that can be cut into blocks."""
    if isinstance(cells, (list, tuple)) or (isinstance(cells, np.ndarray) and cells.ndim == 1):
        return cells
    if isinstance(cells, (str, bytes, Mapping)) or not hasattr(cells, "__iter__") or getattr(cells, "ndim", 1) != 1:
        raise bad("X", f"column {name!r}", "a list of cells, one a row", cells, "Put its cells into a list.")
    return list(cells)
