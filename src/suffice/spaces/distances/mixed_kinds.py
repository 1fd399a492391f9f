"""A distance of rows of mixed kinds, over the cells that both have: after Gower.

d(x, y) = sum_j w_j d_j(x_j, y_j) / sum_j w_j      over columns j present in both; not a number if there is none
d_j = abs(x_j - y_j) / range_j for numbers, at most 1 for those of training; 0 or 1 for symbols
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.core.registry import saved
from suffice.core.shares import Shares
from suffice.numerics.loop import loop
from suffice.spaces.distances.distance import Axioms, Distance
from suffice.spaces.distances.minkowski import read_weights
from suffice.summaries.rankings import Rankings


@saved
@dataclass(frozen=True)
class MixedDistance(Distance):
    """Numbers in units of their range, symbols equal or not, over present cells.

    A pseudo-metric where no cell is missing (a constant column tells nothing); in general a dissimilarity, as through a
    row of few cells the way may be shorter. So it is searched by brute force. Rows are arrays of objects, or of floats
    in which symbols are codes and NaN is missing.

    >>> rows = np.array([[20.0, "red"], [60.0, "blue"], [30.0, None]], dtype=object)
    >>> MixedDistance.of(rows).between(rows).tolist()
    [[0.0, 1.0, 0.25], [1.0, 0.0, 0.75], [0.25, 0.75, 0.0]]
    """

    ranges: Array  # (d,) of columns of numbers; NaN for columns of symbols
    weights: Array | None = None  # (d,)

    def __post_init__(self) -> None:
        """Check ranges and weights."""
        ranges = np.asarray(self.ranges, dtype=np.float64)
        if ranges.ndim != 1 or (ranges < 0).any():
            raise bad(self, "ranges", "numbers of at least 0, NaN for symbols", self.ranges, "Use MixedDistance.of(X).")
        object.__setattr__(self, "ranges", ranges)
        if self.weights is None:
            return
        weights = read_weights(self, self.weights)
        if weights.shape != ranges.shape:
            raise bad(self, "weights", f"one a column ({len(ranges)})", Said(str(len(weights))), "Give one for each.")
        object.__setattr__(self, "weights", weights)

    @classmethod
    def of(cls, X: Any, weights: Any = None) -> MixedDistance:
        """With the ranges of the columns of these rows that hold only numbers and missing cells."""
        columns = _columns(X)
        if columns.dtype != object:
            return cls.of_cells(columns, np.zeros(columns.shape[1], dtype=bool), weights)
        numbers = np.array([_is_numbers(column) for column in columns.T], dtype=bool)
        cells = np.column_stack(
            [_numbers(c) if k else np.full(len(c), np.nan) for c, k in zip(columns.T, numbers, strict=True)]
        )
        return cls.of_cells(cells, ~numbers, weights)

    @classmethod
    def of_cells(cls, X: Array, symbols: Any, weights: Any = None) -> MixedDistance:
        """With the ranges of rows of floats; `symbols` says which columns are codes."""
        R = Shares.hard(np.zeros(len(X), dtype=np.int32), 1)
        return cls.of_rankings(Rankings.of(X, R), ~np.asarray(symbols, dtype=bool), weights)

    @classmethod
    def of_rankings(cls, rankings: Rankings, numbers: Any, weights: Any = None) -> MixedDistance:
        """With the ranges that rankings hold, pooled: they add, merge and forget. `numbers` says which columns are."""
        pooled = rankings.pooled()
        with np.errstate(invalid="ignore"):
            spread = pooled.maximum[0] - pooled.minimum[0]
        return cls(np.where(np.asarray(numbers, dtype=bool), np.nan_to_num(spread), np.nan), weights)

    @property
    def axioms(self) -> Axioms:
        """What holds whichever cells are missing."""
        return Axioms.DISSIMILARITY

    def between(self, X: Any, Y: Any = None) -> Array:
        """Over the columns, one after the other."""
        A = _columns(X)
        B = A if Y is None else _columns(Y)
        if A.shape[1] != len(self.ranges) or B.shape[1] != len(self.ranges):
            raise bad(self, "X", f"of {len(self.ranges)} columns", Said(str(A.shape[1])), "Give those of training.")
        A, B = self._cells(A, B)
        w = np.ones(len(self.ranges)) if self.weights is None else self.weights
        found = np.empty((len(A), len(B)))
        if mixed_table.pays(found.size * len(w)):
            mixed_table(A, B, self.ranges, w, found)
        else:
            mixed_table.instead(mixed_by_columns, A, B, self.ranges, w, found)
        return found

    def _cells(self, A: Array, B: Array) -> tuple[Array, Array]:
        """Both as floats: symbols by codes that they share, NaN where a cell is missing."""
        if A.dtype != object and B.dtype != object:
            return np.ascontiguousarray(A), np.ascontiguousarray(B)
        a, b = np.empty(A.shape), np.empty(B.shape)
        for j, unit in enumerate(self.ranges):
            if np.isnan(unit):
                a[:, j], b[:, j] = _codes(A[:, j], B[:, j])
            else:
                a[:, j], b[:, j] = _numbers(A[:, j]), _numbers(B[:, j])
        return a, b


def _columns(X: Any) -> Array:
    cells = X if isinstance(X, np.ndarray) and X.dtype == np.float64 else np.asarray(X, dtype=object)
    if cells.ndim != 2:
        raise bad("MixedDistance", "X", "rows of cells", Said(f"shape {cells.shape}"), "One row is [[...]].")
    return cells


def _missing(cell: Any) -> bool:
    return cell is None or bool(cell != cell)


def _is_numbers(column: Array) -> bool:
    there = [cell for cell in column if not _missing(cell)]
    return bool(there) and all(isinstance(c, int | float | np.number) and not isinstance(c, bool) for c in there)


def _numbers(column: Array) -> Array:
    try:
        return np.array([np.nan if _missing(cell) else float(cell) for cell in column], dtype=np.float64)
    except (TypeError, ValueError):
        raise bad("MixedDistance", "X", "numbers where training had numbers", Said("a symbol"), "Correct it.") from None


def _codes(a: Array, b: Array) -> tuple[Array, Array]:
    """Symbols of two columns as numbers, equal where they are; NaN where missing."""
    known: dict[Any, int] = {}
    sides = ([np.nan if _missing(c) else float(known.setdefault(c, len(known))) for c in side] for side in (a, b))
    first, second = (np.array(side, dtype=np.float64) for side in sides)
    return first, second


def mixed_by_columns(A: Array, B: Array, ranges: Array, w: Array, found: Array) -> None:
    """d of each row of A and each of B into `found` (n, m); the twin of the loop."""
    weight = np.zeros(found.shape)
    found[:] = 0.0
    for j, unit in enumerate(ranges):
        a, b = A[:, j, None], B[:, j]
        there = ~(np.isnan(a) | np.isnan(b))
        if np.isnan(unit):
            apart = (a != b).astype(np.float64)
        else:  # a constant column tells nothing
            apart = np.abs(a - b) / unit if unit > 0 else np.zeros(found.shape)
        found += np.where(there, w[j] * apart, 0.0)
        weight += w[j] * there
    np.divide(found, weight, out=found, where=weight > 0)
    found[weight <= 0] = np.nan


@loop
def mixed_table(A: Array, B: Array, ranges: Array, w: Array, found: Array) -> None:
    """d of each row of A and each of B into `found` (n, m)."""
    for i in range(A.shape[0]):
        for k in range(B.shape[0]):
            total = 0.0
            weight = 0.0
            for j in range(A.shape[1]):
                a, b, unit = A[i, j], B[k, j], ranges[j]
                if a == a and b == b:  # neither is missing
                    weight += w[j]
                    if unit != unit:
                        if a != b:
                            total += w[j]
                    elif unit > 0.0:
                        total += w[j] * (abs(a - b) / unit)
            found[i, k] = total / weight if weight > 0.0 else np.nan
