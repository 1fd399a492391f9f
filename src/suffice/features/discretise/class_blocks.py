"""Segments of a ranking by class, and the best cut of each: what recursive partitioning asks for.

Values that only one class has, one after the other, are one block: within them no split of a convex score is best.
Large rankings with whole weights are swept for information gain by a loop that looks logarithms up; its twin is the
score itself, by the same operations in the same order, so that both choose the same cut.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Protocol

import numpy as np

from suffice.core.block import Array
from suffice.features.discretise.class_shares import Score, split_gain
from suffice.numerics.loop import inner, loop

PART = 64  # cuts that are ruled out together
BOUNDED = 3  # classes up to which they are
ROUNDING = 1e-12  # far more than gains, which are at most some bits, are wrong by
TILE = 512  # values that are joined at a time
LISTED = 1 << 20  # logarithms that are kept; those of larger counts are computed


class Blocks(Protocol):
    """Counts of classes along a ranking, block by block."""

    ends: Array  # the last value of each block

    def __len__(self) -> int:
        """Number of blocks."""

    def best(self, a: int, b: int) -> tuple[int, float]:
        """How many blocks of a segment lie before its best cut, and how good that is."""

    def segment(self, a: int, b: int) -> Array:
        """Counts of the blocks of a segment (b - a, K)."""

    def total(self, a: int, b: int) -> Array:
        """Counts of a segment (K,)."""


def class_blocks(counts: Array, score: Score) -> Blocks:
    """The blocks of a ranking (V, K), with the way to sweep them."""
    if score is split_gain and _join_runs.pays(counts.size):
        ends, sums = np.empty(len(counts), dtype=np.int64), np.empty((len(counts) + 1, counts.shape[1]), dtype=np.int64)
        found = _join_runs(np.ascontiguousarray(counts.T, dtype=np.float64), ends, sums)
        if found >= 0:
            return WholeBlocks(ends[:found], sums[: found + 1])
    return PlainBlocks(counts, score)


class PlainBlocks:
    """Any counts and any score, by NumPy."""

    def __init__(self, counts: Array, score: Score) -> None:
        """Join the runs."""
        start = runs_of_one_class(counts)
        self.counts = np.add.reduceat(counts, start, axis=0) if len(counts) else counts
        self.ends, self.score = np.append(start[1:], len(counts)) - 1, score

    def __len__(self) -> int:
        """Number of blocks."""
        return len(self.counts)

    def best(self, a: int, b: int) -> tuple[int, float]:
        """The first of the best cuts."""
        scores = sweep_scores(self.counts[a:b], self.score)
        at = int(scores.argmax())
        return at + 1, float(scores[at])

    def segment(self, a: int, b: int) -> Array:
        """Counts of the blocks of a segment."""
        return self.counts[a:b]

    def total(self, a: int, b: int) -> Array:
        """Counts of a segment."""
        return np.asarray(self.counts[a:b].sum(axis=0))


class WholeBlocks:
    """Whole counts and information gain, by a loop."""

    def __init__(self, ends: Array, sums: Array) -> None:
        """Take the ends of blocks, and counts of all blocks before each (B + 1, K)."""
        self.ends, self.sums = ends, sums

    def __len__(self) -> int:
        """Number of blocks."""
        return len(self.ends)

    def best(self, a: int, b: int) -> tuple[int, float]:
        """The first of the best cuts."""
        at, score = _best_cut(self.sums, a, b, _logarithms())
        return int(at) - a, float(score)

    def segment(self, a: int, b: int) -> Array:
        """Counts of the blocks of a segment."""
        return np.diff(self.sums[a : b + 1], axis=0).astype(np.float64)

    def total(self, a: int, b: int) -> Array:
        """Counts of a segment."""
        return np.asarray(self.sums[b] - self.sums[a], dtype=np.float64)


def sweep_scores(counts: Array, score: Score = split_gain) -> Array:
    """The score of a cut after each value but the last (V - 1,), from counts of classes (V, K)."""
    left = counts.cumsum(axis=0)
    return score(left[:-1], left[-1] - left[:-1])


def runs_of_one_class(counts: Array) -> Array:
    """Where runs of values that only one class has begin: within them no split of a convex score is best."""
    if not len(counts):
        return np.zeros(0, dtype=np.intp)
    pure = np.where((counts > 0).sum(axis=1) == 1, counts.argmax(axis=1), -1)
    begins = np.concatenate([[True], (pure[1:] != pure[:-1]) | (pure[1:] < 0)])
    return np.flatnonzero(begins)


@lru_cache(maxsize=1)
def _logarithms() -> Array:
    """log2 of whole numbers, 0 for 0: NumPy's, as its twin takes them."""
    return np.log2(np.maximum(np.arange(LISTED, dtype=np.float64), 1.0))


