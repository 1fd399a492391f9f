"""Any table as blocks: pandas, polars, Arrow (through narwhals), NumPy arrays and sparse matrices.

A table enters here, once, and leaves as parts grouped by how cells are kept.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from suffice.core.block import Array, Coded, Words
from suffice.core.errors import BadInput, NegativeCounts, bad
from suffice.core.kinds import Kind, Storage
from suffice.core.schema import Column, Schema
from suffice.sources.analyzer import Analyzer
from suffice.sources.infer import infer_cells, infer_column
from suffice.sources.symbols import code_cells, code_symbols
from suffice.sources.words import count_documents

Parts = tuple[Any, ...]
DAY = 86_400_000_000  # microseconds


class Table(Protocol):
    """Rows that can be described and cut into parts."""

    @property
    def n(self) -> int:
        """Number of rows."""

    def infer(self) -> Schema:
        """The kinds that its columns show."""

    def parts(self, schema: Schema, rows: slice) -> Parts:
        """Some rows, as the parts of the schema."""


def open_table(X: Any, analyzer: Analyzer | None = None) -> Table:
    """Find out what X is."""
    if hasattr(X, "parts") and hasattr(X, "infer"):
        return X  # type: ignore[no-any-return]
    if hasattr(X, "tocsr"):
        return Matrix(X.tocsr())
    if isinstance(X, Mapping):
        return Columns({name: list(cells) for name, cells in X.items()}, analyzer or Analyzer())
    if isinstance(X, np.ndarray) or isinstance(X, (list, tuple)):
        return Grid(_grid(X))
    import narwhals.stable.v2 as nw

    if not hasattr(X, "columns") and hasattr(X, "__arrow_c_stream__"):
        return Frame(nw.from_arrow(X, backend="pyarrow"), analyzer or Analyzer())
    frame = nw.from_native(X, pass_through=True, eager_only=True)
    if isinstance(frame, nw.DataFrame):
        return Frame(frame, analyzer or Analyzer())
    if hasattr(X, "__array__"):
        return Grid(_grid(np.asarray(X)))
    raise BadInput(
        f"X: the table must be an array, a sparse matrix or a pandas, polars or Arrow table, got {type(X).__name__}. "
        "Convert it first."
    )


def _grid(X: Any) -> Array:
    array = np.asarray(X)
    if array.dtype.kind == "O" and array.ndim == 2 or array.ndim != 2:
        array = np.asarray(X, dtype=object) if array.dtype.kind in "OU" else array
    if array.ndim != 2:
        raise bad(
            "X", "the table", "rows and columns (2 dimensions)", array.shape, "Reshape your data: one row a case."
        )
    if array.dtype.kind == "c":
        raise BadInput("X: numbers must be real (Complex data not supported), got complex ones. Split their parts.")
    return array


@dataclass(frozen=True)
class Grid:
    """A NumPy array: columns have the kind of its type, or, for objects, of their cells."""

    X: Array

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.X)

    def infer(self) -> Schema:
        """One kind for all columns, or one for each column of objects."""
        kinds = {"b": Kind.BOOLEAN, "f": Kind.QUANTITATIVE}
        if self.X.dtype.kind in kinds:
            found = [kinds[self.X.dtype.kind]] * self.X.shape[1]
        elif self.X.dtype.kind in "iu":
            lowest = self.X.min(axis=0, initial=0)
            found = [Kind.COUNT if low >= 0 else Kind.QUANTITATIVE for low in lowest]
        else:
            found = [infer_cells(self.X[:, j].tolist()) for j in range(self.X.shape[1])]
        return Schema(tuple(Column(f"x{j}", kind) for j, kind in enumerate(found)))

    def parts(self, schema: Schema, rows: slice) -> Parts:
        """Some rows; floats are not copied."""
        X = self.X[rows]
        return tuple(_READ_GRID[storage](X, places) for storage, places in schema.parts)


@dataclass(frozen=True)
class FiniteGrid(Grid):
    """A NumPy array of floats in which no cell may be missing; each block is tested while it is in the cache."""

    owner: str = "X"

    def parts(self, schema: Schema, rows: slice) -> Parts:
        """Some rows."""
        X = self.X[rows]
        with np.errstate(over="ignore", invalid="ignore"):
            suspect = not np.isfinite(X.sum())
        if suspect and not np.isfinite(X).all():
            raise BadInput(
                f"{self.owner}: every cell must be present and finite (Input X contains NaN or infinity). Use NaiveBayes, "
                "which leaves missing cells out."
            )
        return (X,)


def _grid_numbers(X: Array, places: Sequence[int]) -> Array:
    X = X if len(places) == X.shape[1] else X[:, list(places)]
    if X.dtype.kind == "f" and X.dtype.itemsize <= 8:
        return X
    if X.dtype.kind == "O":
        X = np.where(X == None, np.nan, X)  # noqa: E711  (an array comparison)
    try:
        return X.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise BadInput(f"X: numbers must be readable, got {error}. Correct the cell or declare the kind.") from None


def _grid_symbols(X: Array, places: Sequence[int]) -> Coded:
    if X.dtype.kind == "b":
        return Coded(X[:, list(places)].astype(np.int32), ((False, True),) * len(places))
    return _side_by_side([code_symbols(X[:, j]) for j in places])


def _grid_words(X: Array, places: Sequence[int]) -> Words:
    if X.dtype.kind in "biuf":  # counts of words whose names are the columns
        return Words(X, range(X.shape[1]))
    return count_documents(X[:, places[0]].tolist(), Analyzer())


_READ_GRID = {Storage.NUMBERS: _grid_numbers, Storage.SYMBOLS: _grid_symbols, Storage.WORDS: _grid_words}


def _side_by_side(columns: Sequence[Coded]) -> Coded:
    codes = np.concatenate([c.codes for c in columns], axis=1)
    return Coded(codes, tuple(c.labels[0] for c in columns))


@dataclass(frozen=True)
class Matrix:
    """A matrix, sparse or dense: counts of words whose names are its columns."""

    X: Any

    @property
    def n(self) -> int:
        """Number of rows."""
        return int(self.X.shape[0])

    def infer(self) -> Schema:
        """One text whose words are the columns."""
        return Schema((Column("words", Kind.TEXT),))

    def parts(self, schema: Schema, rows: slice) -> Parts:
        """Some rows; a model of dense columns gets them dense."""
        if schema.parts[0][0] is Storage.NUMBERS:
            return Grid(self.X[rows].toarray()).parts(schema, slice(None))
        return (Words(_rows(self.X, rows), range(self.X.shape[1])),)


def _rows(X: Any, rows: slice) -> Any:
    """Some rows of a matrix, nothing copied; SciPy's own slices of a sparse matrix copy."""
    if not hasattr(X, "indptr"):
        return X[rows]
    start, stop, _ = rows.indices(X.shape[0])
    a, b = int(X.indptr[start]), int(X.indptr[stop])
    run = X.data[a:b], X.indices[a:b], X.indptr[start : stop + 1] - a
    return type(X)(run, shape=(stop - start, X.shape[1]), copy=False)


