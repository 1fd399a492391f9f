"""Drawn rows as columns: from the groups of a product back to the order and values of the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from suffice.core.block import Array, Coded, Words
from suffice.core.kinds import Kind
from suffice.core.schema import Schema
from suffice.families.product import Group

DAY = 86_400_000_000  # microseconds


def drawn_rows(groups: Sequence[Group], drawn: Sequence[Any], schema: Schema) -> dict[Any, Any]:
    """Column name -> drawn values; identifiers, which no model describes, are left out."""
    columns: dict[int, Any] = {}
    for group, part in zip(groups, drawn, strict=True):
        _, places = schema.parts[group.part]
        mine = places if group.columns is None else [places[at] for at in group.columns]
        for at, place in enumerate(mine):
            columns[place] = _cells(part, at, schema.columns[place].kind)
    return {schema.columns[place].name: columns[place] for place in sorted(columns)}


def _cells(part: Any, at: int, kind: Kind) -> Any:
    if isinstance(part, Coded):
        return _symbols(part.labels[at], part.codes[:, at])
    if isinstance(part, Words):
        return part.counts if isinstance(part.labels, range) else _texts(part)
    numbers: Array = part[:, at]
    return (numbers * DAY).astype("datetime64[us]") if kind is Kind.DATE else numbers


def _symbols(labels: Sequence[Any], codes: Array) -> list[Any]:
    return [labels[code] if code >= 0 else None for code in codes.tolist()]


def _texts(part: Words) -> list[str]:
    """Documents with the drawn words, in the order of the vocabulary: a bag has no order."""
    rows = np.split(part.counts.indices, part.counts.indptr[1:-1])
    times = np.split(part.counts.data, part.counts.indptr[1:-1])
    return [
        " ".join(str(part.labels[j]) for j, t in zip(row, n, strict=True) for _ in range(int(t)))
        for row, n in zip(rows, times, strict=True)
    ]


def library(X: Any) -> str | None:
    """The name of the library that a table is of; None for arrays and sparse matrices."""
    name = type(X).__module__.partition(".")[0]
    return name if name in ("pandas", "polars", "pyarrow") else None


def like_trained(columns: dict[Any, Any], backend: str | None) -> Any:
    """Columns as a table of that library, as a mapping, or as an array."""
    if backend == "mapping":
        return columns
    if backend is None:
        first = next(iter(columns.values()))
        return first if hasattr(first, "tocsr") else np.column_stack(list(columns.values()))
    import narwhals.stable.v2 as nw

    return nw.from_dict(columns, backend=backend).to_native()  # type: ignore[arg-type]
