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
from suffice.core.registry import saved
from suffice.families.counts.encoding import Encoding
from suffice.numerics.arrays import all_finite
from suffice.numerics.loop import loop, pays
from suffice.summaries.cell_counts import check_finite
from suffice.summaries.counts import Vocabulary


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
    weights: Array | None = None  # power of the text (1,), or of each word (V,); None: 1
    closed: bool = False  # whether words outside the vocabulary are ignored

    @cached_property
    def _places(self) -> dict[Any, int]:
        """Where each word is."""
        return {word: i for i, word in enumerate(self.labels)}

    @cached_property
    def _powers(self) -> Array:
        """Power of each word (V,)."""
        return np.broadcast_to(1.0 if self.weights is None else self.weights, self.base.shape[1:])

    @property
    def _power(self) -> float:
        """Power of what belongs to no word of the vocabulary."""
        return float(self.weights[0]) if self.weights is not None and len(self.weights) == 1 else 1.0

    @property
    def evidence(self) -> Array:
        """Powers of the gains (K, C + 1), unknown words last; 0 where a word is impossible under every component."""
        gains = np.concatenate([self.gain, self.unknown[:, None]], axis=1)
        if self.weights is None and gains.min(initial=0.0) > -np.inf:
            return gains
        powers = np.append(np.repeat(self._powers, self.encoding.per), self._power)
        tells = (powers > 0) & (gains > -np.inf).any(axis=0)
        return np.where(tells, gains, 0.0) * np.where(tells, powers, 0.0)

    @property
    def empty(self) -> Array:
        """Log probability of an empty document (K,)."""
        return np.asarray((self.base * self._powers).sum(axis=1))

    @cached_property
    def _table(self) -> tuple[Array, Array]:
        """Evidence with components side by side (C + 1, K), and that of an empty document (K,)."""
        return np.ascontiguousarray(self.evidence.T), self.empty

    def _impossible(self) -> tuple[Array, Array]:
        """Which columns (K, C) and which absences of words (K, V) are impossible."""
        assert self.bars is not None
        change, absent = np.split(self.bars, [self.gain.shape[1]], axis=1)
        return change + np.repeat(absent, self.encoding.per, axis=1) > 0.5, absent > 0.5

    @cached_property
    def _bars(self) -> tuple[Array, Array] | None:
        """Bars by columns (K, C + 1) and absent words (K, V), without those that all components share."""
        if self.bars is None:
            return None
        present, absent = self._impossible()
        absent = absent & ~absent.all(axis=0) & (self._powers > 0)
        present = present & ~present.all(axis=0) & (np.repeat(self._powers, self.encoding.per) > 0)
        change = present.astype(np.float64) - np.repeat(absent, self.encoding.per, axis=1)
        return np.pad(change, ((0, 0), (0, 1))), absent.astype(np.float64)

    def encoded(self, part: Words) -> Any:
        """The counts over our columns and, where the vocabulary is open, one more for unknown words."""
        return self.encoding.encode_over(part, self.labels, self._places, self.closed)

    @cached_property
    def _nobody(self) -> tuple[Array, Array] | None:
        """Bars by columns (C + 1,) and absent words (V,) that all components share; None where there are none.

        A word is left out whose every level is impossible, as are words of which none can be drawn: nothing is known.
        """
        per, drawn = self.encoding.per, np.isneginf(np.concatenate([self.gain, self.unknown[:, None]], axis=1))
        present: Array = np.asarray(drawn.all(axis=0))
        absent: Array = np.zeros(self.base.shape[1], dtype=bool)
        if present[: -1 if isinstance(self.labels, range) else None].all():
            present[:] = False
        if self.bars is not None:
            barred, never = (which.all(axis=0) for which in self._impossible())
            known = ~(never & barred.reshape(-1, per).all(axis=1)) & (self._powers > 0)
            present, absent = np.append(barred & np.repeat(known, per), False), never & known
        present &= np.append(np.repeat(self._powers, per), self._power) > 0
        if not (present.any() or absent.any()):
            return None
        return present - np.append(np.repeat(absent, per), False).astype(np.float64), absent.astype(np.float64)

    def log_density(self, part: Words) -> Array:
        """Log probability (n, K), 0 where there is no document and -inf where a word is impossible."""
        out = self.log_evidence(part)
        if self._nobody is None:
            return out
        change, absent = self._nobody
        counts = _presence(self.encoded(part))
        never = _products(counts, change[:, None], np.array([absent.sum()])) > 0.5
        out = np.where(never, -np.inf, out)
        return out if part.missing is None else np.where(part.missing[:, None], 0.0, out)

    def log_evidence(self, part: Words) -> Array:
        """Log probability (n, K) without what is impossible under every component."""
        if self.encoding.levels > 1:  # which would take a missing count for one that is not above the threshold
            check_finite(part)
        out = self._log_evidence(part)
        if not all_finite(out):  # looked for here, as counts are many more
            check_finite(part)
        return out

    def _log_evidence(self, part: Words) -> Array:
        table, base = self._table
        if isinstance(self.labels, range) and not self.ways and self._bars is None and part.missing is None:
            dense = self.encoding.dense(part, len(self.labels))
            if dense is not None and np.isfinite(table).all():
                return np.asarray((table[: dense.shape[1]].T @ dense.T).T + base)  # few long rows are multiplied faster
        counts = self.encoded(part)
        out = _products(counts, table, base)
        if self.ways:
            out = out + self.ways * self._power * log_ways(counts)[:, None]
        if self._bars is not None:
            change, absent = self._bars
            impossible = _products(_presence(counts), np.ascontiguousarray(change.T), absent.sum(axis=1))
            out = np.where(impossible > 0.5, -np.inf, out)
        return out if part.missing is None else np.where(part.missing[:, None], 0.0, out)

    def cells(self, part: Words, k: int) -> Array:
        """Log probability of each cell under component k: one a word for the columns of a matrix, else one a text."""
        if not isinstance(self.labels, range):
            return self.log_density(part)[:, [k]]
        counts = self.encoded(part)[:, : self.gain.shape[1]].toarray()
        with np.errstate(invalid="ignore"):
            gains = np.where(counts == 0.0, 0.0, counts * self.evidence[k, :-1])
        cells = self._by_word(gains) + self.base[k] * self._powers
        if self._bars is not None:
            change, absent = (bars[k] for bars in self._bars)
            cells = np.where(self._by_word((counts != 0.0) * change[:-1]) + absent > 0.5, -np.inf, cells)
        if self._nobody is not None:
            change, absent = self._nobody
            cells = np.where(self._by_word((counts != 0.0) * change[:-1]) + absent > 0.5, -np.inf, cells)
        cells = cells + self.ways * self._power * word_ways(counts) if self.ways else cells
        return cells if part.missing is None else np.where(part.missing[:, None], 0.0, cells)

    def _by_word(self, columns: Array) -> Array:
        """Sums over the columns of each word (n, V)."""
        return np.asarray(columns.reshape(len(columns), self.base.shape[1], self.encoding.per).sum(axis=2))

    def sample(self, components: Array, rng: np.random.Generator) -> Words:
        """Documents: word by word with a Poisson length, or a level for each word."""
        from scipy.sparse import csr_array

        draw = self._draw_words if self.length is not None else self._draw_levels
        rows = [draw(k, rng) for k in components]
        return Words(csr_array(np.array(rows, dtype=np.float64).reshape(len(rows), len(self.labels))), self.labels)

    def _draw_words(self, k: int, rng: np.random.Generator) -> Array:
        assert self.length is not None
        return draw_words(np.exp(self.gain[k]), self.length[k], rng)

    def _draw_levels(self, k: int, rng: np.random.Generator) -> Array:
        above = np.exp(self.base[k][:, None] + self.gain[k].reshape(-1, self.encoding.per))  # (V, levels 1 ..)
        if self.bars is not None:
            above = np.where(self._impossible()[0][k].reshape(above.shape), 0.0, above)
        reach = np.cumsum(above[:, ::-1], axis=1)[:, ::-1]  # chance of this level or a higher one
        return np.asarray((rng.random((len(above), 1)) < reach).sum(axis=1))

    def power(self, weights: Array) -> Bags:
        """Raise to a power: one number for a text, one a column for a matrix."""
        return replace(self, weights=weights if self.weights is None else self.weights * weights)


