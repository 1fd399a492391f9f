"""Matrices of word counts as tables: their columns are words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from suffice.core.block import Words
from suffice.core.errors import bad
from suffice.core.kinds import Kind
from suffice.core.schema import Schema
from suffice.sources.tables.grid import Grid
from suffice.sources.tables.parts import WORDS, Parts, rows_at_once


@dataclass(frozen=True)
class Matrix:
    """A sparse matrix in rows (CSR), or an array: how often each word, known by its column, occurs in each row.

    >>> from scipy.sparse import csr_array
    >>> print(Matrix(csr_array([[1, 0, 2]])).infer())
    column  kind
    words   text
    """

    X: Any
    owner: str | None = None  # the estimator that reads them, for messages

    @property
    def n(self) -> int:
        """Number of rows."""
        return int(self.X.shape[0])

    @cached_property
    def _viewed(self) -> bool:
        """Whether rows are read as they lie: not where a cell is stored in pieces, which would count as several."""
        return bool(getattr(self.X, "has_canonical_format", True))

    def infer(self) -> Schema:
        """One text whose words are the columns."""
        return WORDS

    def at_once(self, schema: Schema) -> int:
        """All rows where a view serves; otherwise as many as are converted at a time."""
        return max(self.n, 1) if self._viewed and _one_text(schema) else rows_at_once(len(schema.columns))

    def parts(self, schema: Schema, rows: slice) -> Parts:
        """Some rows; a model of other columns than words gets them as an array."""
        some = rows_of_matrix(self.X, rows)
        if not _one_text(schema):
            return Grid(some.toarray() if hasattr(some, "toarray") else some).parts(schema, slice(None))
        return (Words(some if self._viewed else stored_once(some), range(self.X.shape[1]), owner=self.owner),)


def _one_text(schema: Schema) -> bool:
    """Whether a schema is that of a matrix of words, by whatever name."""
    return [column.kind for column in schema.columns] == [Kind.TEXT]


def rows_of_matrix(X: Any, rows: slice) -> Any:
    """Some rows of a matrix, nothing copied; SciPy's own slices of a sparse matrix copy."""
    if not hasattr(X, "indptr"):
        return X[rows]
    start, stop, _ = rows.indices(X.shape[0])
    a, b = int(X.indptr[start]), int(X.indptr[stop])
    some = type(X)((stop - start, X.shape[1]), dtype=X.dtype)
    # set one by one: the constructor copies what is less than half of an array
    some.data, some.indices, some.indptr = X.data[a:b], X.indices[a:b], X.indptr[start : stop + 1] - a
    return some


def stored_once(X: Any) -> Any:
    """A sparse matrix in rows with every cell stored once: pieces of one place are added up, in a copy.

    >>> from scipy.sparse import csr_array
    >>> stored_once(csr_array(([1.0, 2.0], [3, 3], [0, 2]), shape=(1, 4))).data.tolist()
    [3.0]
    """
    if X.has_canonical_format:
        return X
    found = X.copy()
    found.sum_duplicates()
    return found


def as_rows(X: Any) -> Any:
    """A sparse matrix of any format in rows; nothing is copied if it lies so already."""
    if len(X.shape) != 2:
        raise bad("X", "the matrix", "rows and columns (Expected 2D array)", f"shape {X.shape}", "Reshape it.")
    if X.dtype.kind == "c":
        raise bad("X", "numbers", "real (Complex data not supported)", X.dtype, "Split real and imaginary parts.")
    if X.dtype.kind not in "biuf":
        raise bad("X", "the type of a sparse matrix", "a type of numbers", X.dtype, "Convert it by astype(float).")
    return X.tocsr()
