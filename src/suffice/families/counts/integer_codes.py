"""Integer codes: categorical columns whose labels are 0, 1, 2 ... up to the largest seen or declared."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from suffice.core.block import Array, Coded
from suffice.core.kinds import Storage
from suffice.core.registry import saved
from suffice.core.shares import Shares
from suffice.families.counts.categorical import Categories, log_table
from suffice.families.counts.pseudo_counts import Dirichlet, PseudoCounts, shares
from suffice.families.family import Reading
from suffice.summaries.counts import Counts


@saved
@dataclass(frozen=True)
class IntegerCodes:
    """Codes in place of labels: gaps are labels too, and a code beyond the last tells nothing.

    >>> part = Coded(np.array([[0], [2]]), (range(3),))
    >>> family = IntegerCodes()
    >>> np.exp(family.estimate(family.summarize(part, Shares.hard(np.array([0, 0]), 1))).column(0))
    array([[0.4, 0.2, 0.4, 0. ]])
    """

    storage: ClassVar[Storage] = Storage.SYMBOLS

    prior: PseudoCounts = field(default_factory=Dirichlet)
    least: tuple[int, ...] | None = None  # smallest number of labels of each column

    def summarize(self, part: Coded, R: Shares) -> Counts:
        """Counts of the codes."""
        return Counts.of(part, R)

    def sizes(self, summary: Counts) -> Array:
        """Number of labels of each column."""
        seen = [_last(summary.rows[:, s]) for s in summary.slices]
        return np.maximum(seen, 0 if self.least is None else self.least).astype(np.int64)

    def weights(self, summary: Counts) -> list[Array]:
        """Weights of the labels of each column (K, V_j)."""
        return [_cut(summary.column(j), int(size)) for j, size in enumerate(self.sizes(summary))]

    def estimate(self, summary: Counts) -> Categories:
        """Smoothed shares."""
        ranges = tuple(range(int(size)) for size in self.sizes(summary))
        tables = [
            log_table(shares(w, self.prior.over(labels, False), Reading.MEAN), unseen=False)
            for w, labels in zip(self.weights(summary), ranges, strict=True)
        ]
        return Categories(ranges, np.concatenate(tables, axis=1))


def _last(rows: Array) -> int:
    """One more than the last code that has rows."""
    live = np.flatnonzero(rows.any(axis=0))
    return int(live[-1]) + 1 if len(live) else 0


def _cut(weight: Array, size: int) -> Array:
    """Exactly `size` columns: cut, or filled with zeros."""
    return np.pad(weight[:, :size], ((0, 0), (0, max(size - weight.shape[1], 0))))
