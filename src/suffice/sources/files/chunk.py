"""Chunks: some rows of a source, read and ready to be summarized."""

from __future__ import annotations

from typing import NamedTuple

from suffice.core.block import Array, Coded
from suffice.core.schema import Schema
from suffice.sources.tables.table import Table


class Chunk(NamedTuple):
    """Some rows in a row, their features apart from what the roles set apart."""

    table: Table
    schema: Schema  # what is known of the columns up to and with these rows
    start: int  # number of the first row
    y: Coded | None = None  # labels of the target, -1 where missing
    w: Array | None = None  # (n,) weights
    group: Coded | None = None  # labels of the group, -1 where missing
    keep: Array | None = None  # (n,) True where the target is present; None where all are
