"""Sparse matrices as tables of numbers: their rows stay sparse where filling them in would cost too much."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from suffice.core.kinds import Kind, Storage
from suffice.core.schema import Schema
from suffice.sources.tables.matrix import Matrix, rows_of_matrix, stored_once
from suffice.sources.tables.parts import Parts

MANY = 1_000  # columns from which products of all pairs of them cost more than passes over what is stored


@dataclass(frozen=True)
class SparseNumbers(Matrix):
    """A sparse matrix in rows (CSR) whose columns are numbers; blocks of many columns are sparse too.

    >>> from scipy.sparse import csr_array
    >>> table = SparseNumbers(csr_array((2, 2_000)))
    >>> table.parts(table.infer(), slice(0, 1))[0].shape
    (1, 2000)
    """

    @cached_property
    def stays(self) -> bool:
        """Whether rows are left sparse."""
        return bool(self.X.shape[1] >= MANY)

    def infer(self) -> Schema:
        """Its columns are numbers."""
        return Schema.numbered([Kind.QUANTITATIVE] * self.X.shape[1])

    def at_once(self, schema: Schema) -> int:
        """All rows where they stay sparse."""
        return max(self.n, 1) if self._sparse(schema) else super().at_once(schema)

    def parts(self, schema: Schema, rows: slice) -> Parts:
        """Some rows."""
        if not self._sparse(schema):
            return super().parts(schema, rows)
        return (self._every if rows.indices(self.n) == (0, self.n, 1) else self._some(rows),)

    @cached_property
    def _every(self) -> Any:
        """All rows, which several looks at a table ask for."""
        return self._some(slice(None))

    def _some(self, rows: slice) -> Any:
        return stored_once(rows_of_matrix(self.X, rows)).astype("float64", copy=False)

    def _sparse(self, schema: Schema) -> bool:
        parts = schema.parts
        return self.stays and len(parts) == 1 and parts[0][0] is Storage.NUMBERS and len(parts[0][1]) == self.X.shape[1]
