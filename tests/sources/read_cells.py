"""The cells that rows came to, as Python values."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Coded
from suffice.sources.files.chunk import Chunk
from suffice.sources.files.rows import Rows


def cells(chunk: Chunk) -> dict[str, list[Any]]:
    """The cells of a chunk as Python values, None where missing."""
    out: dict[str, list[Any]] = {}
    parts = chunk.table.parts(chunk.schema, slice(None))
    for (_, places), part in zip(chunk.schema.parts, parts, strict=True):
        for j, place in enumerate(places):
            name = chunk.schema.names[place]
            out[name] = _symbols(part, j) if isinstance(part, Coded) else _numbers(part[:, j])
    return out


def _symbols(part: Coded, j: int) -> list[Any]:
    return [part.labels[j][code] if code >= 0 else None for code in part.codes[:, j].tolist()]


def _numbers(column: Any) -> list[Any]:
    return [None if np.isnan(value) else value for value in column.tolist()]


def all_cells(rows: Rows) -> dict[str, list[Any]]:
    """The cells of all rows, which are read again where their first cells were mistaken."""
    found = _one_pass(rows)
    return _one_pass(rows) if rows.mistaken else found


def _one_pass(rows: Rows) -> dict[str, list[Any]]:
    out: dict[str, list[Any]] = {}
    n = 0
    for chunk in rows.chunks():
        assert chunk.start == n
        found = cells(chunk)
        for name in chunk.schema.names:
            out.setdefault(name, [None] * n).extend(found.get(name, [None] * chunk.table.n))
        n += chunk.table.n
    return out
