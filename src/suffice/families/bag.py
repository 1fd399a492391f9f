"""Bags of words: every model of a document that is linear in indicators or counts of its words.

    log p(x | k) = base_k + sum_c x_c gain_kc

where the columns c are words (multinomial, presence) or pairs of word and level (truncated counts).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from suffice.core.block import Array, Words
from suffice.core.loop import loop, pays
from suffice.core.registry import saved
from suffice.summaries.counts import Vocabulary


@saved
@dataclass(frozen=True)
class Encoding:
    """How a count becomes columns: itself (levels 0), or one column for each level but the lowest.

    With L levels a count is cut at L - 1, and the levels 1 .. L - 1 of a word are its columns; level 0 is the base. Two
    levels are absence and presence; there the count must exceed `threshold`.
    """

    levels: int = 0
    threshold: float = 0.0

    def labels(self, vocabulary: Vocabulary) -> Vocabulary:
        """The columns that a vocabulary gives."""
        if not self.levels:
            return vocabulary
        if isinstance(vocabulary, range):
            return range(len(vocabulary) * (self.levels - 1))
        return tuple((word, level) for word in vocabulary for level in range(1, self.levels))

    def encode(self, counts: Any) -> Any:
        """Counts (n, V), sparse or dense, over the columns."""
        from scipy.sparse import csr_array

        counts = csr_array(counts, dtype=np.float64)
        if not self.levels:
            return counts
        per = self.levels - 1
        level = counts.data > self.threshold if per == 1 else np.minimum(counts.data, per)
        keep = level > 0
        if per == 1 and keep.all():  # every word that is stored is present: the places stay as they are
            return csr_array((np.ones(len(keep)), counts.indices, counts.indptr), shape=counts.shape, copy=False)
        columns = counts.indices[keep].astype(np.int64) * per + level[keep].astype(np.int64) - 1
        starts = np.concatenate([[0], np.cumsum(keep)])[counts.indptr]
        return csr_array((np.ones(len(columns)), columns, starts), shape=(counts.shape[0], counts.shape[1] * per))


@saved
@dataclass(frozen=True)
class Bags:
    """K models of documents."""

    labels: Vocabulary  # words; a `range` stands for the columns of a matrix
    base: Array  # (K, V): log probability of a word that is absent
    gain: Array  # (K, C): what one more unit of a column adds
    unknown: Array  # (K,) gain of a word outside the vocabulary
    encoding: Encoding
    length: Array | None = None  # (K,) mean number of words where words are drawn one by one; None: each word by itself
    ways: float = 0.0  # how often the number of orders, n! / prod x!, counts: 1 or 0
    bars: Array | None = None  # (K, C + V) reasons why a document is impossible: change by a column, and absent words

    @property
    def _per(self) -> int:
        return max(self.encoding.levels - 1, 1)

    @cached_property
    def _table(self) -> tuple[Array, Array]:
        """Gains with components side by side (C + 1, K), unknown words last, and the base of an empty document (K,)."""
        gains = np.concatenate([self.gain, self.unknown[:, None]], axis=1)
        return np.ascontiguousarray(gains.T), self.base.sum(axis=1)

    def encoded(self, part: Words) -> Any:
        """The counts over our columns and, where the vocabulary is open, one more for unknown words."""
        from scipy.sparse import csr_array

        counts = self.encoding.encode(part.counts)
        C = self.gain.shape[1]
        if isinstance(self.labels, range) and isinstance(part.labels, range) and counts.shape[1] == C:
            return counts
        place = {word: i for i, word in enumerate(self.labels)}
        words = np.fromiter((place.get(word, -1) for word in part.labels), dtype=np.int64, count=len(part.labels))
        columns = words[:, None] * self._per + np.arange(self._per)
        columns = np.where(words[:, None] < 0, C, columns).ravel()
        return csr_array((counts.data, columns[counts.indices], counts.indptr), shape=(counts.shape[0], C + 1))

    def log_density(self, part: Words) -> Array:
        """Log probability (n, K); 0 where there is no document."""
        counts = self.encoded(part)
        table, base = self._table
        out = _products(counts, table) + base
        if self.bars is not None:
            change, absent = np.split(self.bars, [self.gain.shape[1]], axis=1)
            bars = np.concatenate([change, np.zeros_like(self.unknown[:, None])], axis=1)
            counts = counts.copy()
            counts.data = (counts.data != 0.0).astype(np.float64)
            impossible = _products(counts, np.ascontiguousarray(bars.T)) + absent.sum(axis=1)
            out = np.where(impossible > 0.5, -np.inf, out)
        if self.ways:
            out = out + self.ways * log_ways(counts)[:, None]
        return out if part.missing is None else np.where(part.missing[:, None], 0.0, out)

    def cells(self, part: Words, k: int) -> Array:
        """Log probability of each cell under component k: one a word for the columns of a matrix, else one a text."""
        if not isinstance(self.labels, range):
            return self.log_density(part)[:, [k]]
        counts = self.encoded(part)[:, : self.gain.shape[1]].toarray()
        with np.errstate(invalid="ignore"):
            cells = self._by_word(np.where(counts == 0.0, 0.0, counts * self.gain[k])) + self.base[k]
        if self.bars is not None:
            change, absent = np.split(self.bars[k], [counts.shape[1]])
            cells = np.where(self._by_word((counts != 0.0) * change) + absent > 0.5, -np.inf, cells)
        cells = cells + self.ways * word_ways(counts) if self.ways else cells
        return cells if part.missing is None else np.where(part.missing[:, None], 0.0, cells)

    def _by_word(self, columns: Array) -> Array:
        """Sums over the columns of each word (n, V)."""
        summed: Array = columns.reshape(len(columns), self.base.shape[1], self._per).sum(axis=2)
        return summed

    def sample(self, components: Array, rng: np.random.Generator) -> Words:
        """Documents: word by word with a Poisson length, or a level for each word."""
        draw = self._draw_words if self.length is not None else self._draw_levels
        from scipy.sparse import csr_array

        return Words(csr_array(np.stack([draw(k, rng) for k in components])), self.labels)

    def _draw_words(self, k: int, rng: np.random.Generator) -> Array:
        assert self.length is not None
        theta = np.exp(self.gain[k])
        return rng.multinomial(rng.poisson(self.length[k]), theta / theta.sum()).astype(np.float64)

    def _draw_levels(self, k: int, rng: np.random.Generator) -> Array:
        above = np.exp(self.base[k][:, None] + self.gain[k].reshape(-1, self._per))  # (V, levels 1 ..)
        reach = np.cumsum(above[:, ::-1], axis=1)[:, ::-1]  # chance of this level or a higher one
        return (rng.random((len(above), 1)) < reach).sum(axis=1).astype(np.float64)

    def power(self, weights: Array) -> Bags:
        """Raise to a power: one number for a text, one a column for a matrix."""
        by_word = np.broadcast_to(weights, self.base.shape[1:])
        by_column = np.repeat(by_word, self._per)
        one = float(weights[0]) if len(weights) == 1 else 1.0
        with np.errstate(invalid="ignore"):
            gain = np.where(by_column == 0.0, 0.0, self.gain * by_column)
        unknown = self.unknown * one if one else np.zeros_like(self.unknown)
        bars = None if self.bars is None else self.bars * (np.concatenate([by_column, by_word]) != 0.0)
        return replace(self, base=self.base * by_word, gain=gain, unknown=unknown, ways=self.ways * one, bars=bars)


def log_ways(counts: Any) -> Array:
    """Log of the number of orders of each document's words (n,): log n! - sum log x!."""
    from scipy.special import gammaln

    totals = np.asarray(counts.sum(axis=1)).ravel()
    inner = np.bincount(
        np.repeat(np.arange(len(totals)), np.diff(counts.indptr)), gammaln(counts.data + 1), len(totals)
    )
    return gammaln(totals + 1) - inner


