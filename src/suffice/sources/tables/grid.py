"""NumPy arrays as tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

import numpy as np

from suffice.core.block import Array, Words
from suffice.core.errors import Said, bad
from suffice.core.kinds import Kind
from suffice.core.schema import Schema
from suffice.numerics.arrays import all_finite, unmasked
from suffice.sources.tables.analyzer import PLAIN_WORDS, Analyzer
from suffice.sources.tables.columns import PlainColumn, kind_of_array
from suffice.sources.tables.parts import WORDS, Parts, read_parts, rows_at_once

SQUARED = 4096  # cells from which the sum of their squares, which BLAS takes, tells sooner than their sum
VIEWED = (np.dtype(np.float32), np.dtype(np.float64))  # types that models read as they are


@dataclass(frozen=True)
class Grid:
    """An array (n, d): its type speaks for all columns, or, if it holds objects, the cells of each for itself.

    >>> print(Grid(np.array([[1, -0.5], [2, 0.5]], dtype=object)).infer())
    column  kind
    x0      count
    x1      quantitative
    """

    X: Array
    analyzer: Analyzer = field(default=PLAIN_WORDS, kw_only=True)

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.X)

    def infer(self) -> Schema:
        """The kinds of its columns."""
        if self.X.dtype.kind in _BY_TYPE:
            return Schema.numbered([_BY_TYPE[self.X.dtype.kind]] * self.X.shape[1])
        if self.X.dtype.kind in "iu":
            lowest = self.X.min(axis=0, initial=0)
            return Schema.numbered(Kind.COUNT if low >= 0 else Kind.QUANTITATIVE for low in lowest)
        return Schema.numbered(kind_of_array(self.X[:, j]) for j in range(self.X.shape[1]))

    def at_once(self, schema: Schema) -> int:
        """All rows where a view serves; otherwise as many as are converted at a time."""
        viewed = (self.X.dtype in VIEWED and schema.plain_numbers == self.X.shape[1]) or schema == WORDS
        return max(self.n, 1) if viewed else rows_at_once(self.X.shape[1])

    def parts(self, schema: Schema, rows: slice) -> Parts:
        """Some rows; columns are known by their place. To a model of words, the columns are words."""
        start, stop, _ = rows.indices(self.n)
        X = self.X[start:stop]
        if schema.plain_numbers == X.shape[1] and X.dtype in VIEWED:
            return (X,)
        numeric = X.dtype.kind in "biuf"
        if schema == WORDS and numeric:
            return (Words(X, range(X.shape[1])),)
        same_width(X, schema)

        def numbers(places: Sequence[int]) -> Array:
            some = X if len(places) == X.shape[1] else X[:, list(places)]
            return some if some.dtype in VIEWED else some.astype(np.float64)

        if numeric and schema.plain_numbers == X.shape[1]:
            return (numbers(range(X.shape[1])),)
        columns = [PlainColumn(self.X[:, j]) for j in range(X.shape[1])]
        return read_parts(schema, columns, slice(start, stop), self.analyzer, numbers if numeric else None)


_BY_TYPE = {"b": Kind.BOOLEAN, "f": Kind.QUANTITATIVE}


@dataclass(frozen=True)
class FiniteGrid(Grid):
    """An array of floats in which no cell may be missing; each block is tested while it is in the cache.

    >>> FiniteGrid(np.array([[1.0], [np.nan]]), "GaussianNB").n
    2
    """

    owner: str = "X"

    def parts(self, schema: Schema, rows: slice) -> Parts:
        """Some rows."""
        self.refuse(rows)
        return (self.X[rows],)

    def refuse(self, rows: slice = slice(None)) -> None:
        """Refuse rows in which a cell is missing or infinite."""
        X = self.X[rows]
        squared = X.flags.c_contiguous and X.size >= SQUARED
        if not (isfinite(np.vdot(X, X)) if squared else all_finite(X)) and not np.isfinite(X).all():
            raise bad(
                self.owner,
                "every cell",
                "present and finite (Input X contains NaN or infinity)",
                Said("one that is not"),
                "Use NaiveBayes, which leaves missing cells out.",
            )


def same_width(X: Any, schema: Schema) -> None:
    """Refuse an array of another number of columns than the schema's."""
    d = len(schema.columns)
    if X.shape[1] != d:
        rule = f"{d}, as in training (the model is expecting {d} features as input)"
        raise bad("X", "the number of columns", rule, X.shape[1], "Give it the columns it was trained on.")


def as_array(X: Any) -> Array:
    """X as an array of two dimensions and one simple type, or of objects; nothing is copied but lists."""
    if isinstance(X, np.ma.MaskedArray):
        X = unmasked(X)
    array = _from_rows(X) if isinstance(X, (list, tuple)) else np.asarray(X)
    if array.ndim != 2:
        came = f"{array.ndim}D array instead" if array.ndim else "scalar array instead"
        raise bad(
            "X",
            "the table",
            f"rows and columns (Expected 2D array, got {came})",
            Said(f"shape {array.shape}"),
            "Reshape your data either using array.reshape(-1, 1) for one column or array.reshape(1, -1) for one row.",
        )
    if array.dtype.kind == "c":
        raise bad("X", "numbers", "real (Complex data not supported)", array.dtype, "Split real and imaginary parts.")
    if array.dtype.kind == "V":
        raise bad("X", "the type of the array", "simple", array.dtype, "Pass a mapping of names to columns instead.")
    return array


def _from_rows(rows: Sequence[Any]) -> Array:
    """Rows of Python values, each of its own type: in an array of one type, Booleans and numbers become texts."""
    lengths = {len(row) if isinstance(row, (list, tuple)) else -1 for row in rows}
    if lengths <= {-1}:
        return np.asarray(rows)  # of arrays, or of no rows at all
    if -1 in lengths:
        odd = next(row for row in rows if not isinstance(row, (list, tuple)))
        raise bad("X", "the rows", "all lists or tuples of cells", odd, "Make a list of each row.")
    if len(lengths) > 1:
        raise bad("X", "the rows", "all of one length", sorted(lengths), "Mark missing cells with None.")
    cells: Array = np.empty((len(rows), lengths.pop()), dtype=object)
    for i, row in enumerate(rows):
        cells[i, :] = row
    return cells
