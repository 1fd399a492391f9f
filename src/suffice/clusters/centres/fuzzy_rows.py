"""Passes of fuzzy c-means over rows in memory: weights, sums about the centres, and J, by threads that share the rows.

J of a row is w near (sum_l (near / d_l^2)^(1 / (m - 1)))^(1 - m), near being the least squared distance: the
memberships need that sum anyway, so that squares of single columns are not summed. Moments of all columns, in double
double, take longer than a pass over some ten thousand rows does.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from suffice.clusters.centres.fuzzy_centres import FuzzyCentres
from suffice.clusters.centres.fuzzy_sums import ROWS, add_shared, fill_buffer, share_rows
from suffice.core.block import Array
from suffice.core.learner import Source
from suffice.numerics.loop import loop
from suffice.numerics.threads import in_threads, processors
from suffice.sources.engines.memory import MemorySource

ALONE = 4_000_000  # products of cells and centres from which another thread pays: it begins too late for less
LONG = 16_384  # rows that a thread takes at a time


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
    w: Array
    threads: int

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
        w = np.ones(len(X)) if block.w is None else np.ascontiguousarray(block.w, dtype=np.float64)
        return cls(np.ascontiguousarray(X), w, threads if X.size * K >= ALONE else 1)

    def over(self, model: FuzzyCentres) -> SharedSums:
        """One pass."""
        edges = [*range(0, len(self.X), LONG), len(self.X)]  # by the rows alone, so that threads change no digit

        def add(run: tuple[int, int], go_on: Callable[[], bool]) -> SharedSums:
            some = slice(*run)
            weight, first = np.zeros(len(model.centres)), np.zeros(model.centres.shape)
            J = _add_means(self.X[some], self.w[some], model.centres, model.m, weight, first)
            return SharedSums(weight, first, float(J))

        parts = in_threads(add, list(pairwise(edges)), self.threads)
        weight, first, J = zip(*parts, strict=True)
        return SharedSums(sum(weight[1:], weight[0]), sum(first[1:], first[0]), sum(J))


@loop
def _add_means(X: Any, w: Any, centres: Any, m: Any, weight: Any, first: Any) -> Any:
    """Add u^m w of each cluster, and times (x - c), to sums (K,) and (K, d); J."""
    n, d = X.shape
    K = len(centres)
    B, D, own = np.empty((d, ROWS)), np.empty((K, ROWS)), np.empty(ROWS)
    near, total = np.empty(ROWS), np.empty(ROWS)
    mass, sums, lost = np.zeros((K, ROWS)), np.zeros((K, d, ROWS)), np.zeros(ROWS)
    for a in range(0, n, ROWS):
        fill_buffer(X, w, a, B, own)
        share_rows(B, own, centres, m, D, near, total)
        if m == 2.0:
            for r in range(ROWS):
                lost[r] += own[r] * near[r] * total[r]
        else:
            for r in range(ROWS):
                lost[r] += own[r] * near[r] * total[r] ** (m - 1.0)
        for k in range(K):  # each row of the buffer has sums of its own: nothing waits for the sum before
            for r in range(ROWS):
                mass[k, r] += D[k, r]
            for j in range(d):
                c = centres[k, j]
                for r in range(ROWS):
                    sums[k, j, r] += D[k, r] * (B[j, r] - c)
    for k in range(K):
        weight[k] += mass[k].sum()
        for j in range(d):
            first[k, j] += sums[k, j].sum()
    return lost.sum()