def word_ways(counts: Array) -> Array:
    """The same, word by word (n, V): in how many ways the words of a column fall among those of the columns before."""
    from scipy.special import gammaln

    so_far = np.cumsum(counts, axis=1)
    ways: Array = gammaln(so_far + 1) - gammaln(so_far - counts + 1) - gammaln(counts + 1)
    return ways


def _products(counts: Any, table: Array) -> Array:
    """counts @ table (n, K), where a count of 0 adds nothing even to an infinite gain."""
    K = table.shape[1]
    if pays(counts.nnz * K):
        out = np.empty((K, counts.shape[0]))
        _add_products(counts.data, counts.indices, counts.indptr, table, np.empty(K), out)
        return out.T
    lines = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    kept = counts.data != 0.0
    lines, columns, values = lines[kept], counts.indices[kept], counts.data[kept]
    out = [np.bincount(lines, table[columns, k] * values, counts.shape[0]) for k in range(K)]
    return np.stack(out, axis=1) if out else np.zeros((counts.shape[0], 0))


@loop
def _add_products(data, indices, indptr, table, total, out):  # type: ignore[no-untyped-def]
    """out[k, i] = sum over the entries of row i of value * table[column, k]."""
    K = table.shape[1]
    for i in range(indptr.shape[0] - 1):
        for k in range(K):
            total[k] = 0.0
        for p in range(np.uint64(indptr[i]), np.uint64(indptr[i + 1])):
            value = data[p]
            if value != 0.0:
                column = np.uint64(indices[p])
                for k in range(K):
                    total[k] += value * table[column, k]
        for k in range(K):
            out[k, i] = total[k]
