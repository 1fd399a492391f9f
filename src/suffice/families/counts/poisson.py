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
from suffice.families.beliefs.log_rising_factorial import log_rising
from suffice.families.counts.count_cells import CountCells
from suffice.families.counts.rate_priors import Gamma, or_whole, totals
from suffice.families.family import Cellwise, Distribution, Reading
from suffice.summaries.moments import Moments


@saved
@dataclass(frozen=True)
class Poisson:
    """Independent columns of counts. The prior is a Gamma distribution; its predictive is negative binomial.

    >>> family, R = Poisson(Gamma(2.0, 1.0)), Shares.hard(np.array([0, 0, 0]), 1)
    >>> family.estimate(family.summarize(np.array([[1.0], [4.0], [1.0]]), R)).rate
    array([[2.]])
    """

    storage: ClassVar[Storage] = Storage.NUMBERS

    prior: Gamma = field(default_factory=Gamma)
    reading: Reading = Reading.MEAN

    @property
    def cells(self) -> CountCells:
        """What its cells must be."""
        return CountCells(type(self).__name__, 0.0)

    def summarize(self, part: Array, R: Shares) -> Moments:
        """Moments of the columns."""
        self.cells.check(part, R)
        return Moments.of(part, R)

    def estimate(self, summary: Moments) -> Distribution:
        """Rates, or what integrates them out."""
        W, events = totals(summary)
        if (events < 0).any():
            raise bad(self, "counts", "at least 0", float(events.min()), "Choose another family for this column.")
        rows = W + self.prior.rate
        events, rows = or_whole(rows, events + self.prior.events(summary), rows)
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

    lowest: ClassVar[float] = 0.0
    whole: ClassVar[bool] = True

    rate: Array  # (K, d)
    weights: Array  # (d,) power of each column

    @property
    def K(self) -> int:
        """Number of components."""
        return len(self.rate)

    def log_cells(self, x: Array, k: int) -> Array:
        """Log probability of each cell (n, d)."""
        return np.asarray(xlogy(x, self.rate[k]) - self.rate[k] - gammaln(x + 1.0))

    def sample(self, components: Array, rng: np.random.Generator) -> Array:
        """Rows (n, d)."""
        return rng.poisson(self.rate[components]).astype(np.float64)


@saved
@dataclass(frozen=True)
class NegativeBinomials(Cellwise):
    """Poisson counts whose rate was integrated out: Gamma(events, rows) over the rate."""

    lowest: ClassVar[float] = 0.0
    whole: ClassVar[bool] = True

    events: Array  # (K, d)
    rows: Array  # (K, d)
    weights: Array  # (d,) power of each column

    @property
    def K(self) -> int:
        """Number of components."""
        return len(self.rows)

    def log_cells(self, x: Array, k: int) -> Array:
        """Log probability of each cell (n, d); without rows there are no events."""
        a, b = self.events[k], np.where(self.rows[k] > 0, self.rows[k], 1.0)
        logs = log_rising(a, x) - gammaln(x + 1.0) - a * np.log1p(1.0 / b) - x * np.log1p(b)
        return np.asarray(logs)

    def sample(self, components: Array, rng: np.random.Generator) -> Array:
        """Rows (n, d)."""
        rows = np.where(self.rows > 0, self.rows, 1.0)
        return rng.poisson(rng.gamma(self.events[components]) / rows[components]).astype(np.float64)
