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
from suffice.spaces.distances.distance import Axioms, Distance
from suffice.spaces.distances.minkowski import read_weights
from suffice.summaries.rankings import Rankings


@saved
@dataclass(frozen=True)
class MixedDistance(Distance):
    """Numbers in units of their range, symbols equal or not, over present cells.

    A pseudo-metric where no cell is missing (a constant column tells nothing); in general a dissimilarity, as through a
    row of few cells the way may be shorter. So it is searched by brute force.

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
        if self.weights is not None:
            object.__setattr__(self, "weights", read_weights(self, self.weights))

    @classmethod
    def of(cls, X: Any, weights: Any = None) -> MixedDistance:
        """With the ranges of the columns of these rows that hold only numbers and missing cells."""
        columns = _columns(X)
        numbers = np.array([_is_numbers(column) for column in columns.T], dtype=bool)
        cells = np.column_stack(
            [_numbers(c) if k else np.full(len(c), np.nan) for c, k in zip(columns.T, numbers, strict=True)]
        )
        R = Shares.hard(np.zeros(len(cells), dtype=np.int32), 1)
        return cls.of_rankings(Rankings.of(cells, R), numbers, weights)

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
        """Column by column."""
        A = _columns(X)
        B = A if Y is None else _columns(Y)
        if A.shape[1] != len(self.ranges) or B.shape[1] != len(self.ranges):
            raise bad(self, "X", f"of {len(self.ranges)} columns", Said(str(A.shape[1])), "Give those of training.")
        total, weight = np.zeros((len(A), len(B))), np.zeros((len(A), len(B)))
        w = np.ones(len(self.ranges)) if self.weights is None else self.weights
        for j, unit in enumerate(self.ranges):
            apart = _matches(A[:, j], B[:, j]) if np.isnan(unit) else _shares(A[:, j], B[:, j], unit)
            there = ~np.isnan(apart)
            total += w[j] * np.where(there, apart, 0.0)
            weight += w[j] * there
        return np.divide(total, weight, out=np.full_like(total, np.nan), where=weight > 0)


def _columns(X: Any) -> Array:
    cells = np.asarray(X, dtype=object)
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


def _shares(a: Array, b: Array, unit: float) -> Array:
    """Differences of numbers as shares of the range; a constant column tells nothing."""
    apart = np.abs(np.subtract.outer(_numbers(a), _numbers(b)))
    return np.asarray(apart / unit if unit > 0 else np.where(np.isnan(apart), np.nan, 0.0))


def _matches(a: Array, b: Array) -> Array:
    """1 where symbols differ, NaN where one is missing."""
    known: dict[Any, int] = {}
    A, B = (np.array([-1 if _missing(c) else known.setdefault(c, len(known)) for c in side]) for side in (a, b))
    apart = np.asarray(np.not_equal.outer(A, B), dtype=np.float64)
    apart[A < 0] = np.nan
    apart[:, B < 0] = np.nan
    return apart
