"""Typed tables taken apart by their columns: what the roles set apart, and the features."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array, Coded
from suffice.core.kinds import Kind
from suffice.core.schema import Column
from suffice.sources.tables.cells import absent
from suffice.sources.tables.columns import Columns, PlainColumn
from suffice.sources.tables.frame import Frame, LibraryColumn
from suffice.sources.tables.grid import Grid
from suffice.sources.tables.labels import code_labels
from suffice.sources.tables.parts import Cells
from suffice.sources.tables.table import Table


class TypedColumns(NamedTuple):
    """The columns of a table, by name."""

    names: tuple[Any, ...]
    column: Callable[[Any], Any]  # as its library has it
    cells: Callable[[Any], Cells]
    select: Callable[[Sequence[Any]], Table]  # some of the columns, as a table


def columns_of(table: Table) -> TypedColumns | None:
    """The columns of a table; None where its columns are no columns, as those of a matrix of words."""
    if isinstance(table, Frame):
        frame, analyzer = table.frame, table.analyzer
        return TypedColumns(
            tuple(frame.columns),
            frame.get_column,
            lambda name: LibraryColumn(frame.get_column(name)),
            lambda names: Frame(frame.select(*map(frame.get_column, names)), analyzer),
        )
    if isinstance(table, Grid):
        named = {f"x{j}": table.X[:, j] for j in range(table.X.shape[1])}
        return _mapping(Columns(named, table.analyzer), table)
    return _mapping(table, table) if isinstance(table, Columns) else None


def _mapping(columns: Columns, whole: Table) -> TypedColumns:
    names = tuple(columns.cells)

    def select(some: Sequence[Any]) -> Table:
        if tuple(some) == names:
            return whole
        return Columns({name: columns.cells[name] for name in some}, columns.analyzer)

    return TypedColumns(names, columns.cells.__getitem__, lambda name: PlainColumn(columns.cells[name]), select)


def labels_of(column: Any) -> tuple[Coded, Array]:
    """The labels of a column, -1 where missing, and where they are present."""
    there = ~gaps(column)
    if there.all():
        return code_labels(column), there
    present = column.filter(there.tolist()) if hasattr(column, "to_native") else _at(column, there)
    found = code_labels(present)
    codes = np.full((len(there), 1), -1, dtype=np.int32)
    codes[there] = found.codes
    return Coded(codes, found.labels), there


def _at(column: Any, there: Array) -> Any:
    if isinstance(column, np.ndarray):
        return column[there]
    return [cell for cell, here in zip(column, there.tolist(), strict=True) if here]


def gaps(column: Any) -> Array:
    """Where a column is missing (n,)."""
    if hasattr(column, "to_native"):
        if getattr(column.to_native(), "null_count", None) == 0:  # Arrow, which knows it without looking
            return gaps(column.to_numpy()) if column.dtype.is_float() else np.zeros(len(column), dtype=bool)
        out = np.asarray(column.is_null().to_numpy(), dtype=bool)
        if column.dtype.is_float():
            out = out | np.asarray(column.is_nan().fill_null(True).to_numpy(), dtype=bool)
        return out
    if isinstance(column, np.ndarray) and column.dtype.kind in "biufcmM":
        return np.asarray(column != column)  # true of NaN and NaT
    return np.fromiter(map(absent, column), dtype=bool, count=len(column))


def numbers_of(name: Any, cells: Cells, n: int) -> Array:
    """A column as numbers, NaN where missing."""
    return cells.numbers(Column(name, Kind.QUANTITATIVE), slice(0, n))


def symbols_of(name: Any, cells: Cells, n: int) -> Coded:
    """A column as codes, -1 where missing."""
    codes, labels = cells.symbols(Column(name, Kind.CATEGORICAL), slice(0, n))
    return Coded(np.asarray(codes)[:, None], (tuple(labels),))
