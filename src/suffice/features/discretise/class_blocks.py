"""Segments of a ranking by class, and the best cut of each: what recursive partitioning asks for.

Values that only one class has, one after the other, are one block: within them no split of a convex score is best.
Large rankings with whole weights are swept for information gain by a loop that looks logarithms up; its twin is the
score itself, by the same operations in the same order, so that both choose the same cut.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Protocol

import numpy as np

from suffice.core.block import Array
from suffice.features.discretise.class_shares import Score, split_gain
from suffice.numerics.loop import loop

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
    """Ends of blocks and counts before them, from counts (K, V); how many blocks, or -1 where a count is not whole."""
    K, V = counts.shape
    sums[0] = 0
    B, before = 0, -2
    for v in range(V):
        here, owner = 0, -1
        for k in range(K):
            c = counts[k, v]
            if not (c >= 0.0 and c < 2.0**53 and c == np.floor(c)):
                return -1
            if c > 0.0:
                here += 1
                owner = k
        owner = owner if here == 1 else -1
        if v == 0 or owner != before or owner < 0:
            B += 1
            sums[B] = sums[B - 1]
        ends[B - 1] = v
        for k in range(K):
            sums[B, k] += np.int64(counts[k, v])
        before = owner
    return B


@loop
def _best_cut(sums, a, b, logs):  # type: ignore[no-untyped-def]
    """The block before which information gain is largest, and that gain, among those from a + 1 to b - 1."""
    K, known = sums.shape[1], logs.shape[0]
    rows, whole = 0, 0.0
    for k in range(K):
        c = sums[b, k] - sums[a, k]
        rows += c
        whole += c * (logs[c] if c < known else np.log2(np.float64(c)))
    every = max((logs[rows] if rows < known else np.log2(np.float64(rows))) - whole / rows, 0.0)
    at, best = a, -np.inf
    for i in range(a + 1, b):
        n, left, right = 0, 0.0, 0.0
        for k in range(K):
            c = sums[i, k] - sums[a, k]
            n += c
            left += c * (logs[c] if c < known else np.log2(np.float64(c)))
            c = sums[b, k] - sums[i, k]
            right += c * (logs[c] if c < known else np.log2(np.float64(c)))
        m = rows - n
        left = max((logs[n] if n < known else np.log2(np.float64(n))) - left / n, 0.0)
        right = max((logs[m] if m < known else np.log2(np.float64(m))) - right / m, 0.0)
        gain = every - (n * left + m * right) / rows
        if gain > best:
            at, best = i, gain
    return at, best
