"""Columns of known kinds as a table of pandas, polars or pyarrow, in the types the kinds call for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad

Cells = Mapping[str, list[Any]]  # Python values, None where missing
Nullable = Literal["numpy_nullable"] | None
Orders = Mapping[str, tuple[str, ...]]  # the labels of each ordinal column, from low to high


def as_table(columns: Mapping[str, Array], kinds: Mapping[str, str], orders: Orders, backend: str) -> Any:
    """The columns as a table of the backend, in the order of `columns`."""
    if backend not in BACKENDS:
        raise bad("Clinic", "backend", f"one of {', '.join(BACKENDS)}", backend)
    return BACKENDS[backend]({name: cells_of(column, kinds[name]) for name, column in columns.items()}, kinds, orders)


def cells_of(column: Array, kind: str) -> list[Any]:
    """Python values, None where missing."""
    if column.dtype.kind != "f":
        return list(column.tolist())
    missing = np.isnan(column)
    cells = np.where(missing, 0.0, column).astype(np.int64 if kind == "count" else np.float64).astype(object)
    cells[missing] = None
    return list(cells.tolist())


def dtypes_of(kinds: Mapping[str, str], orders: Orders) -> dict[str, Any]:
    """The narwhals type of each column."""
    import narwhals as nw

    dtypes = {
        "boolean": nw.Boolean,
        "categorical": nw.String,
        "count": nw.Int64,
        "quantitative": nw.Float64,
        "date": nw.Date,
        "midnight": nw.Datetime,
        "text": nw.String,
        "identifier": nw.Int64,
    }
    return {name: nw.Enum(orders[name]) if name in orders else dtypes[kind]() for name, kind in kinds.items()}


def pandas_table(cells: Cells, kinds: Mapping[str, str], orders: Orders) -> Any:
    """NumPy's types, but Booleans and counts nullable, dates as midnights and ordinals as ordered categories."""
    import narwhals as nw

    kinds = {name: "midnight" if kind == "date" else kind for name, kind in kinds.items()}
    nullable: list[Nullable] = ["numpy_nullable" if kind in ("boolean", "count") else None for kind in kinds.values()]
    dtypes = dict(nw.Schema(dtypes_of(kinds, orders)).to_pandas(nullable))
    # Strings get the type that this pandas gives a string by itself: named "str", a missing one may become a word.
    string = nw.new_series("", [""], backend="pandas").to_native().dtype
    dtypes |= {name: string for name, kind in kinds.items() if kind in ("categorical", "text")}
    return nw.from_dict(cells, backend="pandas").to_native().astype(dtypes)


def polars_table(cells: Cells, kinds: Mapping[str, str], orders: Orders) -> Any:
    """Every type has room for a missing cell."""
    import narwhals as nw

    return nw.from_dict(cells, dtypes_of(kinds, orders), backend="polars").to_native()


def arrow_table(cells: Cells, kinds: Mapping[str, str], orders: Orders) -> Any:
    """Ordinals as strings: narwhals writes no ordered type of Arrow."""
    import narwhals as nw

    plain = {name: "categorical" if kind == "ordinal" else kind for name, kind in kinds.items()}
    return nw.from_dict(cells, dtypes_of(plain, {}), backend="pyarrow").to_native()


BACKENDS: dict[str, Callable[[Cells, Mapping[str, str], Orders], Any]] = {
    "pandas": pandas_table,
    "polars": polars_table,
    "pyarrow": arrow_table,
}
