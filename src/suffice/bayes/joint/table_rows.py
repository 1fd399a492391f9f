"""Rows for a joint table: columns of plain values, and their codes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import compress
from typing import Any

import numpy as np

from suffice.bayes.joint.table_axes import check_names, labels, missing, weights
from suffice.core.block import Array
from suffice.core.by_class import canonical
from suffice.core.errors import bad

Columns = dict[str, list[Any]]
UNSEEN, MISSING = -1, -2


def columns_of(rows: Any, names: Sequence[str] = ()) -> Columns:
    """Columns by name, of one length, from columns, a list of dicts or a data frame; `names` if there are no rows."""
    if isinstance(rows, Mapping):
        columns = {name: listed(name, column) for name, column in rows.items()}
    elif isinstance(rows, list | tuple):
        columns = turned(rows, names)
    else:
        columns = framed(rows)
    check_names(columns)
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        raise bad("JointTable", "rows", "columns of the same length", lengths)
    return columns


def listed(name: str, column: Any) -> list[Any]:
    """One column as a list. Python's dates are coarser than NumPy's, so those stay as they are."""
    if isinstance(column, np.ndarray) and column.dtype.kind not in "mM":
        column = column.tolist()
    if isinstance(column, str | bytes | Mapping) or not isinstance(column, Iterable):
        raise bad("JointTable", f"column {name!r}", "a sequence with one value a row", column)
    return list(column)


def turned(rows: Sequence[Any], names: Sequence[str]) -> Columns:
    """Columns of a list of dicts; a name that a row lacks is a missing value there."""
    for row in rows:
        if not isinstance(row, Mapping):
            raise bad("JointTable", "every row of a list", "a dict of names to values", row)
    if not rows and not names:
        raise bad("JointTable", "rows", "at least one dict, or columns by name", rows)
    met_names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name) for row in rows] for name in met_names or names}


def framed(rows: Any) -> Columns:
    """Columns of a data frame."""
    import narwhals as nw  # only here: plain columns need no table library

    try:
        frame = nw.from_native(rows, eager_only=True)
        return {column.name: column.to_list() for column in frame.iter_columns()}
    except (TypeError, nw.exceptions.DuplicateError) as error:
        rule = "columns by name, a list of dicts, or a data frame in memory, each name once"
        raise bad("JointTable", "rows", rule, rows) from error


def heavy(columns: Columns, weights_given: Any) -> tuple[Columns, Array]:
    """The rows that weigh something, and their weights, 1 unless given."""
    n = len(next(iter(columns.values())))
    if weights_given is None:
        return columns, np.ones(n)
    w = weights("JointTable", "weights", weights_given, (n,))
    return {name: list(compress(column, w > 0)) for name, column in columns.items()}, w[w > 0]


def met(name: str, column: Sequence[Any]) -> tuple[Any, ...]:
    """The values of a column, in an order that does not depend on the order of the rows."""
    return canonical(labels(name, column))


def cells_of(columns: Columns, variables: Mapping[str, Sequence[Any]]) -> Array:
    """The cell of each row, counted along the flattened table."""
    flat: Array = np.zeros(len(next(iter(columns.values()))), dtype=np.int64)
    for name, values in variables.items():
        known = set(values)
        for value in labels(name, columns[name]):
            if value not in known:
                raise bad("JointTable", f"column {name!r}", "of declared values only", value, "Declare it too.")
        flat = flat * len(values) + codes_of(columns[name], values)
    return flat


def codes_of(column: Sequence[Any], values: Sequence[Any]) -> Array:
    """The place of each cell among the values, UNSEEN for others, MISSING where there is none."""
    place = {value: i for i, value in enumerate(values)}
    code = {cell: MISSING if missing(cell) else place.get(cell, UNSEEN) for cell in dict.fromkeys(column)}
    return np.fromiter(map(code.__getitem__, column), dtype=np.int64, count=len(column))
