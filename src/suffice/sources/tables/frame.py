"""Tables of pandas, polars and Arrow, through narwhals, column by column; no such library is imported here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.kinds import Kind
from suffice.core.schema import Column
from suffice.sources.tables.analyzer import PLAIN_WORDS, Analyzer
from suffice.sources.tables.cells import DAY, absent, kind_of_cells, numbers_of_cells
from suffice.sources.tables.columns import NamedColumns, PlainColumn
from suffice.sources.tables.parts import Cells
from suffice.sources.tables.symbols import Symbols, code_column


@dataclass(frozen=True)
class LibraryColumn:
    """A narwhals series, converted a block at a time."""

    series: Any

    @cached_property
    def _objects(self) -> bool:
        """Whether its type says nothing: pandas' objects, whose type narwhals guesses from the first rows alone."""
        return str(getattr(self.series.to_native(), "dtype", "")) == "object"

    def infer(self, name: Any) -> Column:
        """From its type, or from the cells of objects; a column without a cell that is present is unknown."""
        import narwhals.stable.v2 as nw

        dtype = self.series.dtype
        if self._objects or dtype in (nw.Object, nw.Unknown):
            return Column(name, kind_of_cells(self._cells()))
        if self._empty():
            return Column(name, Kind.UNKNOWN)
        if dtype.is_integer():
            return Column(name, Kind.COUNT if self.series.min() >= 0 else Kind.QUANTITATIVE)
        order = self._order()
        if order is not None:
            return Column(name, Kind.ORDINAL, order)
        return Column(name, next((kind for test, kind in _BY_TYPE if test(nw, dtype)), Kind.CATEGORICAL))

    def numbers(self, column: Column, rows: slice) -> Array:
        """Some cells as floats, NaN where missing; dates and time spans in days."""
        import narwhals.stable.v2 as nw

        some, dtype = self.series[rows], self.series.dtype
        if dtype in (nw.Datetime, nw.Date):
            return _floats(some.dt.timestamp("us")) / DAY
        if dtype == nw.Duration:
            return _floats(some.dt.total_microseconds()) / DAY
        if self._objects or not (dtype.is_numeric() or dtype == nw.Boolean):
            return numbers_of_cells(column, some.to_list(), rows.start)
        return _floats(some)

    def symbols(self, column: Column, rows: slice) -> Symbols:
        """Some cells as codes."""
        return code_column(("X", f"a cell of column {column.name!r}"), self.series[rows], rows.start)

    def texts(self, rows: slice) -> Sequence[Any]:
        """Some cells as they are."""
        cells: list[Any] = self.series[rows].to_list()
        return cells

    def _cells(self) -> Any:
        """All cells, without a copy where they are objects."""
        native = self.series.to_native()
        return native.to_numpy() if self._objects else self.series.to_list()

    def _empty(self) -> bool:
        """Whether every cell is missing; where the first is not, that one tells."""
        if not all(map(absent, self.series.head(1).to_list())):
            return False
        missing = self.series.is_null()
        if self.series.dtype.is_float():
            missing = missing | self.series.is_nan().fill_null(True)
        return bool(missing.all())

    def _order(self) -> tuple[Any, ...] | None:
        """The values of an ordered column, lowest first."""
        import narwhals.stable.v2 as nw

        if self.series.dtype == nw.Enum:
            return tuple(self.series.cat.get_categories().to_list())
        arrow = getattr(self.series.to_native(), "type", None)
        if getattr(arrow, "ordered", False):
            values = (value for chunk in self.series.to_native().chunks for value in chunk.dictionary.to_pylist())
            return _once(value for value in values if not absent(value))
        return None


def _once(values: Iterable[Any]) -> tuple[Any, ...] | None:
    try:
        return tuple(dict.fromkeys(values))
    except TypeError:  # structures, which are no single values: whoever reads such a cell says so
        return None


def _floats(series: Any) -> Array:
    """Numbers or Booleans as floats, NaN where missing."""
    import narwhals.stable.v2 as nw

    # Arrow refuses to cast whole numbers above 2^53, which have no exact float; NumPy has none of 128 bits.
    whole = series.dtype.is_integer() and series.dtype not in (nw.Int128, nw.UInt128)
    array: Array = (series if whole else series.cast(nw.Float64)).to_numpy()
    return array.astype(np.float64, copy=False)


_BY_TYPE = (  # the first that fits decides; anything else is a symbol
    (lambda nw, dtype: dtype == nw.Boolean, Kind.BOOLEAN),
    (lambda nw, dtype: dtype.is_numeric() or dtype == nw.Duration, Kind.QUANTITATIVE),
    (lambda nw, dtype: dtype in (nw.Datetime, nw.Date), Kind.DATE),
)


@dataclass(frozen=True)
class Frame(NamedColumns):
    """A table of a library, as a narwhals frame. Each block is converted column by column, never the whole table.

    >>> import narwhals.stable.v2 as nw
    >>> import pandas as pd
    >>> table = pd.DataFrame({"age": [31, 44], "site": ["north", None]})
    >>> print(Frame(nw.from_native(table)).infer())
    column  kind
    age     count
    site    categorical
    """

    frame: Any
    analyzer: Analyzer = PLAIN_WORDS

    @property
    def n(self) -> int:
        """Number of rows."""
        return int(self.frame.shape[0])

    def floats(self, name: Any) -> Array:
        """All cells of a column as floats, whatever its kind: NaN where missing, dates and time spans in days."""
        return LibraryColumn(self.frame.get_column(name)).numbers(Column(name, Kind.QUANTITATIVE), slice(0, self.n))

    @cached_property
    def _columns(self) -> dict[Any, Cells]:
        return {name: _opened(self.frame.get_column(name)) for name in self.frame.columns}


def _opened(series: Any) -> Cells:
    """A column of the library, or the NumPy array that pandas keeps its numbers in: cut without its overhead."""
    native = series.to_native()
    kept = getattr(native, "dtype", None)
    plain = isinstance(kept, np.dtype) and kept.kind in "biufmM"
    return PlainColumn(native.to_numpy()) if plain else LibraryColumn(series)
