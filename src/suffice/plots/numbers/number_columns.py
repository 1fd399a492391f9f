"""Columns of numbers with their names, and tables of the same kind from other numbers: what pictures of rows need."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad

Library = tuple[tuple[Any, ...], list[Array], Callable[[Array], Any]]  # names, columns, how to make such a table
RULE = "a table of numbers, a row for each row and a column for each feature"


class NumberColumns(NamedTuple):
    """The numbers of a table (n, d), NaN where missing, the names of its columns, and how to make another like it.

    >>> columns = read_columns("me", {"a": [1, 2], "b": [3, None]})
    >>> columns.names, columns.values.tolist(), columns.make(np.zeros((1, 2)))
    (('a', 'b'), [[1.0, 3.0], [2.0, nan]], {'a': array([0.]), 'b': array([0.])})
    """

    names: tuple[str, ...]
    values: Array  # (n, d)
    make: Callable[[Array], Any]


def read_columns(owner: object, X: Any, width: int | None = None) -> NumberColumns:
    """The columns of an array, lists of rows, a mapping of columns, or a pandas, polars or Arrow table.

    Parameters
    ----------
    owner : who asks, for the messages
    X : the table; one column may come without its axis
    width : how many columns there must be; None: any number
    """
    found = _frame(owner, X) if _has_names(X) else _array(owner, X)
    n, d = found.values.shape
    if width is not None and d != width:
        raise bad(owner, "X", f"a table of {width} features", Said(f"{d}"), "Choose the features to draw.")
    if n == 0 or d == 0:
        raise bad(owner, "X", "a table with rows and columns", Said(f"shape {(n, d)}"), "Give it something to draw.")
    return found


def _has_names(X: Any) -> bool:
    return isinstance(X, Mapping) or hasattr(X, "columns") or hasattr(X, "column_names")


def _array(owner: object, X: Any) -> NumberColumns:
    if hasattr(X, "tocsr"):
        raise bad(owner, "X", f"{RULE}, not sparse", Said(type(X).__name__), "Use X.toarray().")
    values = _floats(owner, X)
    values = values[:, None] if values.ndim == 1 else values
    if values.ndim != 2:
        raise bad(owner, "X", RULE, Said(f"shape {values.shape}"), "Give it two axes.")
    return NumberColumns(tuple(f"x{j}" for j in range(values.shape[1])), values, np.asarray)


def _frame(owner: object, X: Any) -> NumberColumns:
    names, columns, make = _mapping(owner, X) if isinstance(X, Mapping) else _library(owner, X)
    if any(column.ndim != 1 or len(column) != len(columns[0]) for column in columns):
        got = Said(f"shapes {[column.shape for column in columns]}")
        raise bad(owner, "columns of X", "of one length", got, "Give each row a cell in each column.")
    values = np.stack(columns, axis=1) if columns else np.zeros((0, 0))
    return NumberColumns(tuple(map(str, names)), values, make)


def _mapping(owner: object, X: Mapping[Any, Any]) -> Library:
    names = tuple(X)
    return names, [_floats(owner, cells) for cells in X.values()], lambda rows: dict(zip(names, rows.T, strict=True))


def _library(owner: object, X: Any) -> Library:
    """Names, columns and maker of a table of a table library."""
    if hasattr(X, "iloc"):
        names = tuple(X.columns)
        columns = [_floats(owner, X.iloc[:, j].to_numpy()) for j in range(len(names))]
        return names, columns, lambda rows: type(X)(rows, columns=X.columns)
    import narwhals.stable.v2 as nw

    frame = nw.from_native(X, eager_only=True)
    columns = [_floats(owner, frame[name].to_numpy()) for name in frame.columns]
    names, backend = tuple(frame.columns), frame.implementation

    def make(rows: Array) -> Any:
        return nw.from_dict(dict(zip(names, rows.T, strict=True)), backend=backend).to_native()

    return names, columns, make


def _floats(owner: object, values: Any) -> Array:
    """A fresh array of float64; None is a missing cell, text is not a number."""
    try:
        raw = np.asarray(values)
        if raw.dtype.kind not in "biufO":
            raise TypeError(raw.dtype)
        return raw.astype(np.float64)
    except (TypeError, ValueError):
        raise bad(owner, "X", RULE, values, "Leave out the columns that are none.") from None
