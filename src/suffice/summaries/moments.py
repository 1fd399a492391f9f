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
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from suffice.core.affine import Affine
from suffice.core.block import Array
from suffice.core.double_double import Pair, exact, two_sum
from suffice.core.registry import saved
from suffice.core.shares import Shares
from suffice.core.summary import Index, Summary, spread
from suffice.core.tally import remaining, remaining_weight
from suffice.numerics.arrays import every
from suffice.summaries.leaving import SUMS, check_columns, rounding, slack
from suffice.summaries.power_sums import middle, power_sums
from suffice.summaries.shifted_sums import move
from suffice.summaries.sparse_sums import sparse_sums

SHARED = 2.0**-40  # of a scatter: what sums of rows that are shared among components may miss by


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
    noise: Array = field(default_factory=lambda: np.zeros(()), kw_only=True)  # (K, d) of the scatter that is rounding

    def __post_init__(self) -> None:
        """Of rows that were only summarized, and in files from before it was kept, there is none."""
        if self.noise.shape != self.rows.shape:
            object.__setattr__(self, "noise", np.zeros(self.rows.shape))

    @classmethod
    def of(cls, X: Array, R: Shares, shift: Array | None = None) -> Moments:
        """Summarize the rows X (n, d), an array or sparse, NaN where missing, with shares R."""
        if hasattr(X, "tocsr"):
            kept = cls(np.zeros(X.shape[1]), *sparse_sums(X, R))
            return kept if shift is None else kept.about(shift)
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
                noise=total.noise + part.noise,
            )
        return total

    def __sub__(self, other: Moments) -> Moments:
        """Take rows away; a cell whose last row leaves is exactly empty, and what is constant is exactly so."""
        taken, other = other.rows > 0, other.about(self.shift)
        rows = remaining(self.rows, other.rows)
        weight = remaining_weight(self.weight, other.weight, rows)
        noise = rounding(SUMS, self.second, self.weight, weight) + other.noise
        noise = np.where(taken, self.noise + noise, self.noise)
        sums = ((mine - theirs).where(rows > 0) for mine, theirs in zip(self.sums, other.sums, strict=True))
        left = Moments(self.shift, rows, weight, *sums, noise=noise)
        gap = (self.mean - other.mean).value
        apart = np.abs((self._spread_out - other._spread_out).value) + self.weight.high * gap**2
        allowed = slack(noise, SHARED, np.abs(self._spread_out.high))
        check_columns(rows[taken], left._spread_out.high[taken], apart[taken], allowed[taken])
        return left._settled()

    def _settled(self) -> Moments:
        """Cells are all equal where there is one row, or where they vary by no more than their noise."""
        noise = np.where(self.rows > 0, self.noise, 0.0)
        equal = self.first * (self.first / self.weight)  # the sum of squares of rows that are all equal
        spread_out = (self.rows > 1) & ((self.second - equal).high > noise)
        away = spread_out | (equal.high > SUMS * noise)  # else they are the shift: a mean errs by that share of squares
        first, second = self.first.where(away), self.second.where(spread_out) + equal.where(away & ~spread_out)
        return Moments(self.shift, self.rows, self.weight, first, second, noise=noise)

    def scale(self, factor: float) -> Moments:
        """Weights decay."""
        by = exact(factor)
        sums = self.weight * by, self.first * by, self.second * by
        return Moments(self.shift, self.rows, *sums, noise=self.noise * factor)

    def spread(self, index: Index, K: int) -> Moments:
        """Move components."""
        sums = (Pair(*(spread(half, index, K) for half in pair)) for pair in (self.weight, self.first, self.second))
        return Moments(self.shift, spread(self.rows, index, K), *sums, noise=spread(self.noise, index, K))

    def columns(self, places: Index | slice) -> Moments:
        """The moments of some columns."""
        sums = (Pair(*(half[:, places] for half in pair)) for pair in (self.weight, self.first, self.second))
        return Moments(self.shift[places], self.rows[:, places], *sums, noise=self.noise[:, places])

    def among(self, places: Index, d: int) -> Moments:
        """The same columns at some places of d; the others are empty."""
        wide = Moments.empty(len(self.rows), d)
        for mine, theirs in zip(
            (self.rows, *self.weight, *self.first, *self.second, self.noise),
            (wide.rows, *wide.weight, *wide.first, *wide.second, wide.noise),
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
        noise = self.noise + SUMS * np.abs(self.second.high)  # which may be little about the other
        return Moments(shift, self.rows, self.weight, first.where(present), second.where(present), noise=noise)

    def push(self, by: Affine) -> Moments:
        """What is kept of the rows once their columns are mapped."""
        where, scale = by.shift(self.shift), exact(by.scale)
        sums = self.first / scale, self.second / scale / scale
        first, second = move(self.weight, *sums, exact(where.low))
        present, noise = self.rows > 0, self.noise / by.scale**2
        kept = first.where(present), second.where(present)
        return Moments(where.high, self.rows, self.weight, *kept, noise=noise)

    def pooled(self) -> Moments:
        """All components as one (K = 1)."""
        sums = (Pair(*(half[None] for half in pair.sum(0))) for pair in (self.weight, self.first, self.second))
        rows, noise = (some.sum(axis=0, keepdims=True) for some in (self.rows, self.noise))
        return Moments(self.shift, rows, *sums, noise=noise)

    def fewest(self) -> Array:
        """As many rows as have some cell."""
        return np.asarray(self.rows.max(axis=1, initial=0))

    @property
    def sums(self) -> tuple[Pair, Pair]:
        """The first and the second."""
        return self.first, self.second

    @property
    def mean(self) -> Pair:
        """Mean of each column (K, d), as a pair: subtract high, then low. 0 where there is no row."""
        mean = exact(self.shift) + self.offset
        return mean if every(self.rows) else mean.where(self.rows > 0)

    @cached_property
    def offset(self) -> Pair:
        """Mean less shift (K, d); 0 where there is no row."""
        return self.first / self.weight

    @cached_property
    def scatter(self) -> Pair:
        """Sum of w (x - mean)^2 (K, d), never negative; exactly 0 where all cells are equal."""
        spread_out, rounded = self._spread_out, np.maximum(SUMS * np.abs(self.second.high), self.noise)
        tells = (self.rows > 1) & (spread_out.high > rounded)
        return spread_out if every(tells) else spread_out.where(tells)

    @property
    def _spread_out(self) -> Pair:
        """The same, rounding and all."""
        return self.second - self.first * self.offset

    @property
    def variance(self) -> Array:
        """Scatter over weight (K, d): the maximum-likelihood variance; 0 where there is no row."""
        weight = self.weight.value
        return np.asarray(np.divide(self.scatter.value, weight, out=np.zeros(weight.shape), where=weight != 0.0))
