"""Two labellings of the same rows: a table that adds over shards, from which every comparison is read.

N_ij = weight of the rows in group i and cluster j;   pairs together in both TP = sum_ij N_ij (N_ij - 1) / 2
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.clusters.validation.labelled_rows import different
from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.estimators.boundary.targets import read_weights


@dataclass(frozen=True)
class LabelTable:
    """Weights of rows by group and cluster; `+` adds shards. A row of weight w counts as w copies.

    >>> table = LabelTable.of([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 2, 2])
    >>> table.pairs, round(table.rand, 4), round(table.adjusted_rand, 4)
    (PairCounts(both=2.0, first=4.0, second=1.0, neither=8.0), 0.6667, 0.2424)
    """

    groups: tuple[Any, ...]  # G labels
    clusters: tuple[Any, ...]  # K labels
    table: Array  # (G, K)

    @classmethod
    def of(cls, groups: Any, clusters: Any, sample_weight: Any = None) -> LabelTable:
        """Count; -1 and other labels are labels like any."""
        a, b = np.asarray(groups), np.asarray(clusters)
        if a.ndim != 1 or a.shape != b.shape:
            rule = "two columns of one length"
            raise bad("LabelTable", "groups and clusters", rule, Said(f"shapes {a.shape} and {b.shape}"), "One a row.")
        w = read_weights("LabelTable", sample_weight, len(a), some=False)
        first, i = different("LabelTable", "groups", a)
        second, j = different("LabelTable", "clusters", b)
        table = np.zeros((len(first), len(second)))
        np.add.at(table, (i, j), 1.0 if w is None else w)
        return cls(tuple(first.tolist()), tuple(second.tolist()), table)

    @classmethod
    def merged(cls, parts: Sequence[LabelTable]) -> LabelTable:
        """All shards together."""
        groups = tuple(dict.fromkeys(label for part in parts for label in part.groups))
        clusters = tuple(dict.fromkeys(label for part in parts for label in part.clusters))
        table = np.zeros((len(groups), len(clusters)))
        for part in parts:
            rows = [groups.index(label) for label in part.groups]
            columns = [clusters.index(label) for label in part.clusters]
            table[np.ix_(rows, columns)] += part.table
        return cls(groups, clusters, table)

    def __add__(self, other: LabelTable) -> LabelTable:
        """Both shards."""
        return LabelTable.merged([self, other])

    @property
    def total(self) -> float:
        """Weight of all rows."""
        return float(self.table.sum())

    @property
    def pairs(self) -> PairCounts:
        """Pairs of rows that are together in both, in one, or in neither."""
        margins = self.table.sum(axis=1), self.table.sum(axis=0)
        least = min((float(m[m > 0].min(initial=np.inf)) for m in margins), default=np.inf)
        if least < 1.0 - 1e-9:
            rule = "of at least 1 in each group and each cluster where pairs are counted, as weight w is w copies"
            raise bad("LabelTable", "sample_weight", rule, least, "Multiply all of them by a constant.")
        both = _pairs(self.table).sum()
        first, second = (_pairs(m).sum() for m in margins)
        neither = max(0.0, float(_pairs(np.array(self.total)) - first - second + both))
        return PairCounts(float(both), float(first - both), float(second - both), neither)

    @property
    def rand(self) -> float:
        """(TP + TN) / all pairs; 1 where there is none."""
        p = self.pairs
        return _ratio(p.both + p.neither, p.total)

    @property
    def adjusted_rand(self) -> float:
        """(Rand - expected) / (largest - expected): 0 by chance, 1 at best, at least -1/2."""
        p = self.pairs
        if p.first == 0 and p.second == 0:
            return 1.0
        top = 2.0 * (p.both * p.neither - p.first * p.second)
        below = (p.both + p.first) * (p.first + p.neither) + (p.both + p.second) * (p.second + p.neither)
        return float(top / below)

    @property
    def precision(self) -> float:
        """Of the pairs in one cluster, the share in one group."""
        p = self.pairs
        return _ratio(p.both, p.both + p.second)

    @property
    def recall(self) -> float:
        """Of the pairs in one group, the share in one cluster."""
        p = self.pairs
        return _ratio(p.both, p.both + p.first)

    @property
    def f1(self) -> float:
        """2 TP / (2 TP + FP + FN)."""
        p = self.pairs
        return _ratio(2.0 * p.both, 2.0 * p.both + p.first + p.second)

    @property
    def _shares(self) -> Array:
        """Shares of all weight (G, K); zeros where nothing weighs anything."""
        return self.table / (self.total or 1.0)

    @property
    def mutual_information(self) -> float:
        """sum p_ij log(p_ij / (p_i p_j)), in nats."""
        p = self._shares
        expected = np.outer(p.sum(axis=1), p.sum(axis=0))
        full = p > 0
        return float(max((p[full] * np.log(p[full] / expected[full])).sum(), 0.0))

    @property
    def entropies(self) -> tuple[float, float]:
        """Of the groups and of the clusters, in nats."""
        first, second = (_entropy(self._shares.sum(axis=axis)) for axis in (1, 0))
        return first, second

    @property
    def normalized_mutual_information(self) -> float:
        """Mutual information over the mean of the entropies; 1 where both have one label."""
        mean = sum(self.entropies) / 2.0
        return 1.0 if mean == 0.0 else float(np.clip(self.mutual_information / mean, 0.0, 1.0))

    @property
    def homogeneity(self) -> float:
        """Share of the entropy of the groups that the clusters explain."""
        first = self.entropies[0]
        return 1.0 if first == 0.0 else self.mutual_information / first

    @property
    def completeness(self) -> float:
        """Share of the entropy of the clusters that the groups explain."""
        second = self.entropies[1]
        return 1.0 if second == 0.0 else self.mutual_information / second


@dataclass(frozen=True)
class PairCounts:
    """Pairs of rows: together in both labellings, in the first or second alone, in neither."""

    both: float
    first: float
    second: float
    neither: float

    @property
    def total(self) -> float:
        """All pairs."""
        return self.both + self.first + self.second + self.neither


def adjusted_rand(groups: Any, clusters: Any, sample_weight: Any = None) -> float:
    """The adjusted Rand index of two labellings: `LabelTable.of(...).adjusted_rand`."""
    return LabelTable.of(groups, clusters, sample_weight).adjusted_rand


def _pairs(counts: Array) -> Array:
    return np.asarray(counts * np.maximum(counts - 1.0, 0.0) / 2.0)  # less than one row has no pair


def _ratio(part: float, whole: float) -> float:
    return 1.0 if whole == 0.0 else part / whole


def _entropy(p: Array) -> float:
    p = p[p > 0]
    return float(-(p * np.log(p)).sum())
