"""Columns of dates and time spans, where rows of numbers are asked for.

NumPy's conversion is no reading of ours: an array has units of its own, polars and Arrow hand over microseconds, Arrow
a missing time as -2^63, and pandas refuses. So they are looked for by their types before it is asked.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import BadType, Said, refusal
from suffice.estimators.boundary.odd_cells import date_column, symbol_column
from suffice.estimators.state.origin import library
from suffice.sources.tables.cells import days_of_array
from suffice.sources.tables.frame import Frame
from suffice.sources.tables.table import open_table

BY_TYPE = frozenset({"polars", "pyarrow"})  # libraries whose tables know the types of all cells


def without_times(estimator: Any, X: Any) -> Any:
    """The table with time spans as days, as in mappings of columns; a column of dates is refused by its name."""
    if isinstance(X, np.ndarray):
        return _array_in_days(estimator, X)
    letters = _times(X)
    if "M" in letters.values():
        kind = estimator.__sklearn_tags__().estimator_type
        odd = date_column(estimator, X) or symbol_column(estimator._owner, X, kind)
        if odd is not None:
            raise odd
    return _in_days(X, list(letters)) if letters else X  # dates that are all missing are numbers that are


def _array_in_days(estimator: Any, X: Array) -> Array:
    if X.dtype.kind == "M":
        remedy = "Turn it into numbers, such as days since a date."
        raise refusal(BadType, estimator._owner, "X", "a table of numbers", Said("dates"), remedy)
    return days_of_array(X) if X.dtype.kind == "m" else X


def _times(X: Any) -> dict[Any, str]:
    """NumPy's letter for the type of each column of dates or times of day (M) or of time spans (m)."""
    name = library(X)
    if name == "pandas" and getattr(X, "ndim", 0) == 2:  # narwhals would look into its objects
        letters = [getattr(kind, "kind", "") for kind in X.dtypes]
        return {column: letter for column, letter in zip(X.columns, letters, strict=True) if letter in ("m", "M")}
    return _by_type(X) if name in BY_TYPE else {}


def _by_type(X: Any) -> dict[Any, str]:
    import narwhals.stable.v2 as nw

    table = nw.from_native(X, pass_through=True)
    if not isinstance(table, nw.DataFrame):  # a column, or a table that was not read yet: others say so
        return {}
    letters = {nw.Datetime: "M", nw.Date: "M", nw.Time: "M", nw.Duration: "m"}
    types = table.schema.items()
    return {name: letter for name, dtype in types for kind, letter in letters.items() if dtype == kind}


def _in_days(X: Any, names: list[Any]) -> Any:
    import narwhals.stable.v2 as nw

    table = open_table(X)
    if not isinstance(table, Frame):
        return X
    frame = table.frame
    days = [nw.new_series(name, table.floats(name), backend=frame.implementation) for name in names]
    return frame.with_columns(*days).to_native()
