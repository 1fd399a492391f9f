"""Categorical distributions: one probability per label, component and column.

log p(x | k) = sum_j log theta_kj[x_j]        over the cells that are present
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from suffice.core.block import Array, Coded
from suffice.core.errors import bad
from suffice.core.kinds import Storage
from suffice.core.loop import loop, pays
from suffice.core.registry import saved
from suffice.core.shares import Shares
from suffice.families.family import Reading
from suffice.families.pseudo_counts import Beta, Dirichlet, PseudoCounts, probabilities
from suffice.summaries.counts import Counts, Vocabulary


@saved
@dataclass(frozen=True)
class Categorical:
    """Independent columns of labels.

    With a declared `vocabulary` the prior covers exactly its labels, and a cell outside it counts as missing. Without,
    the vocabulary is open: the prior covers the labels seen and one cell for all unseen ones.
    """

    storage: ClassVar[Storage] = Storage.SYMBOLS

    prior: PseudoCounts = field(default_factory=Dirichlet)
    vocabulary: tuple[Any, ...] | None = None
    reading: Reading = Reading.MEAN

    def summarize(self, part: Coded, R: Shares) -> Counts:
        """Counts of the labels."""
        return Counts.of(part, R)

    def estimate(self, summary: Counts) -> Categories:
        """Smoothed shares. The predictive distribution of one draw is the posterior mean."""
        labels = tuple(self._labels(v) for v in summary.labels)
        tables = [self._table(summary, j, v) for j, v in enumerate(labels)]
        whole = np.concatenate(tables, axis=1) if tables else np.zeros((len(summary.rows), 0))
        return Categories(labels, whole)

    def _labels(self, seen: Vocabulary) -> Vocabulary:
        if self.vocabulary is None:
            return seen
        strange = [label for label in seen if label not in set(self.vocabulary)]
        if strange:
            raise bad(self, "every label", f"one of {list(self.vocabulary)}", strange[0], "Declare it or correct it.")
        return self.vocabulary

    def _table(self, summary: Counts, j: int, labels: Vocabulary) -> Array:
        """Log probabilities of a column's labels (K, V + 1), the last for what is outside them."""
        place = {label: i for i, label in enumerate(labels)}
        weight = np.zeros((len(summary.rows), len(labels) + 1))
        weight[:, [place[label] for label in summary.labels[j]]] = summary.column(j)
        unseen = self.vocabulary is None
        pseudo = self.prior.over(labels, unseen)
        theta = probabilities(weight if unseen else weight[:, :-1], pseudo, self.reading)
        if not unseen:
            theta = np.concatenate([theta, np.zeros((len(theta), 1))], axis=1)
        return log_or_silent(theta)


@saved
@dataclass(frozen=True)
class Bernoulli(Categorical):
    """Independent columns of yes or no; the prior is a Beta distribution."""

    prior: PseudoCounts = field(default_factory=Beta)
    vocabulary: tuple[Any, ...] | None = (False, True)


def log_or_silent(theta: Array) -> Array:
    """Logs; a label that is impossible under every component says nothing about which it was: log 1."""
    with np.errstate(divide="ignore"):
        logs = np.log(theta)
    return np.where((theta > 0).any(axis=0), logs, 0.0)


