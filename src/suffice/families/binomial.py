"""Binomial distributions: successes in a known number of trials.

p(x | k) = prod_j C(n, x_j) t_kj^x_j (1 - t_kj)^(n - x_j),     t = (a + sum x) / (a + b + n W)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from scipy.special import betaln, gammaln, xlog1py, xlogy

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.core.kinds import Storage
from suffice.core.registry import saved
from suffice.core.shares import Shares
from suffice.families.family import Cellwise, Distribution, Reading
from suffice.families.pseudo_counts import Beta
from suffice.families.rate_priors import totals
from suffice.summaries.moments import Moments


@saved
@dataclass(frozen=True)
class Binomial:
    """Independent columns of successes in `trials` trials each. The prior is a Beta distribution."""

    storage: ClassVar[Storage] = Storage.NUMBERS

    trials: int = 1
    prior: Beta = field(default_factory=Beta)
    reading: Reading = Reading.MEAN

    def __post_init__(self) -> None:
        """Refuse what is no number of trials."""
        if not (self.trials == int(self.trials) and self.trials >= 1):
            raise bad(self, "trials", "a whole number of at least 1", self.trials, "It is the largest possible count.")

    def summarize(self, part: Array, R: Shares) -> Moments:
        """Moments of the columns."""
        return Moments.of(part, R)

    def estimate(self, summary: Moments) -> Distribution:
        """Chances, or what integrates them out."""
        W, yes = totals(summary)
        no = self.trials * W - yes
        if (yes < 0).any() or (no < -1e-9 * np.abs(yes)).any():
            raise bad(self, "counts", f"between 0 and {self.trials}", "a column whose mean is outside", "Raise trials.")
        yes, no = yes + self.prior.yes, np.maximum(no, 0.0) + self.prior.no
        ones = np.ones(yes.shape[1])
        if self.reading is Reading.PREDICTIVE:
            return BetaBinomials(self.trials, yes, no, ones)
        return Binomials(self.trials, chance(yes, no, self.reading), ones)


def chance(yes: Array, no: Array, reading: Reading) -> Array:
    """Mean or mode of a Beta distribution; 1/2 where there is nothing to go by."""
    less = 1.0 if reading is Reading.MODE else 0.0
    yes, no = np.maximum(yes - less, 0.0), np.maximum(no - less, 0.0)
    return np.divide(yes, yes + no, out=np.full_like(yes, 0.5), where=yes + no > 0)


@saved
@dataclass(frozen=True)
class Binomials(Cellwise):
    """K binomial distributions over d independent columns."""

    trials: int
    theta: Array  # (K, d)
    weights: Array  # (d,) power of each column

    @property
    def K(self) -> int:
        """Number of components."""
        return len(self.theta)

    def log_cells(self, x: Array, k: int) -> Array:
        """Log probability of each cell (n, d)."""
        ways = gammaln(self.trials + 1.0) - gammaln(x + 1.0) - gammaln(self.trials - x + 1.0)
        return ways + xlogy(x, self.theta[k]) + xlog1py(self.trials - x, -self.theta[k])

    def sample(self, components: Array, rng: np.random.Generator) -> Array:
        """Rows (n, d)."""
        return rng.binomial(self.trials, self.theta[components]).astype(np.float64)


@saved
@dataclass(frozen=True)
class BetaBinomials(Cellwise):
    """Binomial counts whose chance was integrated out: Beta(yes, no) over the chance."""

    trials: int
    yes: Array  # (K, d)
    no: Array  # (K, d)
    weights: Array  # (d,) power of each column

    @property
    def K(self) -> int:
        """Number of components."""
        return len(self.yes)

    def log_cells(self, x: Array, k: int) -> Array:
        """Log probability of each cell (n, d)."""
        ways = gammaln(self.trials + 1.0) - gammaln(x + 1.0) - gammaln(self.trials - x + 1.0)
        return ways + betaln(self.yes[k] + x, self.no[k] + self.trials - x) - betaln(self.yes[k], self.no[k])

    def sample(self, components: Array, rng: np.random.Generator) -> Array:
        """Rows (n, d)."""
        return rng.binomial(self.trials, rng.beta(self.yes[components], self.no[components])).astype(np.float64)
