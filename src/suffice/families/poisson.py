"""Poisson distributions: counts of events.

p(x | k) = prod_j exp(-r_kj) r_kj^x_j / x_j!,     r = (a + sum x) / (b + W)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from scipy.special import gammaln, xlogy

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.core.kinds import Storage
from suffice.core.registry import saved
from suffice.core.shares import Shares
from suffice.families.family import Cellwise, Distribution, Reading
from suffice.families.rate_priors import Gamma, totals
from suffice.summaries.moments import Moments


@saved
@dataclass(frozen=True)
class Poisson:
    """Independent columns of counts. The prior is a Gamma distribution; its predictive is negative binomial."""

    storage: ClassVar[Storage] = Storage.NUMBERS

    prior: Gamma = field(default_factory=Gamma)
    reading: Reading = Reading.MEAN

    def summarize(self, part: Array, R: Shares) -> Moments:
        """Moments of the columns."""
        return Moments.of(part, R)

    def estimate(self, summary: Moments) -> Distribution:
        """Rates, or what integrates them out."""
        W, events = totals(summary)
        if (events < 0).any():
            raise bad(self, "counts", "at least 0", float(events.min()), "Choose another family for this column.")
        events = events + self.prior.events(summary)
        rows = np.broadcast_to(W + self.prior.rate, events.shape)
        ones = np.ones(events.shape[1])
        if self.reading is Reading.PREDICTIVE:
            return NegativeBinomials(events, rows, ones)
        if self.reading is Reading.MODE:
            events = np.maximum(events - 1.0, 0.0)
        return Poissons(np.divide(events, rows, out=np.zeros_like(events), where=rows > 0), ones)


@saved
@dataclass(frozen=True)
class Poissons(Cellwise):
    """K Poisson distributions over d independent columns."""

    rate: Array  # (K, d)
    weights: Array  # (d,) power of each column

    @property
    def K(self) -> int:
        """Number of components."""
        return len(self.rate)

    def log_cells(self, x: Array, k: int) -> Array:
        """Log probability of each cell (n, d); a column without events in any component tells nothing."""
        silent = (self.rate == 0).all(axis=0)
        return np.where(silent, 0.0, xlogy(x, self.rate[k]) - self.rate[k] - gammaln(x + 1.0))

    def sample(self, components: Array, rng: np.random.Generator) -> Array:
        """Rows (n, d)."""
        return rng.poisson(self.rate[components]).astype(np.float64)


@saved
@dataclass(frozen=True)
class NegativeBinomials(Cellwise):
    """Poisson counts whose rate was integrated out: Gamma(events, rows) over the rate."""

    events: Array  # (K, d)
    rows: Array  # (K, d)
    weights: Array  # (d,) power of each column

    @property
    def K(self) -> int:
        """Number of components."""
        return len(self.rows)

    def log_cells(self, x: Array, k: int) -> Array:
        """Log probability of each cell (n, d); a column without events in any component tells nothing."""
        silent = (self.events == 0).all(axis=0) | (self.rows == 0).all(axis=0)
        a, b = np.where(self.events[k] > 0, self.events[k], 1e-300), self.rows[k]
        logs = gammaln(x + a) - gammaln(a) - gammaln(x + 1.0) + xlogy(a, b / (b + 1.0)) - x * np.log1p(b)
        return np.where(silent, 0.0, logs)

    def sample(self, components: Array, rng: np.random.Generator) -> Array:
        """Rows (n, d)."""
        rate = rng.gamma(self.events[components], 1.0) / np.maximum(self.rows[components], 1e-300)
        return rng.poisson(rate).astype(np.float64)
