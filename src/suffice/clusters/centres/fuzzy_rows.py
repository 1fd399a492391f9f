"""Passes of fuzzy c-means over rows in memory: weights, sums about the centres, and J, by threads that share the rows.

J of a row is w near (sum_l (near / d_l^2)^(1 / (m - 1)))^(1 - m), near being the least squared distance: the
memberships need that sum anyway, so that squares of single columns are not summed. Moments of all columns, in double
double, take longer than a pass over some ten thousand rows does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from suffice.clusters.centres.fuzzy_centres import FuzzyCentres
from suffice.clusters.centres.fuzzy_sums import add_shared, share_rows, side_by_side
from suffice.core.block import Array
from suffice.core.learner import Source
from suffice.numerics.lanes import LANES, add_gap, add_gaps
from suffice.numerics.loop import loop
from suffice.numerics.threads import in_threads, processors
from suffice.numerics.tile_code import HIGH, WIDE
from suffice.sources.engines.memory import MemorySource

ALONE = 4_000_000  # products of cells and centres from which another thread pays: it begins too late for less
LONG = 16_384  # rows that a thread takes at a time
KEPT = 1 << 23  # cells up to which rows are kept side by side for all passes: 64 MB


class SharedSums(NamedTuple):
    """What a pass adds up."""

    weight: Array  # (K,) of u^m
    first: Array  # (K, d) about the centres
    J: float

    def spread(self, centres: Array) -> float:
        """Variance of the rows as they are shared, the mean over columns."""
        gap = self.first / self.weight[:, None]
        means = (centres - centres[0]) + gap  # about one of them, so that offsets cost no digits
        away = means - np.average(means, axis=0, weights=self.weight)
        squares = self.J + float(self.weight @ ((away**2).sum(axis=1) - (gap**2).sum(axis=1)))
        return float(squares / self.weight.sum() / centres.shape[1])


class FuzzyRows(NamedTuple):
    """Rows in memory, which are worth a loop."""

    X: Array
    w: Array | None
    threads: int
    kept: tuple[tuple[Array, Array], ...] = ()  # runs of rows side by side; none where that would take much memory

    @classmethod
    def of(cls, source: Source, K: int) -> FuzzyRows | None:
        """For plain rows in memory; else nothing."""
        if not isinstance(source, MemorySource) or source.note is not None or source.table.n == 0:
            return None
        block = source.block(slice(0, source.table.n))
        (X,) = block.parts
        plain = isinstance(X, np.ndarray) and X.dtype == np.float64
        if not plain or not add_shared.pays(X.size * K):  # whose twin is the one that is waited for
            return None
        threads = processors() if source.threads is None else int(source.threads)
        rows = cls(X, block.w, threads if X.size * K >= ALONE else 1)
        starts = range(0, len(X), LONG) if X.size <= KEPT else ()
        return rows._replace(kept=tuple(rows.side_by_side(start) for start in starts))

    def side_by_side(self, start: int) -> tuple[Array, Array]:
        """A run of rows, and what they weigh."""
        if self.kept:
            return self.kept[start // LONG]
        some = slice(start, start + LONG)
        return side_by_side(self.X[some], None if self.w is None else self.w[some])

    def over(self, model: FuzzyCentres) -> SharedSums:
        """One pass, by runs that depend on the rows alone, so that threads change no digit."""

        def add(start: int, go_on: Callable[[], bool]) -> SharedSums:
            weight, first = np.zeros(len(model.centres)), np.zeros(model.centres.shape)
            J = _add_means(*self.side_by_side(start), model.centres, model.m, weight, first)
            return SharedSums(weight, first, float(J))

        parts = in_threads(add, range(0, len(self.X), LONG), self.threads)
        weight, first, J = zip(*parts, strict=True)
        return SharedSums(sum(weight[1:], weight[0]), sum(first[1:], first[0]), sum(J))


@loop
def _add_means(C: Any, w: Any, centres: Any, m: Any, weight: Any, first: Any) -> Any:
    """Add u^m w of each cluster, and times (x - c), to sums (K,) and (K, d); J."""
    K, d = centres.shape
    D, near, total = np.empty((K, LANES)), np.empty(LANES), np.empty(LANES)
    mass, sums, lost, four = np.zeros((K, LANES)), np.zeros((K, d, WIDE)), np.zeros(LANES), d - d % HIGH
    for g in range(len(C)):
        share_rows(C, w, g, centres, m, D, near, total)
        if m == 2.0:
            for r in range(LANES):
                lost[r] += w[g, r] * near[r] * total[r]
        else:
            for r in range(LANES):
                lost[r] += w[g, r] * near[r] * total[r] ** (m - 1.0)
        for k in range(K):
            for r in range(LANES):  # each row of the group has a sum of its own: nothing waits for the sum before
                mass[k, r] += D[k, r]
            for j in range(0, four, HIGH):
                add_gaps(D, C, centres, sums, g, k, j)
            for j in range(four, d):
                add_gap(D, C, centres, sums, g, k, j)
    for k in range(K):
        weight[k] += mass[k].sum()
        for j in range(d):
            first[k, j] += sums[k, j].sum()
    return lost.sum()
