"""Columns of a chunk as one array of numbers: for models that take nothing else."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array, Coded
from suffice.core.errors import Said, bad
from suffice.core.kinds import Kind, Storage
from suffice.core.schema import Column, Schema
from suffice.sources.tables.table import Table

NUMBERS = frozenset({Kind.UNKNOWN, Kind.BOOLEAN, Kind.COUNT, Kind.RATIO, Kind.QUANTITATIVE})


def number_columns(owner: str, table: Table, schema: Schema) -> tuple[tuple[Any, ...], Array]:
    """Names of the features, and their cells (n, d): Booleans as 0 and 1, NaN where missing.

    A column of which every cell is missing so far is one of numbers; identifiers are left out.

    >>> from suffice.sources.tables.columns import Columns
    >>> table = Columns({"age": [31, None], "ill": [True, False]})
    >>> number_columns("GaussianNB", table, table.infer())
    (('age', 'ill'), array([[31.,  1.],
           [nan,  0.]]))
    """
    columns = [column for column in schema.columns if column.kind is not Kind.IDENTIFIER]
    odd = [column for column in columns if column.kind not in NUMBERS]
    if odd:
        rule = "columns of numbers"
        raise bad(owner, "the features", rule, Said(f"{odd[0].name!r}, which is {odd[0].kind.value}"), "Leave it out.")
    if not columns or not table.n:
        raise bad(owner, "the table", "one with rows and columns of numbers", Said("none"), "Give it some.")
    wanted = Schema(tuple(Column(c.name, _READ.get(c.kind, Kind.QUANTITATIVE)) for c in columns))
    cells = np.empty((table.n, len(columns)))
    for (storage, places), part in zip(wanted.parts, table.parts(wanted, slice(0, table.n)), strict=True):
        cells[:, list(places)] = part if storage is Storage.NUMBERS else _zeros_and_ones(part)
    return wanted.names, cells


_READ = {Kind.BOOLEAN: Kind.BOOLEAN}  # as they are written, then as numbers


def _zeros_and_ones(part: Coded) -> Array:
    """Booleans as numbers (n, d)."""
    lines = [np.array([*map(float, labels), np.nan])[part.codes[:, j]] for j, labels in enumerate(part.labels)]
    return np.stack(lines, axis=1)
