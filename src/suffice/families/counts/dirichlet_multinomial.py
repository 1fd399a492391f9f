"""Dirichlet-multinomial documents: words drawn one by one, their shares integrated out.

p(x | k) = n! / prod x_v!  G(A) / G(A + n)  prod_v G(a_v + x_v) / G(a_v),     A = sum a, G the gamma function
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from suffice.core.block import Array, Words
from suffice.core.registry import saved
from suffice.families.counts.bag import draw_words, log_ways
from suffice.families.counts.encoding import Encoding
from suffice.summaries.counts import Vocabulary


@saved
@dataclass(frozen=True)
class DirichletMultinomials:
    """K Dirichlet-multinomial models of documents."""

    labels: Vocabulary
    alpha: Array  # (K, V) or, with an open vocabulary, (K, V + 1): the last for all unknown words
    ways: bool
    weight: float = 1.0
    length: Array | None = None  # (K,) mean number of words; None: 10
    closed: bool = False  # whether words outside the vocabulary are ignored

    @cached_property
    def _places(self) -> dict[Any, int]:
        return {word: i for i, word in enumerate(self.labels)}

    def log_density(self, part: Words) -> Array:
        """Log probability (n, K), 0 where there is no document and -inf where a word is impossible."""
        logs, known = self.log_evidence(part), self.alpha.max(axis=0, initial=0.0) > 0.0
        if not (known.any() and self.weight):
            return logs
        counts = Encoding().encode_over(part, self.labels, self._places, self.closed)
        never = np.append(~known, True)[counts.indices] & (counts.data > 0)  # words that no component can draw
        rows = np.bincount(np.repeat(np.arange(len(logs)), np.diff(counts.indptr)), never, len(logs)) > 0
        rows = rows if part.missing is None else rows & ~part.missing
        return np.where(rows[:, None], -np.inf, logs)

    def log_evidence(self, part: Words) -> Array:
        """Log probability (n, K) without the words that are impossible under every component."""
        from suffice.families.beliefs.log_rising_factorial import (
            log_rising,
        )  # SciPy's functions are not needed to learn

        counts = Encoding().encode_over(part, self.labels, self._places, self.closed)
        n, alpha = counts.shape[0], np.pad(self.alpha, ((0, 0), (0, 1)))
        lines = np.repeat(np.arange(n), np.diff(counts.indptr))
        possible = alpha.max(axis=0, initial=0.0) > 0  # a word that no component can draw tells nothing
        values = np.where(possible[counts.indices], counts.data, 0.0)
        totals = np.bincount(lines, values, n)
        out = np.empty((len(alpha), n))
        for k, mine in enumerate(alpha):
            out[k] = np.bincount(lines, log_rising(mine[counts.indices], values), n) - log_rising(mine.sum(), totals)
        out += log_ways(counts) if self.ways else 0.0
        out = np.where(part.missing, 0.0, out) if part.missing is not None else out
        return out.T * self.weight if self.weight else np.zeros((n, len(out)))

    def cells(self, part: Words, k: int) -> Array:
        """The whole document as one cell (n, 1): its words are not independent."""
        return self.log_density(part)[:, [k]]

    def sample(self, components: Array, rng: np.random.Generator) -> Words:
        """Documents of a Poisson length, each with shares of its own."""
        from scipy.sparse import csr_array

        V, length = len(self.labels), np.full(len(self.alpha), 10.0) if self.length is None else self.length
        rows = [draw_words(rng.gamma(self.alpha[k][:V]), length[k], rng) for k in components]
        return Words(csr_array(np.array(rows, dtype=np.float64).reshape(len(rows), V)), self.labels)

    def power(self, weights: Array) -> DirichletMultinomials:
        """Raise to a power."""
        return replace(self, weight=self.weight * float(weights[0]))
