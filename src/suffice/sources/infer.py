"""The kind of a column: from its type where it has one, from its cells where it holds objects.

Never from how many distinct values a block happens to hold, so that blocks can only differ in ways that join.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from numbers import Integral, Real
from typing import Any

import numpy as np

from suffice.core.kinds import Kind


def infer_column(column: Any) -> tuple[Kind, tuple[Any, ...] | None]:
    """The kind of a narwhals column, and the order of its values if it is ordinal."""
    import narwhals.stable.v2 as nw

    dtype = column.dtype
    if dtype == nw.Boolean:
        return Kind.BOOLEAN, None
    if dtype.is_integer():
        lowest = column.min()
        return (Kind.UNKNOWN if lowest is None else Kind.COUNT if lowest >= 0 else Kind.QUANTITATIVE), None
    if dtype.is_numeric():
        return Kind.QUANTITATIVE, None
    if dtype in (nw.Datetime, nw.Date):
        return Kind.DATE, None
    if dtype == nw.Enum:
        return Kind.ORDINAL, tuple(column.cat.get_categories().to_list())
    if dtype in (nw.String, nw.Categorical):
        return Kind.CATEGORICAL, None
    return infer_cells(column.to_list()), None


def infer_cells(cells: Iterable[Any]) -> Kind:
    """The least kind that all cells may be taken for; missing cells say nothing."""
    types = {type(cell) for cell in cells} - {type(None)}
    if types and all(issubclass(t, (bool, np.bool_)) for t in types - {float}) and types != {float}:
        return Kind.BOOLEAN if _missing_floats(cells, types) else Kind.CATEGORICAL
    present = [cell for cell in cells if cell is not None and cell == cell]
    if not present:
        return Kind.UNKNOWN
    if all(issubclass(type(cell), Real) and not isinstance(cell, (bool, np.bool_)) for cell in present):
        whole = all(isinstance(cell, Integral) and cell >= 0 for cell in present)
        return Kind.COUNT if whole else Kind.QUANTITATIVE
    if all(isinstance(cell, datetime.date) for cell in present):
        return Kind.DATE
    return Kind.CATEGORICAL


def _missing_floats(cells: Iterable[Any], types: set[type]) -> bool:
    """Booleans beside floats are still Booleans if the floats are all NaN."""
    return float not in types or all(cell != cell for cell in cells if type(cell) is float)
