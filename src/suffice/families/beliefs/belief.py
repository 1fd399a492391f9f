"""Belief: what is believed about one number, and the questions that can be asked of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.families.beliefs.conjugate import generator, how_many
from suffice.families.beliefs.exceedance import Chance, exceedance


class Interval(NamedTuple):
    """From low to high."""

    low: float
    high: float


@dataclass(frozen=True)
class Belief:
    """A distribution of one unknown number with one peak: a wrapper of a frozen SciPy distribution.

    >>> from suffice.families.beliefs.beta_bernoulli import BetaBernoulli
    >>> spam = BetaBernoulli(10, 2).belief
    >>> round(spam.probability(below=0.5), 6), spam.interval(0.9)
    (0.005859, Interval(low=0.6839..., high=0.9885...))
    """

    law: Any  # frozen SciPy distribution
    peak: float  # where its density is largest; NaN where there is no one such place

    @property
    def mean(self) -> float:
        """Its mean; infinite or NaN where there is none."""
        return float(self.law.mean())

    @property
    def variance(self) -> float:
        """Its variance; infinite or NaN where there is none."""
        return float(self.law.var())

    @property
    def median(self) -> float:
        """As probably above as below."""
        return float(self.law.median())

    @property
    def mode(self) -> float:
        """Where the density is largest: the maximum a posteriori."""
        if np.isnan(self.peak):
            rule = "such that the density has one highest place"
            raise bad(self, "the parameters", rule, self.law.args, "Read the mean or the median.")
        return self.peak

    def log_density(self, x: Any) -> Array:
        """Log density."""
        return np.asarray(self.law.logpdf(x))

    def probability(self, above: float = -np.inf, below: float = np.inf) -> float:
        """The probability of the statement that the number is above one bound and below the other."""
        if not above <= below:
            raise bad(self, "above", f"at most below, {below}", above, "Exchange the bounds.")
        if above == -np.inf:
            return float(self.law.cdf(below))
        if below == np.inf:
            return float(self.law.sf(above))
        upper = above > self.law.median()  # differences of the smaller tails keep their digits
        return float(self.law.sf(above) - self.law.sf(below) if upper else self.law.cdf(below) - self.law.cdf(above))

    def interval(self, mass: float = 0.95) -> Interval:
        """The shortest interval that holds the number with this probability: no density outside is above one inside.

        Where the density is flat every interval is as good, and the middle one is given.
        """
        if not 0 < mass < 1:
            raise bad(self, "mass", "above 0 and below 1", mass, "0.95 leaves one chance in twenty outside.")
        return _shortest(self, float(mass))

    def exceeds(self, other: Belief, by: float = 0.0) -> Chance:
        """The probability that this number is larger than another, independent one (by a margin), and its error."""
        if not isinstance(other, Belief):
            raise bad(self, "other", "a Belief", other, "Compare with the belief about another parameter.")
        return exceedance(self.law, other.law, float(by))

    def draw(self, n: int = 1, random_state: Any = None) -> Array:
        """Numbers drawn from it (n,)."""
        return np.asarray(self.law.rvs(how_many(self, n), random_state=generator(self, random_state)))


def _shortest(belief: Belief, mass: float) -> Interval:
    from scipy.optimize import brentq

    def lead(p: float) -> float:
        """By how much the density at the lower end exceeds that at the upper."""
        ends = np.array([belief.law.ppf(p), belief.law.ppf(min(p + mass, 1.0))])
        with np.errstate(all="ignore"):
            low, high = np.where(np.isinf(ends), -np.inf, belief.law.logpdf(ends))
        return 0.0 if low == high else float(np.clip(low - high, -1e300, 1e300))

    first, last = lead(0.0), lead(1.0 - mass)
    if first > 0 > last:
        rule = "such that the density has no valley"
        raise bad(belief, "the parameters", rule, belief.law.args, "Ask for quantiles: the region is in two pieces.")
    if first == last == 0.0:
        p = (1.0 - mass) / 2.0
    elif first >= 0:
        p = 0.0
    elif last <= 0:
        p = 1.0 - mass
    else:
        p = brentq(lead, 0.0, 1.0 - mass, xtol=1e-16, rtol=1e-14)
    return Interval(float(belief.law.ppf(p)), float(belief.law.ppf(min(p + mass, 1.0))))
