"""Drawn rows as a table: from the groups of a product back to the columns, values and library of the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from suffice.core.block import Array, Coded, Words
from suffice.core.kinds import Kind
from suffice.core.schema import Schema
from suffice.estimators.state.origin import Origin
from suffice.families.places import table_places
from suffice.families.product import Group

DAY = 86_400_000_000  # microseconds


def drawn_columns(groups: Sequence[Group], drawn: Sequence[Any], schema: Schema, n: int) -> dict[Any, Any]:
    """Column name -> n drawn values, in table order; None throughout where no density describes the column."""
    columns: dict[Any, Any] = {name: [None] * n for name in schema.names}
    for group, part in zip(groups, drawn, strict=True):
        for at, place in enumerate(table_places(schema, group)):
            column = schema.columns[place]
            columns[column.name] = _cells(part, at, column.kind)
    return columns


def _cells(part: Any, at: int, kind: Kind) -> Any:
    if isinstance(part, Coded):
        labels = part.labels[at]
        return [labels[code] if code >= 0 else None for code in part.codes[:, at].tolist()]
    if isinstance(part, Words):
        return part.counts if isinstance(part.labels, range) else _texts(part)
    numbers: Array = part[:, at]
    return (numbers * DAY).astype("datetime64[us]") if kind is Kind.DATE else numbers


def _texts(part: Words) -> list[str]:
    """Documents with the drawn words, in the order of the vocabulary: a bag has no order."""
    from scipy.sparse import csr_array

    counts = csr_array(part.counts)
    rows, times = (np.split(cells, counts.indptr[1:-1]) for cells in (counts.indices, counts.data))
    return [
        " ".join(str(part.labels[j]) for j, t in zip(row, n, strict=True) for _ in range(int(t)))
        for row, n in zip(rows, times, strict=True)
    ]


def like_trained(columns: dict[Any, Any], origin: Origin) -> Any:
    """Columns as a table of the library that the training table was of, as a mapping, or as an array."""
    (first, *others) = columns.values()
    if not others and hasattr(first, "shape") and len(first.shape) == 2:  # a matrix of words
        return _like_matrix(first, origin)
    if origin.library == "mapping":
        return columns
    return _like_array(columns) if origin.library in (None, "scipy") else _framed(columns, origin.library)


def _like_matrix(counts: Any, origin: Origin) -> Any:
    if origin.library == "scipy":
        from scipy.sparse import csr_array

        return csr_array(counts)
    dense = counts.toarray() if hasattr(counts, "toarray") else counts
    if origin.library is None or origin.names is None:
        return dense
    columns = dict(zip(origin.names, dense.T, strict=True))
    return columns if origin.library == "mapping" else _framed(columns, origin.library)


def _like_array(columns: dict[Any, Any]) -> Array:
    """One type for all columns, or objects where they differ."""
    arrays = [np.asarray(cells) for cells in columns.values()]
    if len({array.dtype.kind for array in arrays}) == 1:
        return np.stack(arrays, axis=1)
    out = np.empty((len(arrays[0]), len(arrays)), dtype=object)
    for j, cells in enumerate(columns.values()):
        out[:, j] = cells
    return out


def _framed(columns: dict[Any, Any], library: str) -> Any:
    import narwhals.stable.v2 as nw

    backend: Any = library
    return nw.from_dict(columns, backend=backend).to_native()
