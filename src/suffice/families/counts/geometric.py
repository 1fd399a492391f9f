"""Geometric distributions: the number of trials up to and with the first success.

p(x | k) = prod_j (1 - t_kj)^(x_j - 1) t_kj,     t = (a + W) / (a + b + sum x)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from scipy.special import xlog1py

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.core.kinds import Storage
from suffice.core.registry import saved
from suffice.core.shares import Shares
from suffice.families.beliefs.log_rising_factorial import log_rising
from suffice.families.counts.binomial import draw_chance
from suffice.families.counts.count_cells import CountCells
from suffice.families.counts.pseudo_counts import Beta
from suffice.families.counts.rate_priors import chance, or_whole, totals
from suffice.families.family import Cellwise, Distribution, Reading
from suffice.summaries.moments import Moments


@saved
@dataclass(frozen=True)
class Geometric:
    """Independent columns of waiting times, 1 at the least. The prior is a Beta distribution.

    >>> family, R = Geometric(), Shares.hard(np.array([0, 0]), 1)
    >>> family.estimate(family.summarize(np.array([[1.0], [3.0]]), R)).theta
    array([[0.5]])
    """

    storage: ClassVar[Storage] = Storage.NUMBERS

    prior: Beta = field(default_factory=Beta)
    reading: Reading = Reading.MEAN

    @property
    def cells(self) -> CountCells:
        """What its cells must be."""
        return CountCells(type(self).__name__, 1.0)

    def summarize(self, part: Array, R: Shares) -> Moments:
        """Moments of the columns."""
        self.cells.check(part, R)
        return Moments.of(part, R)

    def estimate(self, summary: Moments) -> Distribution:
        """Chances, or what integrates them out."""
        W, trials = totals(summary)
        if (trials < W * (1 - 1e-9)).any():
            raise bad(
                self, "waiting times", "at least 1", "a column whose mean is less", "Count the success itself too."
            )
        yes, no = W + self.prior.yes, np.maximum(trials - W, 0.0) + self.prior.no
        yes, no = or_whole(yes + no, yes, no)
        ones = np.ones(yes.shape[1])
        if self.reading is Reading.PREDICTIVE:
            return BetaGeometrics(yes, no, ones)
        return Geometrics(chance(yes, no, self.reading), ones)


@saved
@dataclass(frozen=True)
class Geometrics(Cellwise):
    """K geometric distributions over d independent columns; where the chance is 0, success never comes."""

    lowest: ClassVar[float] = 1.0
    whole: ClassVar[bool] = True

    theta: Array  # (K, d)
    weights: Array  # (d,) power of each column

    @property
    def K(self) -> int:
        """Number of components."""
        return len(self.theta)

    def log_cells(self, x: Array, k: int) -> Array:
        """Log probability of each cell (n, d)."""
        with np.errstate(divide="ignore"):
            return np.asarray(xlog1py(x - 1.0, -self.theta[k]) + np.log(self.theta[k]))

    def sample(self, components: Array, rng: np.random.Generator) -> Array:
        """Rows (n, d); missing where success never comes."""
        return _waits(self.theta[components], rng)


@saved
@dataclass(frozen=True)
class BetaGeometrics(Cellwise):
    """Waiting times whose chance was integrated out: Beta(yes, no) over the chance."""

    lowest: ClassVar[float] = 1.0
    whole: ClassVar[bool] = True

    yes: Array  # (K, d)
    no: Array  # (K, d)
    weights: Array  # (d,) power of each column

    @property
    def K(self) -> int:
        """Number of components."""
        return len(self.yes)

    def log_cells(self, x: Array, k: int) -> Array:
        """Log probability of each cell (n, d); success never comes where there is nothing to go by."""
        a, b = self.yes[k], np.where(self.yes[k] > 0, self.no[k], 1.0)
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(a) + log_rising(b, x - 1.0) - log_rising(a + b, x))

    def sample(self, components: Array, rng: np.random.Generator) -> Array:
        """Rows (n, d); missing where success never comes."""
        return _waits(draw_chance(self.yes, self.no, components, rng), rng)


def _waits(theta: Array, rng: np.random.Generator) -> Array:
    """Waiting times; NaN where the chance is 0."""
    return np.where(theta > 0, rng.geometric(np.where(theta > 0, theta, 1.0)), np.nan)
