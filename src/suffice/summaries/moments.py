"""Moments: row count, weight, sum and sum of squares of each column, per component, in double-double.

    W = sum_i w_i,   S = sum_i w_i (x_i - c),   Q = sum_i w_i (x_i - c)^2      over the rows where x_i is present

The shift c is per column, the median of the first rows; it is carried, and changed exactly when two summaries differ.
One shift for all components is not enough with plain or compensated sums: the variance of a class 1e8 standard
deviations away would be wrong by 300 %. The error of x - c, of the product and of the sum are therefore all kept.
After subtraction the relative error of a variance is about 2^-104 (largest |x - c| ever added / sd)^2. Rows that are
shared among components are added by matrix products, whose error is 2^-53 of the variance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from suffice.core.block import Array
from suffice.core.pairs import Pair, exact, two_sum
from suffice.core.registry import saved
from suffice.core.shares import Shares
from suffice.core.summary import Index, Summary, spread
from suffice.core.tally import remaining, remaining_weight
from suffice.summaries.power_sums import middle, power_sums
from suffice.summaries.shared_sums import move

SETTLED = 2.0**-96  # a variance below this share of the mean square about the shift is rounding, not spread


@saved
@dataclass(frozen=True)
class Moments(Summary):
    """Count, weight, sum and sum of squares about a carried shift, per component and column; NaN is a missing cell.

    >>> X = np.array([[1e8], [1e8 + 1.0], [np.nan], [7.0]])
    >>> moments = Moments.of(X, Shares.hard(np.array([0, 0, 0, 1]), 2))
    >>> moments.rows.ravel(), moments.variance.ravel()
    (array([2, 1]), array([0.25, 0.  ]))
    """

    shift: Array  # (d,)
    rows: Array  # (K, d) int64, rows where the cell is present
    weight: Pair  # (K, d) each
    first: Pair  # (K, d) sum of w (x - shift)
    second: Pair  # (K, d) sum of w (x - shift)^2

    @classmethod
    def of(cls, X: Array, R: Shares, shift: Array | None = None) -> Moments:
        """Summarize the rows X (n, d), NaN where missing, with shares R."""
        shift = middle(X) if shift is None else shift
        return cls(shift, *power_sums(X, R, shift))

    @classmethod
    def empty(cls, K: int, d: int) -> Moments:
        """No rows."""
        return cls(np.zeros(d), np.zeros((K, d), dtype=np.int64), *(exact(np.zeros((K, d))) for _ in range(3)))

    @classmethod
    def sum(cls, parts: Sequence[Moments]) -> Moments:
        """Bring all to one shift, then add."""
        shift = parts[0].shift
        seen = parts[0].rows.any(axis=0)
        for part in parts[1:]:
            shift = np.where(seen, shift, part.shift)
            seen = seen | part.rows.any(axis=0)
        total = parts[0].about(shift)
        for part in parts[1:]:
            part = part.about(shift)
            total = Moments(
                shift,
                total.rows + part.rows,
                total.weight + part.weight,
                total.first + part.first,
                total.second + part.second,
            )
        return total

    def __sub__(self, other: Moments) -> Moments:
        """Take rows away; a cell whose last row leaves is exactly empty."""
        other = other.about(self.shift)
        rows = remaining(self.rows, other.rows)
        weight = remaining_weight(self.weight, other.weight, rows)
        first, second = self.first - other.first, self.second - other.second
        rounding = SETTLED * self.second.high  # of what was held: as much spread as this is left by rounding alone
        at_shift = (rows == 0) | (second.high <= rounding)
        first, second = first.where(~at_shift), second.where(~at_shift)
        equal = first * (first / weight)  # the sum of squares of rows that are all equal
        spread_out = (rows > 1) & ((second - equal).high > rounding)
        return Moments(self.shift, rows, weight, first, second.where(spread_out) + equal.where(~spread_out))

    def scale(self, factor: float) -> Moments:
        """Weights decay."""
        by = exact(factor)
        return Moments(self.shift, self.rows, self.weight * by, self.first * by, self.second * by)

    def spread(self, index: Index, K: int) -> Moments:
        """Move components."""
        sums = (Pair(*(spread(half, index, K) for half in pair)) for pair in (self.weight, self.first, self.second))
        return Moments(self.shift, spread(self.rows, index, K), *sums)

    def columns(self, places: Index | slice) -> Moments:
        """The moments of some columns."""
        sums = (Pair(*(half[:, places] for half in pair)) for pair in (self.weight, self.first, self.second))
        return Moments(self.shift[places], self.rows[:, places], *sums)

    def among(self, places: Index, d: int) -> Moments:
        """The same columns at some places of d; the others are empty."""
        wide = Moments.empty(len(self.rows), d)
        for mine, theirs in zip(
            (self.rows, *self.weight, *self.first, *self.second),
            (wide.rows, *wide.weight, *wide.first, *wide.second),
            strict=True,
        ):
            theirs[:, places] = mine
        wide.shift[places] = self.shift
        return wide

    def about(self, shift: Array) -> Moments:
        """The same rows about another shift: S' = S + W t, Q' = Q + 2 t S + W t^2 with t = old - new."""
        if shift is self.shift or np.array_equal(shift, self.shift):
            return self
        first, second = move(self.weight, self.first, self.second, two_sum(self.shift, -shift))
        present = self.rows > 0
        return Moments(shift, self.rows, self.weight, first.where(present), second.where(present))

    def pooled(self) -> Moments:
        """All components as one (K = 1)."""
        sums = (Pair(*(half[None] for half in pair.sum(0))) for pair in (self.weight, self.first, self.second))
        return Moments(self.shift, self.rows.sum(axis=0, keepdims=True), *sums)

    @property
    def mean(self) -> Pair:
        """Mean of each column (K, d), as a pair: subtract high, then low. 0 where there is no row."""
        return (exact(self.shift) + self.first / self.weight).where(self.rows > 0)

    @property
    def scatter(self) -> Pair:
        """Sum of w (x - mean)^2 (K, d), never negative; exactly 0 where all cells are equal."""
        spread_out = self.second - self.first * (self.first / self.weight)
        return spread_out.where((self.rows > 1) & (spread_out.high > SETTLED * np.abs(self.second.high)))

    @property
    def variance(self) -> Array:
        """Scatter over weight (K, d): the maximum-likelihood variance; 0 where there is no row."""
        return (self.scatter / self.weight).value
