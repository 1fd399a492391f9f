"""Rows of plain numbers as tables: arrays and sparse matrices taken as they lie, and columns of files; gaps or none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from suffice.core.block import Array, Coded
from suffice.core.errors import Said, bad
from suffice.core.kinds import Kind, Storage
from suffice.core.schema import Column, Schema
from suffice.sources.tables.grid import as_array
from suffice.sources.tables.matrix import as_rows, rows_of_matrix, stored_once
from suffice.sources.tables.parts import WORDS, Parts
from suffice.sources.tables.table import Table, TableAround, open_table


@dataclass(frozen=True)
class Numbers:
    """An array (n, d) or a sparse matrix by rows, as one part; nothing is copied.

    Parameters
    ----------
    X : the rows
    names : of the columns, where they have some
    owner : who speaks in messages

    >>> print(Numbers(np.zeros((3, 2)), ("a", "b")).infer())
    column  kind
    a       quantitative
    b       quantitative
    """

    X: Any
    names: tuple[Any, ...] | None = None
    owner: str = "X"

    @property
    def n(self) -> int:
        """Number of rows."""
        return int(self.X.shape[0])

    def infer(self) -> Schema:
        """All are numbers; the columns of a sparse matrix, which may be very many, are not listed."""
        return WORDS if hasattr(self.X, "tocsr") else number_schema(self.names, int(self.X.shape[1]))

    def at_once(self, schema: Schema) -> int:
        """All rows."""
        return max(self.n, 1)

    def parts(self, schema: Schema, rows: slice) -> Parts:
        """Some rows, if their columns are those of the schema."""
        self._check_columns(schema)
        return (self.X if rows == slice(0, self.n) else rows_of_matrix(self.X, rows),)

    def _check_columns(self, schema: Schema) -> None:
        """By name where both have names, else by number."""
        names, d = schema.names, int(self.X.shape[1])
        if schema == WORDS or names == self.names:
            return
        unnamed = self.names is None or names == number_schema(None, len(names)).names
        if not unnamed:
            raise bad(
                self.owner, "the columns", f"named {list(names)}", list(self.names or ()), "Give those of training."
            )
        if d != len(names):
            raise bad(self.owner, "the number of columns", f"{len(names)}, as in training", d, "Give it the same.")


@dataclass(frozen=True)
class SparseNumberTable(Numbers):
    """A sparse matrix by rows whose columns are numbers, listed as those of an array are; its rows stay sparse.

    >>> from scipy.sparse import csr_array
    >>> SparseNumberTable(csr_array((3, 2))).infer().names
    ('x0', 'x1')
    """

    together: ClassVar[bool] = True  # mapped all at once: only stored cells are looked at

    def infer(self) -> Schema:
        """All are numbers."""
        return number_schema(self.names, int(self.X.shape[1]))

    def parts(self, schema: Schema, rows: slice) -> Parts:
        """Some rows, in which each cell is stored once at most."""
        (some,) = super().parts(schema, rows)
        return (stored_once(some),)


@lru_cache(maxsize=8)  # folds and pairs of classes are fitted to the same columns again and again
def number_schema(names: tuple[Any, ...] | None, width: int) -> Schema:
    """Columns of numbers, by their names or by x0, x1, ..."""
    if names is None:
        return Schema.numbered([Kind.QUANTITATIVE] * width)
    return Schema(tuple(Column(name, Kind.QUANTITATIVE) for name in names))


@dataclass(frozen=True)
class FiniteNumbers(TableAround):
    """A table of numbers that are finite, each block tested when it is read; none or some of them may be missing."""

    owner: str
    allow_nan: bool = False

    def parts(self, schema: Schema, rows: slice) -> Parts:
        """Some rows."""
        parts = super().parts(schema, rows)
        for part in parts:
            refuse_infinite(self.owner, part, self.allow_nan)
        return parts


def refuse_infinite(owner: str, X: Any, allow_nan: bool = False) -> None:
    """Refuse rows in which a number is infinite, or missing where none may be."""
    cells = X.data if hasattr(X, "tocsr") else X
    if allow_nan:
        if np.isinf(cells).any():
            raise bad(owner, "X", "finite where it is not missing", Said("infinity"), "Correct the cell.")
    elif not np.isfinite(cells).all():
        raise bad(owner, "X", "finite", Said("NaN or infinity"), "Fill the missing cells first.")


def open_numbers(
    owner: str, X: Any, allow_nan: bool = False, symbols: str = "Turn symbols into numbers first."
) -> Table:
    """Rows of numbers from an array, a sparse matrix, lists, a mapping of columns, or a table of a library.

    Parameters
    ----------
    owner : who speaks in messages
    X : the rows
    allow_nan : whether cells may be missing
    symbols : what to do with cells that are no numbers
    """
    if isinstance(X, Numbers):
        return X
    if isinstance(X, Table) or (isinstance(X, Mapping) and not hasattr(X, "tocsr")):
        return FiniteNumbers(open_table(X), owner, allow_nan)
    try:
        rows = X.tocsr() if hasattr(X, "tocsr") else np.asarray(X, dtype=np.float64)
    except (TypeError, ValueError):
        raise bad(owner, "X", "rows of numbers", X, symbols) from None
    if rows.ndim != 2:
        raise bad(owner, "X", "a table", Said(f"shape {rows.shape}"), "One row is [[...]].")
    refuse_infinite(owner, rows, allow_nan)
    names = getattr(X, "column_names", getattr(X, "columns", None))
    return Numbers(rows, None if names is None else tuple(names), owner)


def open_sparse(owner: str, X: Any) -> SparseNumberTable:
    """A sparse matrix of numbers, of which some may be missing; none is infinite."""
    rows = as_rows(X)
    rows = rows if rows.dtype in (np.float32, np.float64) else rows.astype(np.float64)
    refuse_infinite(owner, rows, allow_nan=True)
    return SparseNumberTable(rows, None, owner)


def open_with_gaps(owner: str, X: Any) -> Table:
    """An array, a sparse matrix or a table of numbers, of which some may be missing; none is infinite."""
    if isinstance(X, Numbers):
        return X
    if hasattr(X, "tocsr"):
        rows = X.tocsr()
        refuse_infinite(owner, rows)
        return Numbers(rows, None, owner)
    if not isinstance(X, (np.ndarray, list, tuple)):
        return FiniteNumbers(open_table(X), owner, allow_nan=True)
    rows = as_array(np.asarray(X))
    try:
        cells = rows if rows.dtype in (np.float32, np.float64) else rows.astype(np.float64)
    except (TypeError, ValueError):
        raise bad(owner, "X", "rows of numbers", Said(str(rows.dtype)), "Encode symbols first.") from None
    refuse_infinite(owner, cells, allow_nan=True)
    return Numbers(cells, None, owner)


NUMBERS = frozenset({Kind.UNKNOWN, Kind.BOOLEAN, Kind.COUNT, Kind.RATIO, Kind.QUANTITATIVE})


def number_columns(owner: str, table: Table, schema: Schema, dates: bool = False) -> tuple[tuple[Any, ...], Array]:
    """Names of the features, and their cells (n, d): Booleans as 0 and 1, `dates` as days, NaN where missing.

    A column of which every cell is missing so far is one of numbers; identifiers are left out.

    >>> from suffice.sources.tables.columns import Columns
    >>> table = Columns({"age": [31, None], "ill": [True, False]})
    >>> number_columns("GaussianNB", table, table.infer())
    (('age', 'ill'), array([[31.,  1.],
           [nan,  0.]]))
    """
    columns = [column for column in schema.columns if column.kind is not Kind.IDENTIFIER]
    odd = [c for c in columns if c.kind not in NUMBERS and not (dates and c.kind is Kind.DATE)]
    if odd:
        rule = "columns of numbers"
        raise bad(owner, "the features", rule, Said(f"{odd[0].name!r}, which is {odd[0].kind.value}"), "Leave it out.")
    if not columns or not table.n:
        raise bad(owner, "the table", "one with rows and columns of numbers", Said("none"), "Give it some.")
    wanted = Schema(tuple(Column(c.name, _READ.get(c.kind, Kind.QUANTITATIVE)) for c in columns))
    cells = np.empty((table.n, len(columns)))
    for (storage, places), part in zip(wanted.parts, table.parts(wanted, slice(0, table.n)), strict=True):
        side_by_side = places[-1] - places[0] + 1 == len(places)  # a slice is filled six times as fast as a list
        at = slice(places[0], places[-1] + 1) if side_by_side else list(places)
        cells[:, at] = part if storage is Storage.NUMBERS else _zeros_and_ones(part)
    return wanted.names, cells


_READ = {Kind.BOOLEAN: Kind.BOOLEAN, Kind.DATE: Kind.DATE}  # as they are written, then as numbers


def _zeros_and_ones(part: Coded) -> Array:
    """Booleans as numbers (n, d)."""
    lines = [np.array([*map(float, labels), np.nan])[part.codes[:, j]] for j, labels in enumerate(part.labels)]
    return np.stack(lines, axis=1)
