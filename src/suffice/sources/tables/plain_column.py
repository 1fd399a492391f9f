"""A column without a table library: a list of Python values or a one-dimensional NumPy array."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.kinds import Kind
from suffice.core.schema import Column
from suffice.sources.tables.cells import days_of_array, kind_of_cells, numbers_of_cells
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
