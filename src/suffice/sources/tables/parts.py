"""Columns as the parts of a block: numbers side by side, symbols side by side, each text by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from suffice.core.block import Array, Coded, Words
from suffice.core.errors import Said, bad, shown
from suffice.core.kinds import Kind, Storage
from suffice.core.schema import Column, Schema
from suffice.sources.tables.analyzer import Analyzer
from suffice.sources.tables.symbols import Symbols
from suffice.sources.tables.words import count_documents

Parts = tuple[Any, ...]  # one Array, Coded or Words per part of the schema
CONVERTED = 1 << 20  # cells that are converted at a time
LEAST, MOST = 4_096, 32_768  # rows that are converted at a time: two blocks of a million are 7 % of them
WORDS = Schema((Column("words", Kind.TEXT),))  # the schema of a matrix whose columns are words


class Cells(Protocol):
    """One column of a table."""

    def infer(self, name: Any) -> Column:
        """The kind it shows."""

    def numbers(self, column: Column, rows: slice) -> Array:
        """Some cells as floats (n,), NaN where missing; dates and time spans in days."""

    def symbols(self, column: Column, rows: slice) -> Symbols:
        """Some cells as codes, -1 where missing, and what they stand for."""

    def texts(self, rows: slice) -> Sequence[Any]:
        """Some cells as they are."""


Picked = Sequence[tuple[Column, Cells]]


def read_parts(
    schema: Schema,
    cells: Sequence[Cells],
    rows: slice,
    analyzer: Analyzer,
    numbers: Callable[[Sequence[int]], Array] | None = None,
) -> Parts:
    """Some rows of columns, in the order of the schema, as the parts of a block.

    `numbers` reads the columns at some places as floats (n, d), for tables that have a faster way than one by one.
    """

    def read(storage: Storage, places: Sequence[int]) -> Any:
        if numbers is not None and storage is Storage.NUMBERS:
            return numbers(places)
        picked = [(schema.columns[i], cells[i]) for i in places]
        return _read_words(picked, rows, analyzer) if storage is Storage.WORDS else _READ[storage](picked, rows)

    return tuple(read(storage, places) for storage, places in schema.parts)


def _read_numbers(picked: Picked, rows: slice) -> Array:
    out = np.empty((rows.stop - rows.start, len(picked)), order="F")
    for j, (column, cells) in enumerate(picked):
        out[:, j] = cells.numbers(column, rows)
    return out


def _read_symbols(picked: Picked, rows: slice) -> Coded:
    codes = np.empty((rows.stop - rows.start, len(picked)), dtype=np.int32, order="F")
    labels = []
    for j, (column, cells) in enumerate(picked):
        codes[:, j], found = cells.symbols(column, rows)
        own = {value: value for value in column.values or ()}  # True for 1, where a column of 1 and 0 is Boolean
        labels.append(tuple(own.get(label, label) for label in found) if own else tuple(found))
    return Coded(codes, tuple(labels))


_READ = {Storage.NUMBERS: _read_numbers, Storage.SYMBOLS: _read_symbols}


def _read_words(picked: Picked, rows: slice, analyzer: Analyzer) -> Words:
    ((column, cells),) = picked
    return count_documents(cells.texts(rows), analyzer, column.name, rows.start)


def rows_at_once(columns: int) -> int:
    """How many rows to convert at a time, so that the copies stay small beside any table worth dividing."""
    return min(max(CONVERTED // max(columns, 1), LEAST), MOST)


def refuse_strangers(schema: Schema, parts: Parts, start: int) -> None:
    """Where the values of a column are all known, as those of Booleans and ordinals are, refuse any other."""
    for (storage, places), part in zip(schema.parts, parts, strict=True):
        if storage is Storage.SYMBOLS:
            for j, i in enumerate(places):
                _refuse_in_column(schema.columns[i], part.labels[j], part.codes[:, j], start)


def _refuse_in_column(column: Column, labels: Sequence[Any], codes: Array, start: int) -> None:
    known = column.values
    if known is None or isinstance(labels, range):
        return
    odd = [code for code, label in enumerate(labels) if label not in known]
    rows = np.flatnonzero(np.isin(codes, odd)).tolist() if odd else []
    if rows:
        raise bad(
            "X",
            f"the cells of column {column.name!r}",
            f"among {shown(list(known))}",
            Said(f"{shown(labels[codes[rows[0]]])} in row {start + rows[0]}"),
            "Correct the cell or declare another kind.",
        )
