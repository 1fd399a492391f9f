"""FactorMoments: what is kept of numbers and of indicators of symbols, aligned by name.

A symbol is one column for each level that was met, and one more that says whether the cell is there: it is 0 in every
row, and missing where the cell is. A shard that never met a level had 0 in its column where the symbol was there, and
nothing where it was missing, so that tables with other levels add exactly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import BadFile, never_added
from suffice.core.registry import saved
from suffice.core.shares import Shares
from suffice.core.summary import Index, Summary, spread
from suffice.core.tally import Tally, remaining
from suffice.estimators.design.factors import Factor, gap
from suffice.summaries.pattern_moments import PatternMoments


@saved
@dataclass(frozen=True)
class FactorMoments(Summary):
    """Moments of each missing pattern over named columns; a level that no row has is not there.

    >>> factors = Factor("x"), Factor("site", "n", True), gap("site")
    >>> X = np.array([[1.0, 1.0, 0.0], [2.0, np.nan, np.nan]])
    >>> kept = FactorMoments.of(factors, X, Shares.hard(np.array([0, 0]), 1))
    >>> wide = kept.align((*factors, Factor("site", "s", True)))
    >>> wide.moments.present.tolist(), wide.rows.tolist()
    ([[True, False, False, False], [True, True, True, True]], [[2, 1, 2, 0]])
    """

    factors: tuple[Factor, ...]  # q; Factor(column, None, True) says whether a symbol is there
    rows: Array  # (K, q) int64, rows that have the factor: for a level, those where it occurs
    moments: PatternMoments  # over q columns

    def __post_init__(self) -> None:
        """Refuse pieces of a file that do not belong together."""
        wide = self.moments.present.shape[1] if self.moments.present.ndim == 2 else -1
        if not (len(self.factors) == wide == self.rows.shape[-1] and self.rows.shape == (self.moments.K, wide)):
            raise BadFile("its moments have other columns than it names")

    @classmethod
    def of(cls, factors: Sequence[Factor], X: Array, R: Shares) -> FactorMoments:
        """Summarize the rows X (n, q), NaN where missing, whose shares name one component a row."""
        moments = PatternMoments.of(X, R)
        rows = np.repeat(Tally.of(R).rows[:, None], len(factors), axis=1)
        at = [j for j, factor in enumerate(factors) if is_level(factor)]
        met, live = X[:, at] == 1.0, R.live[:, 0]
        for k in range(R.K):
            rows[k, at] = met[live & (R.codes[:, 0] == k)].sum(axis=0)
        return cls(tuple(factors), rows, moments)._met()

    @classmethod
    def sum(cls, parts: Sequence[FactorMoments]) -> FactorMoments:
        """Align by name, then add."""
        factors = tuple(dict.fromkeys(factor for part in parts for factor in part.factors))
        parts = [part.align(factors) for part in parts]
        rows = np.sum([part.rows for part in parts], axis=0)
        return cls(factors, rows, PatternMoments.sum([part.moments for part in parts]))

    def __sub__(self, other: FactorMoments) -> FactorMoments:
        """Take rows away, and with its last row the level."""
        known = set(self.factors)
        strange = [factor for factor in other.factors if factor not in known]
        if strange:
            raise never_added("the rows", f"{strange[0].name!r}, which was never seen")
        other = other.align(self.factors)
        left = remaining(self.rows, other.rows)
        return FactorMoments(self.factors, left, self.moments - other.moments)._met()

    def scale(self, factor: float) -> FactorMoments:
        """Weights decay."""
        return replace(self, moments=self.moments.scale(factor))

    def spread(self, index: Index, K: int) -> FactorMoments:
        """Move components; levels stay until their last row is taken away."""
        return FactorMoments(self.factors, spread(self.rows, index, K), self.moments.spread(index, K))

    def fewest(self) -> Array:
        """As many rows as all patterns have (K,)."""
        return self.moments.fewest()

    def align(self, factors: tuple[Factor, ...]) -> FactorMoments:
        """The same over other factors: levels it lacks are 0 where their symbol is there, those not listed go."""
        if factors == self.factors:
            return self
        place = {factor: i for i, factor in enumerate(self.factors)}
        at = [j for j, factor in enumerate(factors) if factor in place]
        own = [place[factors[j]] for j in at]
        moments = self.moments.moments.columns(own).among(at, len(factors))
        seen = [place[factor if factor in place else gap(factor.column)] for factor in factors]
        rows = np.zeros((len(self.rows), len(factors)), dtype=np.int64)
        rows[:, at] = self.rows[:, own]
        return FactorMoments(factors, rows, _in_order(self.moments.present[:, seen], moments, self.moments.K))

    def without_cells(self, factors: Sequence[Factor]) -> FactorMoments:
        """The same rows with more columns, missing in all of them."""
        more, d = tuple(factor for factor in factors if factor not in self.factors), len(self.factors)
        whole = self.moments
        present = np.hstack([whole.present, np.zeros((len(whole.present), len(more)), dtype=bool)])
        moments = whole.moments.among(range(d), d + len(more))
        rows = np.hstack([self.rows, np.repeat(self.fewest()[:, None], len(more), axis=1)])
        return FactorMoments((*self.factors, *more), rows, PatternMoments(present, moments, whole.K))

    def spelled(self, words: Mapping[Any, Mapping[Any, str]]) -> FactorMoments:
        """The same with other names for some levels, by column, no two of which become one."""
        return replace(self, factors=tuple(_spelled(factor, words) for factor in self.factors))

    def levels(self, column: Any) -> tuple[Any, ...]:
        """The levels of a symbol that were met."""
        return tuple(factor.level for factor in self.factors if factor.column == column and is_level(factor))

    def _met(self) -> FactorMoments:
        """Without levels that no row has."""
        there = np.asarray(self.rows.any(axis=0))
        return self.align(tuple(f for f, some in zip(self.factors, there, strict=True) if some or not is_level(f)))


def is_level(factor: Factor) -> bool:
    """Whether a column is the indicator of a level."""
    return factor.symbol and not factor.missing


def _in_order(present: Array, moments: Any, K: int) -> PatternMoments:
    """Patterns in order; those that have become the same are added."""
    kept = PatternMoments(present, moments, K)
    if len(np.unique(present, axis=0)) == len(present):
        return PatternMoments.sum([kept])
    alone = [
        np.where(np.arange(len(present) * K) // K == p, np.arange(len(present) * K) % K, -1)
        for p in range(len(present))
    ]
    return PatternMoments.sum(
        [PatternMoments(present[p : p + 1], moments.spread(at, K), K) for p, at in enumerate(alone)]
    )


def _spelled(factor: Factor, words: Mapping[Any, Mapping[Any, str]]) -> Factor:
    known = words.get(factor.column, {}) if is_level(factor) else {}
    return factor._replace(level=known.get(factor.level, factor.level))