@saved
@dataclass(frozen=True)
class Categories:
    """K categorical distributions over d independent columns."""

    labels: tuple[Vocabulary, ...]  # d vocabularies
    log_theta: Array  # (K, V + d): the labels of each column, then one cell for all others

    @cached_property
    def _starts(self) -> Array:
        return np.cumsum([0, *(len(v) + 1 for v in self.labels)])

    @cached_property
    def _table(self) -> Array:
        """Log probabilities with components side by side (V + d + 1, K); the last line is a missing cell."""
        return np.concatenate([self.log_theta.T, np.zeros((1, len(self.log_theta)))])

    @cached_property
    def _by_eight(self) -> Array:
        """The table with components filled up to a multiple of eight, for the loop."""
        return np.pad(self._table, ((0, 0), (0, -self._table.shape[1] % 8)))

    @cached_property
    def _sizes(self) -> Array:
        """Number of labels of each column, which is also the place of all others."""
        return np.array([len(v) for v in self.labels], dtype=np.int64)

    def _own_codes(self, part: Coded) -> Array:
        """Codes into our labels (n, d): -1 missing, at least the column's size for any other label."""
        pairs = list(zip(self.labels, part.labels, strict=True))
        if all(isinstance(ours, range) and isinstance(theirs, range) for ours, theirs in pairs):
            return part.codes
        own = np.empty(part.codes.shape, dtype=np.int32)
        for j, (ours, theirs) in enumerate(pairs):
            place = {label: i for i, label in enumerate(ours)}
            lookup = [place.get(label, len(ours)) for label in theirs]
            own[:, j] = np.array([*lookup, -1], dtype=np.int32)[part.codes[:, j]]  # code -1 finds the last
        return own

    def column(self, j: int) -> Array:
        """Log probabilities of the labels of column j and, last, of any other (K, V_j + 1)."""
        return self.log_theta[:, self._starts[j] : self._starts[j + 1]]

    def lines(self, part: Coded) -> Array:
        """Line of the table of each cell (n, d): its label's, that of all other labels, or that of a missing cell."""
        codes = self._own_codes(part)
        return np.where(codes < 0, len(self._table) - 1, self._starts[:-1] + np.minimum(codes, self._sizes))

    def log_density(self, part: Coded) -> Array:
        """Log density (n, K)."""
        K, n = len(self.log_theta), len(part.codes)
        if pays(part.codes.size * K):
            out, codes = np.empty((K, n)), np.ascontiguousarray(self._own_codes(part))
            _add_lines(codes, self._starts[:-1], self._sizes, self._by_eight, np.empty(8), out)
            return out.T
        lines, table = self.lines(part), self._table.T
        return sum((table[:, lines[:, j]] for j in range(lines.shape[1])), np.zeros((K, n))).T

    def cells(self, part: Coded, k: int) -> Array:
        """Log density of each cell under component k (n, d), 0 where missing."""
        cells: Array = self._table[:, k][self.lines(part)]
        return cells

    def sample(self, components: Array, rng: np.random.Generator) -> Coded:
        """Rows of labels; the cell of unseen labels is drawn as missing."""
        codes = np.empty((len(components), len(self.labels)), dtype=np.int32)
        for j, labels in enumerate(self.labels):
            theta = np.exp(self.log_theta[:, self._starts[j] : self._starts[j] + len(labels)])
            edges = np.cumsum(theta / theta.sum(axis=1, keepdims=True), axis=1)
            codes[:, j] = (rng.random(len(components))[:, None] > edges[components]).sum(axis=1)
        return Coded(np.minimum(codes, [len(v) - 1 for v in self.labels]), self.labels)

    def power(self, weights: Array) -> Categories:
        """Raise each column to a power; an impossible label stays impossible unless the power is 0."""
        powers = np.repeat(weights, [len(v) + 1 for v in self.labels])
        with np.errstate(invalid="ignore"):
            return Categories(self.labels, np.where(powers == 0.0, 0.0, self.log_theta * powers))


@loop
def _add_lines(codes, starts, sizes, table, total, out):  # type: ignore[no-untyped-def]
    """out[k, i] = sum over columns of table[line of the cell, k], eight components at a time."""
    n, d = codes.shape
    K, last = out.shape[0], table.shape[0] - 1
    for g in range(0, table.shape[1], 8):
        some = table[:, g : g + 8]
        for i in range(n):
            for k in range(8):
                total[k] = 0.0
            for j in range(d):
                code = codes[i, j]
                line = np.uint64(last if code < 0 else starts[j] + min(code, sizes[j]))
                for k in range(8):
                    total[k] += some[line, k]
            for k in range(min(8, K - g)):
                out[g + k, i] = total[k]