@dataclass(frozen=True)
class Codes:
    """An array of whole numbers from 0 that are symbols already."""

    X: Array
    owner: str = "a model"

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.X)

    def infer(self) -> Schema:
        """All categorical."""
        return Schema(tuple(Column(f"x{j}", Kind.CATEGORICAL) for j in range(self.X.shape[1])))

    def parts(self, schema: Schema, rows: slice) -> Parts:
        """Some rows; the numbers are the codes, and all up to the largest are labels."""
        codes = self.X[rows]
        if codes.min(initial=0) < 0:
            raise NegativeCounts(f"Negative values in data passed to {self.owner} (input X). Codes count from 0.")
        top = int(codes.max(initial=-1))
        tops = [top] * codes.shape[1] if top < 256 else codes.max(axis=0).tolist()
        return (Coded(codes, tuple(range(top + 1) for top in tops)),)


@dataclass(frozen=True)
class Columns:
    """A mapping of column names to cells: no table library needed."""

    cells: Mapping[Any, list[Any]]
    analyzer: Analyzer = field(default_factory=Analyzer)

    def __post_init__(self) -> None:
        """Refuse columns of different lengths."""
        lengths = {name: len(cells) for name, cells in self.cells.items()}
        if len(set(lengths.values())) > 1:
            raise bad("X", "the columns", "all of one length", lengths, "Mark missing cells with None.")

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(next(iter(self.cells.values()), []))

    def infer(self) -> Schema:
        """From the cells."""
        return Schema(tuple(Column(name, infer_cells(cells)) for name, cells in self.cells.items()))

    def parts(self, schema: Schema, rows: slice) -> Parts:
        """Some rows, converted column by column."""
        absent = [name for name in schema.names if name not in self.cells]
        if absent:
            raise bad(
                "X", "the columns", f"those of the training table, {absent[0]!r} too", list(self.cells), "Add it."
            )
        block = {name: self.cells[name][rows] for name in schema.names}
        return tuple(self._read(storage, block, [schema.names[i] for i in p]) for storage, p in schema.parts)

    def _read(self, storage: Storage, block: Mapping[Any, list[Any]], names: list[Any]) -> Any:
        if storage is Storage.NUMBERS:
            return np.stack([object_numbers(name, block[name]) for name in names], axis=1)
        if storage is Storage.SYMBOLS:
            return _side_by_side([code_cells(block[name]) for name in names])
        return count_documents(block[names[0]], self.analyzer)


