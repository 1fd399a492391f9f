"""Rows laid end to end: one form for dense and sparse tables, so that one loop sweeps over both."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.numerics.loop import CHUNK
from suffice.sources.tables.matrix import stored_once

AT_LEAST = 100  # cells: a row costs a NumPy twin as much as so many, however short it is


class FlatRows(NamedTuple):
    """The cells of row i are data[starts[i] : starts[i + 1]], and `columns` says where they belong.

    A dense table has neither: row i begins at i d.

    >>> rows = FlatRows.of(np.array([[1.0, 2.0], [3.0, 4.0]]))
    >>> [x.tolist() for x, _ in rows.visit(np.array([1, 0]))]
    [[3.0, 4.0], [1.0, 2.0]]
    """

    table: Any  # (n, d) the array or CSR matrix itself
    data: Array  # cells
    columns: Array  # of the cells
    starts: Array  # (n + 1,) of the rows

    @classmethod
    def of(cls, X: Any) -> FlatRows:
        """An array in the order of C, or a CSR matrix; cells of one place that come in parts are added up."""
        if not hasattr(X, "indptr"):
            return cls(X, X.reshape(-1), np.empty(0, dtype=np.int32), np.empty(0, dtype=np.int32))
        X = stored_once(X)
        return cls(X, X.data, X.indices, X.indptr)

    @property
    def dense(self) -> bool:
        """Whether every cell is there."""
        return not hasattr(self.table, "indptr")

    @property
    def n(self) -> int:
        """Number of rows."""
        return int(self.table.shape[0])

    @property
    def width(self) -> int:
        """Number of columns."""
        return int(self.table.shape[1])

    @property
    def cells(self) -> int:
        """What a sweep costs a NumPy twin, in cells."""
        return max(len(self.data), AT_LEAST * self.n)

    def visit(self, order: Array) -> Iterator[tuple[Array, Any]]:
        """The cells of each row of an order, and which columns they belong to."""
        if self.dense:
            every = slice(None)
            for start in range(0, len(order), CHUNK):
                for x in np.asarray(self.table[order[start : start + CHUNK]], dtype=np.float64):
                    yield x, every
            return
        data = self.data.astype(np.float64, copy=False)
        for first, last in zip(self.starts[order].tolist(), self.starts[order + 1].tolist(), strict=True):
            yield data[first:last], self.columns[first:last]

    def products(self, w: Array) -> Array:
        """x . w of each row (n,)."""
        return np.asarray(self.table @ w, dtype=np.float64)

    def longest(self, w: Array, constant: float = 0.0) -> float:
        """The largest squared length of a row and a constant cell, times the weight of the row; 1 where all are 0."""
        X = self.table
        with np.errstate(over="ignore"):
            squares = np.einsum("ij,ij->i", X, X) if self.dense else np.asarray(X.multiply(X).sum(axis=1)).ravel()
            return float((w * (squares + constant**2)).max(initial=0.0)) or 1.0

    def mean(self, weights: Array) -> Array:
        """The weighted mean of the rows (d,)."""
        return np.asarray(self.table.T @ (weights / weights.sum()), dtype=np.float64)
