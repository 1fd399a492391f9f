"""Columns as bins: distinct values in order, runs of them, or symbols. Trees are grown from the codes of cells."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.numerics.threads import in_threads, processors

UNSEEN = -1
THREADED = 1 << 17  # cells from which columns are sorted in threads


@dataclass(frozen=True)
class ColumnBins:
    """The bins of one column: from the lowest to the highest value of each; of symbols, their codes."""

    low: Array  # (B,) smallest value of each bin
    high: Array  # (B,) largest
    symbols: bool = False  # whether the column has no order

    @property
    def B(self) -> int:
        """Number of bins."""
        return len(self.low)

    def codes(self, cells: Array) -> Array:
        """The bin of each cell (n,) int32, -1 where it is missing."""
        at = np.searchsorted(self.high, cells, side="left")  # NaN is past the end
        codes = np.minimum(at, max(self.B - 1, 0)).astype(np.int32)
        codes[np.isnan(cells)] = UNSEEN
        return codes if self.B else np.full(len(cells), UNSEEN, dtype=np.int32)

    def between(self, left: int, right: int) -> float:
        """The threshold between two bins: the middle, or the lower end where no number lies between."""
        a, b = float(self.high[left]), float(self.low[right])
        middle = a / 2.0 + b / 2.0
        return middle if a <= middle < b else a

    @classmethod
    def of(cls, cells: Array, most: int | None = None) -> ColumnBins:
        """The bins of these cells: one a distinct value or, where that makes more than `most`, equally full."""
        return cls.of_values(*np.unique(cells[~np.isnan(cells)], return_counts=True), most)

    @classmethod
    def of_values(cls, values: Array, counts: Array, most: int | None = None) -> ColumnBins:
        """The bins of distinct values in order, and how often each is met."""
        if most is None or len(values) <= most:
            return cls(values, values)
        upto = np.cumsum(counts)
        ends = np.unique(np.searchsorted(upto, upto[-1] * np.arange(1, most + 1) / most))
        ends[-1] = len(values) - 1
        starts = np.concatenate([[0], ends[:-1] + 1])
        return cls(values[starts], values[ends])

    @classmethod
    def of_symbols(cls, count: int) -> ColumnBins:
        """One bin a symbol."""
        codes = np.arange(count, dtype=np.float64)
        return cls(codes, codes, symbols=True)


@dataclass(frozen=True)
class BinnedCells:
    """The cells of a table as bins."""

    codes: Array  # (n, d) int32, column by column in memory, -1 missing
    bins: tuple[ColumnBins, ...]
    sorted_once: Array | None = None  # what `in_order` says, where it is known

    @cached_property
    def in_order(self) -> Array:
        """The cells of each column in order (d, n) int64: code << 32 | row, missing ones first."""
        if self.sorted_once is not None:
            return self.sorted_once
        packed = (self.codes.T.astype(np.int64) << 32) | np.arange(len(self.codes))
        packed.sort(axis=1)
        return packed

    @cached_property
    def columns(self) -> Array:
        """The codes (d, n), row by row in memory: loops are compiled once, however few rows or columns there are."""
        return np.ascontiguousarray(self.codes.T)

    @cached_property
    def small_columns(self) -> Array | None:
        """The same as bytes, where no cell is missing and no column has more than 256 bins."""
        if any(one.B > 256 for one in self.bins) or not self.codes.size or self.codes.min() < 0:
            return None
        return self.columns.astype(np.uint8)

    @cached_property
    def _ends(self) -> tuple[Array, Array, Array]:
        """Where the bins of each column begin among those of all, and their lowest and highest values."""
        starts = np.cumsum([0, *(one.B for one in self.bins)])[:-1]
        return starts, np.concatenate([b.low for b in self.bins]), np.concatenate([b.high for b in self.bins])

    def thresholds(self, column: Array, left: Array, right: Array) -> Array:
        """Thresholds (m,) between bins of columns, as `between` says; infinite where there is none right (-1)."""
        starts, low, high = self._ends
        a, b = high[starts[column] + left], low[starts[column] + np.maximum(right, 0)]
        middle = a / 2.0 + b / 2.0
        return np.asarray(np.where(right < 0, np.inf, np.where((a <= middle) & (middle < b), middle, a)))

    @classmethod
    def of(cls, X: Array, symbols: Array, most: int | None = None) -> BinnedCells:
        """Bin the cells of X (n, d), NaN where missing; `symbols` (d,): how many symbols a column has, 0: numbers."""
        if symbols.any():
            bins = (ColumnBins.of_symbols(int(k)) if k else ColumnBins.of(X[:, j], most) for j, k in enumerate(symbols))
            return cls.by(tuple(bins), X)
        codes = np.empty(X.shape, dtype=np.int32, order="F")
        ordered = np.empty(X.shape[::-1], dtype=np.int64)

        def column(j: int, go_on: Any) -> ColumnBins:
            return _sort_column(np.ascontiguousarray(X[:, j]), most, codes[:, j], ordered[j])

        found = in_threads(column, range(X.shape[1]), processors() if X.size >= THREADED else 1)
        return cls(codes, tuple(found), ordered)

    @classmethod
    def by(cls, bins: tuple[ColumnBins, ...], X: Array) -> BinnedCells:
        """Cells by bins that are known."""
        codes = np.empty(X.shape, dtype=np.int32, order="F")
        for j, one in enumerate(bins):
            codes[:, j] = one.codes(X[:, j])
        return cls(codes, bins)


def _sort_column(cells: Array, most: int | None, codes: Array, ordered: Array) -> ColumnBins:
    """The bins of a column, by one sort; its codes (n,) and its cells in order (n,) are written."""
    order = np.argsort(cells)  # missing ones are last
    values = cells[order]
    known = len(cells) - int(np.isnan(values).sum())
    new = np.ones(known, dtype=bool)
    np.not_equal(values[1:known], values[: max(known - 1, 0)], out=new[1:])
    starts = np.flatnonzero(new)
    bins = ColumnBins.of_values(values[starts], np.diff(starts, append=known), most)
    places = np.searchsorted(bins.high, values[starts]) if len(starts) > bins.B else np.arange(len(starts))
    mine = np.full(len(cells), UNSEEN, dtype=np.int64)
    mine[:known] = places[np.cumsum(new) - 1]
    codes[order] = mine
    np.bitwise_or(mine << 32, order, out=ordered)
    if len(cells) > bins.B:  # equal ones are in no order yet
        ordered.sort()
    return bins
