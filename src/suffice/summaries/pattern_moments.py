"""PatternMoments: full moments of the rows of each missing pattern, per component.

Rows that lack the same cells are summarized together, over the cells they have, so that nothing is filled in and
nothing is left out: the likelihood of a normal model with missing cells is a function of these sums alone. Complete
rows are one pattern; the list of patterns is open, as a vocabulary is.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from suffice.core.affine import Affine, Linear
from suffice.core.block import Array
from suffice.core.double_double import Pair
from suffice.core.errors import BadInput, never_added, refusal
from suffice.core.registry import saved
from suffice.core.shares import Shares
from suffice.core.summary import Index, Summary
from suffice.core.tally import Tally
from suffice.summaries.full_moments import FullMoments
from suffice.summaries.power_sums import middle

CELLS = 2**23  # numbers that the products of all patterns may hold: 128 MB as pairs


class TooManyPatterns(BadInput):
    """There are more missing patterns than a summary may hold."""


@saved
@dataclass(frozen=True)
class PatternMoments(Summary):
    """Full moments per missing pattern and component; sums of missing columns are 0.

    >>> X = np.array([[1.0, 2.0], [3.0, np.nan], [5.0, np.nan]])
    >>> kept = PatternMoments.of(X, Shares.hard(np.array([0, 0, 0]), 1))
    >>> kept.present.tolist(), kept.moments.rows.tolist()
    ([[True, False], [True, True]], [2, 1])
    """

    present: Array  # (P, d) bool, in order: the patterns that have rows
    moments: FullMoments  # component p K + k is component k of pattern p
    K: int

    @classmethod
    def of(cls, X: Array, R: Shares) -> PatternMoments:
        """Summarize the rows X (n, d), NaN where missing, with shares R."""
        shift = middle(X)
        with suppress(BadInput):  # products notice a missing cell of theirs; looking for one first takes longer
            return cls(np.ones((1, X.shape[1]), dtype=bool), FullMoments.of(X, R, shift), R.K)._without_empty()
        X, R = X[R.claimed], R[R.claimed]
        gaps = np.isnan(X)
        patterns, group = np.unique(~gaps, axis=0, return_inverse=True)
        check_patterns(len(patterns), R.K, X.shape[1])
        order, ends = np.argsort(group, kind="stable"), np.cumsum(np.bincount(group, minlength=len(patterns)))
        rows = np.split(order, ends)[: len(patterns)]
        parts = [_embedded(X, R, some, where, shift) for some, where in zip(rows, patterns, strict=True)]
        return cls(patterns, stacked([FullMoments.empty(0, shift), *parts]), R.K)._without_empty()

    @classmethod
    def sum(cls, parts: Sequence[PatternMoments]) -> PatternMoments:
        """Align the patterns, bring all to one shift, then add."""
        present = np.unique(np.concatenate([part.present for part in parts]), axis=0)
        check_patterns(len(present), parts[0].K, present.shape[1])
        full = next((part for part in parts if part.moments.rows.any()), parts[0])
        shift = _first_shift(parts) if len(parts) > 1 else full.moments.shift
        moved = [part.about(shift).over(present).moments for part in parts]
        return cls(present, FullMoments.sum(moved), parts[0].K)

    def __sub__(self, other: PatternMoments) -> PatternMoments:
        """Take rows away, and with its last row the pattern."""
        known = {row.tobytes() for row in self.present}
        if any(row.tobytes() not in known for row in other.present):
            raise never_added("the rows", "rows that lack other cells than any that were learned")
        moved = other.about(self.moments.shift).over(self.present)
        return PatternMoments(self.present, self.moments - moved.moments, self.K)._without_empty()

    def scale(self, factor: float) -> PatternMoments:
        """Weights decay."""
        return PatternMoments(self.present, self.moments.scale(factor), self.K)

    def spread(self, index: Index, K: int) -> PatternMoments:
        """Move components."""
        index, P = np.asarray(index, dtype=np.intp), len(self.present)
        each = np.where(index < 0, -1, index + K * np.arange(P)[:, None]).ravel()
        return PatternMoments(self.present, self.moments.spread(each, P * K), K)._without_empty()

    def about(self, shift: Array) -> PatternMoments:
        """The same rows about another shift; the sums of missing columns stay 0."""
        if np.array_equal(shift, self.moments.shift):
            return self
        here = np.repeat(self.present, self.K, axis=0)
        return PatternMoments(self.present, _masked(self.moments.about(shift), here), self.K)

    def push(self, by: Affine | Linear) -> PatternMoments:
        """What is kept of the rows once their columns are mapped; the sums of missing columns stay 0.

        Where columns are mixed, no cell may be missing: there would be nothing left of its row.
        """
        if isinstance(by, Linear):
            whole = self.complete.push(by)
            return PatternMoments(np.ones((1, len(whole.shift)), dtype=bool), whole, self.K)
        here = np.repeat(self.present, self.K, axis=0)
        return PatternMoments(self.present, _masked(self.moments.push(by), here), self.K)

    def over(self, present: Array) -> PatternMoments:
        """The same rows over another list of patterns, which holds all of its own."""
        if np.array_equal(present, self.present):
            return self
        place = {row.tobytes(): p for p, row in enumerate(present)}
        index = [place[row.tobytes()] * self.K + k for row in self.present for k in range(self.K)]
        return PatternMoments(present, self.moments.spread(index, len(present) * self.K), self.K)

    def component(self, k: int, shift: Array | None = None) -> FullMoments:
        """One component: its moments in each pattern (P components), about a shift."""
        P = len(self.present)
        index = np.full(P * self.K, -1)
        index[k :: self.K] = np.arange(P)
        one = self.moments.spread(index, P).settled()
        return one if shift is None else _masked(one.about(shift), self.present)

    def somewhat(self) -> PatternMoments:
        """Without the rows that have no cell at all."""
        some = np.repeat(np.asarray(self.present.any(axis=1)), self.K)
        index = np.where(some, np.arange(len(some)), -1)
        return PatternMoments(self.present, self.moments.spread(index, len(some)), self.K)._without_empty()

    def fewest(self) -> Array:
        """As many rows as all patterns have (K,)."""
        return np.asarray(self.moments.rows.reshape(len(self.present), self.K).sum(axis=0))

    @property
    def tally(self) -> Tally:
        """Rows and weight of each component, over all patterns."""
        shape = len(self.present), self.K
        weight = Pair(*(half.reshape(shape) for half in self.moments.weight)).sum(0)
        return Tally(self.moments.rows.reshape(shape).sum(axis=0), weight)

    @property
    def is_complete(self) -> bool:
        """Whether no row lacks a cell."""
        return bool(self.present.all())

    @property
    def complete(self) -> FullMoments:
        """The moments of the complete rows alone (K)."""
        if len(self.present) == 1 and self.is_complete:
            return self.moments.settled()
        whole = np.flatnonzero(self.present.all(axis=1))
        index = np.full(len(self.present) * self.K, -1)
        for p in whole:  # there is one, or none
            index[p * self.K : (p + 1) * self.K] = np.arange(self.K)
        return self.moments.spread(index, self.K).settled()

    def _without_empty(self) -> PatternMoments:
        """Patterns without rows are not there."""
        left = np.asarray(self.moments.rows.reshape(len(self.present), self.K).any(axis=1))
        if left.all():
            return self
        index = np.where(np.repeat(left, self.K), np.repeat(np.cumsum(left) - 1, self.K) * self.K, -1)
        index = np.where(index < 0, -1, index + np.tile(np.arange(self.K), len(left)))
        return PatternMoments(self.present[left], self.moments.spread(index, int(left.sum()) * self.K), self.K)


def most_patterns(K: int, d: int) -> int:
    """How many missing patterns a summary of K components and d columns may hold."""
    return max(1, CELLS // max(1, K * d * d))


def check_patterns(P: int, K: int, d: int) -> None:
    """Refuse more patterns than may be held."""
    most = most_patterns(K, d)
    if most < P:
        raise refusal(
            TooManyPatterns,
            "PatternMoments",
            "the missing patterns",
            f"at most {most} for {K} components and {d} columns",
            P,
            "Learn in passes over the rows, or leave columns out that are often missing.",
        )


def _first_shift(parts: Sequence[PatternMoments]) -> Array:
    """A shift for each column, from the first part that has met a cell of it."""
    shift, seen = parts[0].moments.shift, parts[0].present.any(axis=0)
    for part in parts[1:]:
        shift = np.where(seen, shift, part.moments.shift)
        seen = seen | part.present.any(axis=0)
    return shift


def _embedded(X: Array, R: Shares, rows: Array, where: Array, shift: Array) -> FullMoments:
    """Moments of the cells that are there, in a frame of all columns."""
    mine = FullMoments.of(X[np.ix_(rows, np.flatnonzero(where))], R[rows], shift[where])
    wide, at, every = FullMoments.empty(R.K, shift), np.flatnonzero(where), np.arange(R.K)
    for half in range(2):
        wide.first[half][np.ix_(every, at)] = mine.first[half]
        wide.second[half][np.ix_(every, at, at)] = mine.second[half]
    return FullMoments(shift, mine.rows, mine.weight, wide.first, wide.second)


def stacked(parts: Sequence[FullMoments]) -> FullMoments:
    """Components of all parts, which have one shift, one after the other."""
    sums = (
        Pair(*(np.concatenate(halves) for halves in zip(*(getattr(part, name) for part in parts), strict=True)))
        for name in ("weight", "first", "second")
    )
    noise = np.concatenate([part.noise for part in parts])
    return FullMoments(parts[0].shift, np.concatenate([part.rows for part in parts]), *sums, noise=noise)


def _masked(moments: FullMoments, here: Array) -> FullMoments:
    """Sums of columns that are not there are 0."""
    if here.all():
        return moments
    first, second = moments.first.where(here), moments.second.where(here[:, :, None] & here[:, None, :])
    return FullMoments(moments.shift, moments.rows, moments.weight, first, second, noise=moments.noise * here)
