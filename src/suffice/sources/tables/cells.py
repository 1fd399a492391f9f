"""Python values as cells: which are missing, what kind a run of them shows, and their numbers.

Missing are None, NaN, NaT and pandas' NA. Nothing of a table library is imported for that.
"""

from __future__ import annotations

import datetime
import sys
from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise
from numbers import Integral, Real
from types import SimpleNamespace
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad, shown
from suffice.core.kinds import Kind, join
from suffice.core.schema import Column

OTHER = 2


def singletons(cells: Array) -> Array:
    """For each cell of an array of objects 1 if it is True, 0 if False, -1 if None, 2 if it is any other object.

    >>> singletons(np.array([True, None, "yes", False, 1], dtype=object))
    array([ 1, -1,  2,  0,  2], dtype=int8)
    """
    codes = np.full(cells.shape, OTHER, dtype=np.int8)
    where = addresses(cells)
    if where is not None:
        for value, code in ((True, 1), (False, 0), (None, -1)):
            codes -= np.int8(OTHER - code) * (where == id(value)).view(np.int8)  # writing by a mask is slower
    return codes


def addresses(cells: Array) -> Array | None:
    """The memory of an array of objects, read as numbers, valid as long as `cells` is; None where there are none.

    With CPython `id` is an address, and an array of objects holds addresses.
    """
    if sys.implementation.name != "cpython":
        return None
    told = cells.__array_interface__
    number = np.dtype(np.uintp).str
    return np.asarray(SimpleNamespace(__array_interface__={**told, "typestr": number, "descr": [("", number)]}))


DAY = 86_400_000_000  # microseconds
FIRST_SCANNED, SCANNED = 256, 65_536  # cells looked at before asking whether the kind is settled, first and then
_TICK = datetime.timedelta(microseconds=1)
_EPOCH = datetime.datetime(1970, 1, 1)
_SPANS = (datetime.timedelta, np.timedelta64)
_READABLE = (int, float, np.integer, np.floating, np.bool_, Decimal, str, type(None))  # by NumPy, and as they are meant
_NEVER_MISSING = (bool, int, str)

_SHOWS: tuple[tuple[Any, Kind], ...] = (  # the first that fits decides; anything else is a symbol
    ((bool, np.bool_), Kind.BOOLEAN),
    (_SPANS, Kind.QUANTITATIVE),  # before whole numbers, among which NumPy counts its time spans
    (Integral, Kind.COUNT),
    ((Real, Decimal, complex), Kind.QUANTITATIVE),  # complex ones are refused when they are read
    ((datetime.date, np.datetime64), Kind.DATE),
)


def absent(cell: Any) -> bool:
    """Whether a cell is missing."""
    if cell is None:
        return True
    differs = cell != cell  # true of NaN and NaT; pandas' NA answers with itself
    return bool(differs) if isinstance(differs, (bool, np.bool_)) else differs is cell


def kind_of_cells(cells: Sequence[Any] | Array) -> Kind:
    """The least kind that all cells may be taken for; missing cells say nothing, and what mixes is categorical."""
    kind = Kind.UNKNOWN
    for start, stop in pairwise([0, *range(FIRST_SCANNED, len(cells), SCANNED), len(cells)]):
        kind = join(kind, _kind_of_some(cells[start:stop])) or Kind.CATEGORICAL
        if kind is Kind.CATEGORICAL:  # no cell can change that
            break
    return kind


def _kind_of_some(cells: Sequence[Any] | Array) -> Kind:
    if not isinstance(cells, np.ndarray):
        return _kind_of_listed(cells)
    if cells.dtype.kind != "O":
        return _kind_of_listed(cells.tolist())
    found = singletons(cells)
    truths = Kind.BOOLEAN if ((found == 0) | (found == 1)).any() else Kind.UNKNOWN
    return join(truths, _kind_of_listed(cells[found == OTHER].tolist())) or Kind.CATEGORICAL


def _kind_of_listed(cells: Sequence[Any]) -> Kind:
    types = set(map(type, cells)) - {type(None)}
    seen = [t for t in types if t in _NEVER_MISSING or any(type(c) is t and not absent(c) for c in cells)]
    kind = join(*map(_kind_of_type, seen)) or Kind.CATEGORICAL
    if kind is Kind.COUNT and any(c < 0 for c in cells if isinstance(c, Integral)):
        return Kind.QUANTITATIVE
    return kind


def _kind_of_type(cell_type: type) -> Kind:
    return next((kind for types, kind in _SHOWS if issubclass(cell_type, types)), Kind.CATEGORICAL)


def numbers_of_cells(column: Column, cells: Sequence[Any], first: int = 0) -> Array:
    """Cells as floats, NaN where missing, dates and time spans in days; `first` is the row of the first cell."""
    types = set(map(type, cells))
    if column.kind is not Kind.DATE and all(issubclass(t, _READABLE) and not issubclass(t, _SPANS) for t in types):
        try:
            return np.array(cells, dtype=np.float64)
        except (ValueError, OverflowError):
            pass  # the slow way finds the cell
    return np.array([_number(column, cell, row) for row, cell in enumerate(cells, first)], dtype=np.float64)


def _number(column: Column, cell: Any, row: int) -> float:
    if absent(cell):
        return np.nan
    try:
        if isinstance(cell, str) and column.kind is Kind.DATE:
            cell = datetime.datetime.fromisoformat(cell)
        return _days(cell) if isinstance(cell, (datetime.date, np.datetime64, *_SPANS)) else float(cell)
    except (TypeError, ValueError, OverflowError):
        what = "dates" if column.kind is Kind.DATE else "real numbers"
        note = " (Complex data not supported)" if isinstance(cell, (complex, np.complexfloating)) else ""
        raise bad(
            "X",
            f"the cells of column {column.name!r}",
            f"{what}{note}",
            Said(f"{shown(cell)} in row {row}"),
            "Correct the cell or declare another kind.",
        ) from None


def _days(cell: Any) -> float:
    """Days since 1970 (of UTC, where a time zone is given), or the length of a time span in days."""
    if isinstance(cell, np.generic):
        return float(days_of_array(np.array([cell]))[0])
    if isinstance(cell, datetime.timedelta):
        return float(cell // _TICK) / DAY
    if not isinstance(cell, datetime.datetime):
        cell = datetime.datetime(cell.year, cell.month, cell.day)
    if cell.tzinfo is not None:
        cell = cell.astimezone(datetime.UTC).replace(tzinfo=None)
    return float((cell - _EPOCH) // _TICK) / DAY


def days_of_array(times: Array) -> Array:
    """The same for an array of NumPy's dates or time spans; NaN where missing."""
    micro = times.astype(f"{times.dtype.kind}8[us]")
    return np.where(np.isnat(micro), np.nan, micro.astype(np.int64) / DAY)
