"""Columns as bins: distinct values in order, runs of them, or symbols. Trees are grown from the codes of cells."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from suffice.core.block import Array

UNSEEN = -1


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
        known = cells[~np.isnan(cells)]
        values, counts = np.unique(known, return_counts=True)
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

    @cached_property
    def orders(self) -> Array:
        """The rows in the order of the cells of each column (d, n) int32, missing ones first."""
        return np.ascontiguousarray(np.argsort(self.codes, axis=0, kind="stable").T.astype(np.int32))

    @classmethod
    def of(cls, X: Array, symbols: Array, most: int | None = None) -> BinnedCells:
        """Bin the cells of X (n, d), NaN where missing; `symbols` (d,): how many symbols a column has, 0: numbers."""
        bins = tuple(
            ColumnBins.of_symbols(int(k)) if k else ColumnBins.of(X[:, j], most) for j, k in enumerate(symbols)
        )
        return cls.by(bins, X)

    @classmethod
    def by(cls, bins: tuple[ColumnBins, ...], X: Array) -> BinnedCells:
        """Cells by bins that are known."""
        codes = np.empty(X.shape, dtype=np.int32, order="F")
        for j, one in enumerate(bins):
            codes[:, j] = one.codes(X[:, j])
        return cls(codes, bins)