@loop
def _join_runs(counts, ends, sums):  # type: ignore[no-untyped-def]
    """Ends of blocks and counts before them, from counts (K, V); how many blocks, or -1 where a count is not whole.

    Some values at a time, class by class, and without a branch on whose value is next: no processor foresees it.
    """
    K, V = counts.shape
    sums[0] = 0
    total = np.zeros(K, dtype=np.int64)
    owner, classes, place = np.empty(TILE, np.int64), np.empty(TILE, np.int64), np.empty(TILE, np.int64)
    B, before = 0, -2
    for start in range(0, V, TILE):
        n = min(TILE, V - start)
        owner[:], classes[:] = -1, 0
        whole = True
        for k in range(K):
            for v in range(n):
                c = counts[k, start + v]
                whole &= (c >= 0.0) & (c < 2.0**53) & (c == np.floor(c))
                owner[v] = k if c > 0.0 else owner[v]
                classes[v] += c > 0.0
        if not whole:
            return -1
        for v in range(n):
            one = owner[v] if classes[v] == 1 else -1
            B += (one != before) | (one < 0)
            before = one
            ends[B - 1], place[v] = start + v, B
        for k in range(K):
            for v in range(n):
                total[k] += np.int64(counts[k, start + v])
                sums[place[v], k] = total[k]
    return B


@loop
def _best_cut(sums, a, b, logs):  # type: ignore[no-untyped-def]
    """The block before which information gain is largest, and that gain, among those from a + 1 to b - 1."""
    K, parts = sums.shape[1], (b - a - 2) // PART + 1
    left, gains, total = np.empty((TILE, K), dtype=np.int64), np.empty(TILE), sums[b] - sums[a]
    bounds, least = np.full(parts, np.inf), -np.inf
    if K <= BOUNDED and parts > 1:
        least = _bound_parts(sums, a, b, logs, left, gains, bounds) - ROUNDING
    at, best = a, -np.inf
    for p in range(parts):
        if bounds[p] >= least:
            start = a + 1 + p * PART
            n = min(PART, b - start)
            for i in range(n):
                for k in range(K):
                    left[i, k] = sums[start + i, k] - sums[a, k]
            _fill_gains(left, total, logs, n, gains)
            for i in range(n):
                if gains[i] > best:
                    at, best = start + i, gains[i]
    return at, best


@inner
def _bound_parts(sums: Any, a: Any, b: Any, logs: Any, left: Any, gains: Any, bounds: Any) -> Any:
    """Fill in the most that a cut of each part can gain; the most that the first or the last cut of one does.

    Gain is convex in the counts before a cut, so that between two cuts it is at most that at the corners of the box
    which their counts span: of each class the count of either.
    """
    K, parts, least = sums.shape[1], len(bounds), -np.inf
    bounds[:] = -np.inf
    for start in range(0, parts, TILE):
        n = min(TILE, parts - start)
        for corner in range(1 << K):
            for i in range(n):
                low = a + 1 + (start + i) * PART
                high = min(low + PART, b) - 1
                for k in range(K):
                    left[i, k] = sums[high if (corner >> k) & 1 else low, k] - sums[a, k]
            _fill_gains(left, sums[b] - sums[a], logs, n, gains)
            for i in range(n):
                bounds[start + i] = max(bounds[start + i], gains[i])
                if corner == 0 or corner == (1 << K) - 1:
                    least = max(least, gains[i])
    return least


@inner
def _fill_gains(left: Any, total: Any, logs: Any, size: Any, gains: Any) -> None:
    """The same operations in the same order as those of the score."""
    K, known = left.shape[1], logs.shape[0]
    rows, whole = 0, 0.0
    for k in range(K):
        c = total[k]
        rows += c
        whole += c * (logs[c] if c < known else np.log2(np.float64(c)))
    every = max((logs[rows] if rows < known else np.log2(np.float64(rows))) - whole / rows, 0.0)
    for i in range(size):
        n, before, after = 0, 0.0, 0.0
        for k in range(K):
            c = left[i, k]
            n += c
            before += c * (logs[c] if c < known else np.log2(np.float64(c)))
            c = total[k] - left[i, k]
            after += c * (logs[c] if c < known else np.log2(np.float64(c)))
        m = rows - n
        before = max((logs[n] if n < known else np.log2(np.float64(n))) - before / max(n, 1), 0.0)
        after = max((logs[m] if m < known else np.log2(np.float64(m))) - after / max(m, 1), 0.0)
        gains[i] = every - (n * before + m * after) / rows