@dataclass(frozen=True)
class Frame:
    """A table of a library that narwhals knows."""

    frame: Any
    analyzer: Analyzer = field(default_factory=Analyzer)

    @property
    def n(self) -> int:
        """Number of rows."""
        return int(self.frame.shape[0])

    def infer(self) -> Schema:
        """The kind of each column."""
        names = list(self.frame.columns)
        twice = [name for name in names if names.count(name) > 1]
        if twice:
            raise bad("X", "column names", "all different", twice[0], "Rename one of the columns.")
        return Schema(tuple(Column(name, *infer_column(self.frame.get_column(name))) for name in names))

    def parts(self, schema: Schema, rows: slice) -> Parts:
        """Some rows, converted column by column."""
        missing = [name for name in schema.names if name not in self.frame.columns]
        if missing:
            raise bad(
                "X", "the columns", f"those of the training table; {missing[0]!r} is missing", list(self.frame.columns)
            )
        block, names = self.frame[rows], schema.names
        return tuple(self._read(storage, block, [names[i] for i in places]) for storage, places in schema.parts)

    def _read(self, storage: Storage, block: Any, names: list[Any]) -> Any:
        if storage is Storage.NUMBERS:
            return numbers(block, names)
        if storage is Storage.SYMBOLS:
            return _side_by_side([symbols(block.get_column(name)) for name in names])
        return count_documents(block.get_column(names[0]).to_list(), self.analyzer)


def numbers(block: Any, names: list[Any]) -> Array:
    """Columns as floats (n, d), NaN where missing; dates as days since 1970."""
    import narwhals.stable.v2 as nw

    out = np.empty((block.shape[0], len(names)), order="F")
    for j, name in enumerate(names):
        column = block.get_column(name)
        if column.dtype in (nw.Datetime, nw.Date):
            micro = column.cast(nw.Datetime("us")).to_numpy().astype("datetime64[us]")
            out[:, j] = np.where(np.isnat(micro), np.nan, micro.astype(np.int64) / DAY)
        elif column.dtype == nw.Object or column.dtype == nw.Unknown:
            out[:, j] = object_numbers(name, column.to_list())
        else:
            out[:, j] = _plain_numbers(name, column)
    return out


def _plain_numbers(name: Any, column: Any) -> Array:
    import narwhals.stable.v2 as nw

    try:
        return column.cast(nw.Float64).to_numpy()  # type: ignore[no-any-return]
    except Exception as error:  # each library has its own
        raise BadInput(
            f"X: column {name!r} must hold numbers, got {column.dtype} ({error}). Declare its kind."
        ) from None


def object_numbers(name: Any, cells: list[Any]) -> Array:
    try:
        return np.array([_number(cell) for cell in cells], dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise BadInput(f"X: column {name!r} must hold numbers, got {error}. Correct it or declare its kind.") from None


def _number(cell: Any) -> float:
    """A cell as a float: missing as NaN, a date as days since 1970."""
    if cell is None or cell != cell:
        return np.nan
    if isinstance(cell, datetime.date):
        return float(np.datetime64(cell, "us").astype(np.int64)) / DAY
    return float(cell)


def symbols(column: Any) -> Coded:
    """A column's symbols; Booleans need no dictionary."""
    import narwhals.stable.v2 as nw

    if column.dtype == nw.Boolean:
        cells = column.cast(nw.Float64).to_numpy()
        return Coded(np.where(np.isnan(cells), -1, cells).astype(np.int32)[:, None], ((False, True),))
    return code_symbols(column.to_native())
