"""Binomial distributions: successes in a known number of trials.

p(x | k) = prod_j C(n, x_j) t_kj^x_j (1 - t_kj)^(n - x_j),     t = (a + sum x) / (a + b + n W)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from scipy.special import gammaln, xlog1py, xlogy

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.core.kinds import Storage
from suffice.core.registry import saved
from suffice.core.shares import Shares
from suffice.families.beliefs.log_rising_factorial import log_rising
from suffice.families.counts.count_cells import CountCells
from suffice.families.counts.pseudo_counts import Beta
from suffice.families.counts.rate_priors import chance, or_whole, totals
from suffice.families.family import Cellwise, Distribution, Reading
from suffice.summaries.moments import Moments


@saved
@dataclass(frozen=True)
class Binomial:
    """Independent columns of successes in `trials` trials each. The prior is a Beta distribution.

    >>> family, R = Binomial(10), Shares.hard(np.array([0, 0]), 1)
    >>> family.estimate(family.summarize(np.array([[3.0], [7.0]]), R)).theta
    array([[0.5]])
    """

    storage: ClassVar[Storage] = Storage.NUMBERS

    trials: int = 1
    prior: Beta = field(default_factory=Beta)
    reading: Reading = Reading.MEAN

    def __post_init__(self) -> None:
        """Refuse what is no number of trials."""
        if not (self.trials >= 1 and self.trials == np.floor(self.trials) and np.isfinite(self.trials)):
            raise bad(self, "trials", "a whole number of at least 1", self.trials, "It is the largest possible count.")

    @property
    def cells(self) -> CountCells:
        """What its cells must be."""
        return CountCells(type(self).__name__, 0.0, float(self.trials))

    def summarize(self, part: Array, R: Shares) -> Moments:
        """Moments of the columns."""
        self.cells.check(part, R)
        return Moments.of(part, R)

    def estimate(self, summary: Moments) -> Distribution:
        """Chances, or what integrates them out."""
        W, yes = totals(summary)
        no = self.trials * W - yes
        if (yes < 0).any() or (no < -1e-9 * yes).any():
            raise bad(self, "counts", f"between 0 and {self.trials}", "a column whose mean is outside", "Raise trials.")
        yes, no = yes + self.prior.yes, np.maximum(no, 0.0) + self.prior.no
        yes, no = or_whole(yes + no, yes, no)
        ones = np.ones(yes.shape[1])
        if self.reading is Reading.PREDICTIVE:
            return BetaBinomials(self.trials, yes, no, ones)
        return Binomials(self.trials, chance(yes, no, self.reading), ones)


def log_ways(trials: int, x: Array) -> Array:
    """Log of the number of ways to get x successes."""
    return np.asarray(gammaln(trials + 1.0) - gammaln(x + 1.0) - gammaln(trials - x + 1.0))


@saved
@dataclass(frozen=True)
class Binomials(Cellwise):
    """K binomial distributions over d independent columns."""

    lowest: ClassVar[float] = 0.0
    whole: ClassVar[bool] = True

    trials: int
    theta: Array  # (K, d)
    weights: Array  # (d,) power of each column

    @property
    def highest(self) -> float:
        """Every trial a success."""
        return self.trials

    @property
    def K(self) -> int:
        """Number of components."""
        return len(self.theta)

    def log_cells(self, x: Array, k: int) -> Array:
        """Log probability of each cell (n, d)."""
        odds = xlogy(x, self.theta[k]) + xlog1py(self.trials - x, -self.theta[k])
        return np.asarray(log_ways(self.trials, x) + odds)

    def sample(self, components: Array, rng: np.random.Generator) -> Array:
        """Rows (n, d)."""
        return rng.binomial(self.trials, self.theta[components]).astype(np.float64)


@saved
@dataclass(frozen=True)
class BetaBinomials(Cellwise):
    """Binomial counts whose chance was integrated out: Beta(yes, no) over the chance."""

    lowest: ClassVar[float] = 0.0
    whole: ClassVar[bool] = True

    trials: int
    yes: Array  # (K, d)
    no: Array  # (K, d)
    weights: Array  # (d,) power of each column

    @property
    def highest(self) -> float:
        """Every trial a success."""
        return self.trials

    @property
    def K(self) -> int:
        """Number of components."""
        return len(self.yes)

    def log_cells(self, x: Array, k: int) -> Array:
        """Log probability of each cell (n, d); even odds where there is nothing to go by."""
        a, b = _even(self.yes[k], self.no[k])
        logs: Array = log_rising(a, x) + log_rising(b, self.trials - x) - log_rising(a + b, self.trials)
        return logs + log_ways(self.trials, x)

    def sample(self, components: Array, rng: np.random.Generator) -> Array:
        """Rows (n, d)."""
        return rng.binomial(self.trials, draw_chance(self.yes, self.no, components, rng)).astype(np.float64)


def _even(yes: Array, no: Array) -> tuple[Array, Array]:
    """Beta(1, 1) where there is nothing at all to go by."""
    blank = yes + no == 0
    return np.where(blank, 1.0, yes), np.where(blank, 1.0, no)


def draw_chance(yes: Array, no: Array, components: Array, rng: np.random.Generator) -> Array:
    """A chance for each cell, from Beta(yes, no); exactly 0 or 1 where one of them is 0."""
    yes, no = _even(yes[components], no[components])
    drawn = rng.beta(np.where(yes > 0, yes, 1.0), np.where(no > 0, no, 1.0))
    return np.where(yes == 0, 0.0, np.where(no == 0, 1.0, drawn))
