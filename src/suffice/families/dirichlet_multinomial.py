"""Dirichlet-multinomial documents: words drawn one by one, their shares integrated out.

p(x | k) = n! / prod x_v!  G(A) / G(A + n)  prod_v G(a_v + x_v) / G(a_v),     A = sum a, G the gamma function
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln

from suffice.core.block import Array, Words
from suffice.core.registry import saved
from suffice.families.bag import Bags, Encoding, log_ways
from suffice.summaries.counts import Vocabulary


@saved
@dataclass(frozen=True)
class DirichletMultinomials:
    """K Dirichlet-multinomial models of documents."""

    labels: Vocabulary
    alpha: Array  # (K, V) or, with an open vocabulary, (K, V + 1): the last for all unknown words
    ways: bool
    weight: float = 1.0

    def log_density(self, part: Words) -> Array:
        """Log probability (n, K); 0 where there is no document."""
        counts = self._bags().encoded(part)
        lines = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
        totals = np.bincount(lines, counts.data, counts.shape[0])
        out = np.empty((len(self.alpha), len(totals)))
        for k, alpha in enumerate(self.alpha):
            cells = gammaln(alpha[counts.indices] + counts.data) - gammaln(alpha[counts.indices])
            whole = alpha.sum()
            out[k] = np.bincount(lines, cells, len(totals)) + gammaln(whole) - gammaln(whole + totals)
        out += log_ways(counts) if self.ways else 0.0
        out = out if part.missing is None else np.where(part.missing, 0.0, out)
        return out.T * self.weight

    def cells(self, part: Words, k: int) -> Array:
        """The whole document as one cell (n, 1): its words are not independent."""
        return self.log_density(part)[:, [k]]

    def sample(self, components: Array, rng: np.random.Generator) -> Words:
        """Documents, each with shares of its own; ten words on average."""
        V = len(self.labels)
        rows = [rng.multinomial(rng.poisson(10), rng.dirichlet(self.alpha[k][:V])) for k in components]
        return Words(np.array(rows, dtype=np.float64).reshape(len(rows), V), self.labels)

    def power(self, weights: Array) -> DirichletMultinomials:
        """Raise to a power."""
        return DirichletMultinomials(self.labels, self.alpha, self.ways, self.weight * float(weights[0]))

    def _bags(self) -> Bags:
        """A bag over the same words, for its way of finding columns."""
        K, V = len(self.alpha), len(self.labels)
        return Bags(self.labels, np.zeros((K, V)), np.zeros((K, V)), np.zeros(K), Encoding())