def draw_words(theta: Array, length: float, rng: np.random.Generator) -> Array:
    """How often each word occurs in one document of a Poisson length."""
    total = theta.sum()
    return rng.multinomial(rng.poisson(length), theta / total) if total > 0 else np.zeros(len(theta), dtype=np.int64)


def _presence(counts: Any) -> Any:
    """1 for every count that is not 0."""
    counts = counts.copy()
    counts.data = (counts.data != 0.0).astype(np.float64)
    return counts


def log_ways(counts: Any) -> Array:
    """Log of the number of orders of each document's words (n,): log n! - sum log x!."""
    from scipy.special import gammaln

    lines = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    totals = np.bincount(lines, counts.data, counts.shape[0])
    return np.asarray(gammaln(totals + 1) - np.bincount(lines, gammaln(counts.data + 1), counts.shape[0]))


def word_ways(counts: Array) -> Array:
    """The same, word by word (n, V): in how many ways the words of a column fall among those of the columns before."""
    from scipy.special import gammaln

    so_far = np.cumsum(counts, axis=1)
    return np.asarray(gammaln(so_far + 1) - gammaln(so_far - counts + 1) - gammaln(counts + 1))


def _products(counts: Any, table: Array, base: Array) -> Array:
    """base + counts @ table (n, K), where a count of 0 adds nothing even to an infinite gain."""
    n, K = counts.shape[0], table.shape[1]
    small = not pays(counts.nnz * K)
    if small and counts.shape[1] <= len(table) and np.isfinite(table).all():
        return np.asarray(base + counts @ table[: counts.shape[1]])
    out = np.empty((K, n))
    if not small:
        _add_products(counts.data, counts.indices, counts.indptr, table, base, np.empty(K), out)
        return out.T
    lines = np.repeat(np.arange(n), np.diff(counts.indptr))
    kept = counts.data != 0.0
    lines, columns, values = lines[kept], counts.indices[kept], counts.data[kept]
    for k in range(K):
        out[k] = base[k] + np.bincount(lines, table[columns, k] * values, n)
    return out.T


@loop
def _add_products(data, indices, indptr, table, base, total, out):  # type: ignore[no-untyped-def]
    """out[k, i] = base[k] + sum over the entries of row i of value * table[column, k]; two entries at a time."""
    K, one, two = table.shape[1], np.uint64(1), np.uint64(2)
    for i in range(indptr.shape[0] - 1):
        for k in range(K):
            total[k] = base[k]
        start, stop = np.uint64(indptr[i]), np.uint64(indptr[i + 1])
        for half in range((stop - start) // two):
            p = start + two * half
            v, w, a, b = data[p], data[p + one], table[np.uint64(indices[p])], table[np.uint64(indices[p + one])]
            if v != 0.0 and w != 0.0:
                for k in range(K):
                    total[k] += v * a[k] + w * b[k]
            elif v != 0.0:
                for k in range(K):
                    total[k] += v * a[k]
            elif w != 0.0:
                for k in range(K):
                    total[k] += w * b[k]
        if (stop - start) % two and data[stop - one] != 0.0:
            v, a = data[stop - one], table[np.uint64(indices[stop - one])]
            for k in range(K):
                total[k] += v * a[k]
        for k in range(K):
            out[k, i] = total[k]
