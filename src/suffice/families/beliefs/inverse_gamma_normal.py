"""Normal rows with a normal-inverse-gamma prior on mean and variance.

    variance ~ InverseGamma(v / 2, v s^2 / 2),   mean | variance ~ N(m, variance / k)

After rows of weight W, mean x and scatter S:  k' = k + W,  v' = v + W,  m' = m + W / k' (x - m),
v' s'^2 = v s^2 + S + k W / k' (x - m)^2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.double_double import Pair, exact
from suffice.core.errors import bad
from suffice.core.registry import saved
from suffice.families.beliefs.belief import Belief
from suffice.families.beliefs.conjugate import (
    Conjugate,
    as_shares,
    checked,
    column_of,
    generator,
    how_many,
    left,
    one_component,
    proper,
)
from suffice.families.beliefs.marginal_likelihood import of_normals
from suffice.families.normals.student import Students
from suffice.families.normals.variance_priors import NormalInverseGamma
from suffice.summaries.moments import Moments


class MeanAndVariance(NamedTuple):
    """The two parameters of a normal distribution."""

    mean: float
    variance: float


@saved
@dataclass(frozen=True)
class InverseGammaNormal(Conjugate):
    """A mean at which `mean_strength` rows lie and a variance that `strength` rows have, virtual ones included.

    Parameters
    ----------
    mean, mean_strength, variance, strength : as of the prior `NormalInverseGamma`; strengths count virtual rows
    low : what float64 cannot hold of the mean

    >>> posterior = InverseGammaNormal(mean=0.0, mean_strength=1.0, variance=4.0, strength=2.0).observe([3.0, 5.0])
    >>> round(posterior.mean, 4), round(posterior.variance, 4)  # 8/3, (8 + 2 + 2/3 * 16) / 4
    (2.6667, 5.1667)
    """

    mean: float = 0.0
    mean_strength: float = 1.0
    variance: float = 1.0
    strength: float = 1.0
    low: float = 0.0

    def __post_init__(self) -> None:
        """Refuse what is no prior."""
        checked(self, mean_strength=self.mean_strength, variance=self.variance, strength=self.strength)
        if not np.isfinite(self.mean):
            raise bad(self, "mean", "finite", self.mean, "Say where the virtual rows lie.")

    @classmethod
    def of(cls, prior: NormalInverseGamma) -> InverseGammaNormal:
        """The same prior as a family's; mean and variance must be given, as there is no column to take them from."""
        if prior.mean is None or prior.variance is None:
            given = (prior.mean, prior.variance)
            raise bad(cls.__name__, "mean and variance of the prior", "given", given, "There is no column yet.")
        return cls(prior.mean, prior.mean_strength, prior.variance, prior.strength)

    @property
    def spread(self) -> float:
        """Strength times variance."""
        return self.strength * self.variance

    def summarize(self, rows: Any, weights: Any = None) -> Moments:
        """Moments of rows of numbers; NaN is missing."""
        x = column_of(self, rows)
        return Moments.of(x, as_shares(self, len(x), weights))

    def _after(self, summary: Moments, sign: float) -> InverseGammaNormal:
        moments = one_component(self, summary, Moments)
        W, S = sign * float(moments.weight.value[0, 0]), sign * float(moments.scatter.value[0, 0])
        if W == 0.0:
            return self
        k, v = self.mean_strength + W, self.strength + W
        left(self, "the strengths", [k, v])
        here = Pair(np.array(self.mean), np.array(self.low))
        gap = Pair(moments.mean.high[0, 0], moments.mean.low[0, 0]) - here
        mean = here + exact(W) / exact(k) * gap
        pull = self.mean_strength * W / k if k > 0 else 0.0
        spread = self.spread + S + pull * float(gap.value) ** 2
        left(self, "the spread", spread + 1e-9 * self.spread)
        variance = max(spread, 0.0) / v if v > 0 else 0.0
        return InverseGammaNormal(float(mean.high), k, variance, v, float(mean.low))

    def log_evidence(self, summary: Moments, log_base: float = 0.0) -> float:
        """Log density of the rows."""
        self._proper()
        after = self + summary
        weight = np.asarray(after.strength - self.strength)
        return float(of_normals(self.strength, self.mean_strength, self.spread, weight, after.spread)) + log_base  # type: ignore[arg-type]

    def _proper(self) -> None:
        proper(self, mean_strength=self.mean_strength, strength=self.strength, variance=self.variance)

    @property
    def mean_belief(self) -> Belief:
        """What is believed about the mean: Student with v degrees of freedom."""
        self._proper()
        return student(self.strength, self.mean, self.variance / self.mean_strength)

    @property
    def variance_belief(self) -> Belief:
        """What is believed about the variance: inverse gamma."""
        self._proper()
        return inverse_gamma(self.strength, self.spread)

    @property
    def mode(self) -> MeanAndVariance:
        """The joint maximum a posteriori."""
        self._proper()
        return MeanAndVariance(self.mean, self.spread / (self.strength + 3.0))

    def log_predictive(self, rows: Any) -> Array:
        """Log density of each new row by itself (n,): Student."""
        self._proper()
        scale = self.variance * (1.0 + 1.0 / self.mean_strength)
        at = Pair(np.array([[self.mean]]), np.array([[self.low]]))
        law = Students(at, np.array([[scale]]), np.array([[self.strength]]), np.ones(1))
        return law.log_cells(np.asarray(rows, dtype=np.float64)[..., None], 0)[..., 0]

    def draw(self, n: int = 1, random_state: Any = None) -> Array:
        """Means and variances drawn from the posterior (n, 2)."""
        self._proper()
        rng, n = generator(self, random_state), how_many(self, n)
        variance = self.spread / rng.chisquare(self.strength, n)
        mean = self.mean + (self.low + rng.standard_normal(n) * np.sqrt(variance / self.mean_strength))
        return np.column_stack([mean, variance])

    def sample(self, n: int = 1, random_state: Any = None) -> Array:
        """New rows (n,), each with a mean and a variance of its own drawn from the posterior."""
        rng = generator(self, random_state)
        mean, variance = self.draw(n, rng).T
        return np.asarray(mean + np.sqrt(variance) * rng.standard_normal(len(mean)))


def student(freedom: float, at: float, squared_scale: float) -> Belief:
    """A Student distribution about a place."""
    from scipy.stats import t

    return Belief(t(freedom, loc=at, scale=float(np.sqrt(squared_scale))), at)


def inverse_gamma(freedom: float, spread: float) -> Belief:
    """The variance of rows of this scatter and so many degrees of freedom."""
    from scipy.stats import invgamma

    return Belief(invgamma(freedom / 2.0, scale=spread / 2.0), spread / (freedom + 2.0))
