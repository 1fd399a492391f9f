"""Rows of several correlated normal columns with a normal-inverse-Wishart prior on mean and covariance.

    covariance ~ InverseWishart(v, v S),   mean | covariance ~ N(m, covariance / k)

The update is that of one column, with products of columns in place of squares.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.special import multigammaln

from suffice.core.block import Array
from suffice.core.double_double import Pair, exact
from suffice.core.errors import bad
from suffice.core.registry import saved
from suffice.families.beliefs.belief import Belief
from suffice.families.beliefs.conjugate import Conjugate, as_shares, checked, generator, how_many, left, one_component
from suffice.families.beliefs.inverse_gamma_normal import inverse_gamma, student
from suffice.families.normals.covariance_priors import NormalInverseWishart
from suffice.summaries.full_moments import FullMoments
from suffice.summaries.leaving import check_directions


class MeanAndCovariance(NamedTuple):
    """The parameters of a normal distribution of several columns."""

    mean: Array  # (d,)
    covariance: Array  # (d, d)


@saved
@dataclass(frozen=True, eq=False)
class InverseWishartNormal(Conjugate):
    """A mean at which `mean_strength` rows lie and a covariance that `strength` rows have, virtual ones included.

    Parameters
    ----------
    mean : (d,)
    covariance : (d, d) symmetric
    mean_strength, strength : numbers of virtual rows; the belief is a distribution if strength is above d - 1
    low : (d,) what float64 cannot hold of the mean

    >>> prior = InverseWishartNormal(np.zeros(2), np.eye(2), strength=3.0)
    >>> prior.observe([[1.0, 3.0], [3.0, 1.0]]).covariance.round(4)
    array([[1.5333, 0.1333],
           [0.1333, 1.5333]])
    """

    mean: Array  # (d,)
    covariance: Array  # (d, d)
    mean_strength: float = 1.0
    strength: float = 1.0
    low: Array | None = None  # (d,)

    def __post_init__(self) -> None:
        """Refuse what is no prior; keep arrays of our own."""
        checked(self, mean_strength=self.mean_strength, strength=self.strength)
        mean, covariance = (np.array(part, dtype=np.float64) for part in (self.mean, self.covariance))
        if mean.ndim != 1 or not mean.size or not np.isfinite(mean).all():
            raise bad(self, "mean", "a list of finite numbers", self.mean, "One number a column.")
        if covariance.shape != (mean.size,) * 2 or not np.array_equal(covariance, covariance.T):
            rule = f"symmetric and of shape ({mean.size}, {mean.size})"
            raise bad(self, "covariance", rule, self.covariance, "It must fit the mean.")
        object.__setattr__(self, "mean", mean)
        object.__setattr__(self, "covariance", covariance)
        object.__setattr__(self, "low", np.zeros_like(mean) if self.low is None else self.low)

    @classmethod
    def of(cls, prior: NormalInverseWishart, d: int) -> InverseWishartNormal:
        """The same prior as a family's, over d columns; mean and variance must be given, as there is no table yet."""
        if prior.mean is None or prior.variance is None:
            given = (prior.mean, prior.variance)
            raise bad(cls.__name__, "mean and variance of the prior", "given", given, "There is no table yet.")
        variance = np.broadcast_to(prior.variance, d)
        return cls(np.broadcast_to(prior.mean, d), np.diag(variance), prior.mean_strength, prior.strength)

    @property
    def d(self) -> int:
        """Number of columns."""
        return len(self.mean)

    @property
    def spread(self) -> Array:
        """Strength times covariance (d, d)."""
        return np.asarray(self.strength * self.covariance)

    @property
    def freedom(self) -> float:
        """Degrees of freedom of what is believed about one direction: strength - d + 1."""
        return self.strength - self.d + 1.0

    def summarize(self, rows: Any, weights: Any = None) -> FullMoments:
        """Moments of rows of d numbers."""
        X = np.asarray(rows, dtype=np.float64)
        if X.ndim != 2 or X.shape[1] != self.d:
            raise bad(self, "rows", f"of {self.d} numbers each", X.shape, "Give a table (n, d).")
        return FullMoments.of(X, as_shares(self, len(X), weights))

    def _after(self, summary: FullMoments, sign: float) -> InverseWishartNormal:
        moments = one_component(self, summary, FullMoments, self.d)
        W, S = sign * float(moments.weight.value[0]), sign * moments.scatter.value[0]
        if W == 0.0:
            return self
        k, v = self.mean_strength + W, self.strength + W
        left(self, "the strengths", [k, v])
        here = Pair(self.mean, np.asarray(self.low))
        gap = Pair(moments.mean.high[0], moments.mean.low[0]) - here
        mean = here + exact(W) / exact(k) * gap
        pull = self.mean_strength * W / k if k > 0 else 0.0
        spread = self.spread + (S + S.T) / 2.0 + pull * np.outer(gap.value, gap.value)
        if sign < 0:
            check_directions(spread, 1e-9 * np.diagonal(self.spread))
        covariance = spread / v if v > 0 else np.zeros_like(spread)
        return InverseWishartNormal(mean.high, covariance, k, v, mean.low)

    def log_evidence(self, summary: FullMoments, log_base: float = 0.0) -> float:
        """Log density of the rows."""
        self._proper()
        after, d = self + summary, self.d
        W = after.strength - self.strength
        heights = multigammaln(after.strength / 2.0, d) - multigammaln(self.strength / 2.0, d)
        fit = self.strength / 2.0 * _log_det(self.spread) - after.strength / 2.0 * _log_det(after.spread)
        narrowing = d / 2.0 * np.log(self.mean_strength / after.mean_strength)
        return float(heights + fit + narrowing - W * d / 2.0 * np.log(np.pi)) + log_base

    def _proper(self) -> None:
        if not self.mean_strength > 0:
            raise bad(self, "mean_strength", "above 0", self.mean_strength, "Start from a proper prior or add rows.")
        if not self.freedom > 0:
            rule = f"above {self.d - 1}, one less than the columns"
            raise bad(self, "strength", rule, self.strength, "Start from a proper prior or add rows.")
        if not np.linalg.eigvalsh(self.covariance).min() > 0:
            raise bad(self, "covariance", "positive definite", self.covariance, "Add rows or virtual rows.")

    def _direction(self, direction: Any) -> Array:
        a = np.eye(self.d)[direction] if isinstance(direction, (int, np.integer)) else np.asarray(direction, float)
        if a.shape != (self.d,) or not np.isfinite(a).all() or not a.any():
            rule = f"the number of a column, or {self.d} numbers that are not all 0"
            raise bad(self, "direction", rule, direction, "[1, -1] compares two columns.")
        return a

    def mean_belief(self, direction: Any) -> Belief:
        """What is believed about a sum a'mean of the means, or about the mean of column j: Student."""
        self._proper()
        a = self._direction(direction)
        scale = float(a @ self.spread @ a) / (self.mean_strength * self.freedom)
        return student(self.freedom, float(a @ self.mean), scale)

    def variance_belief(self, direction: Any) -> Belief:
        """What is believed about the variance of a'x, or of column j: inverse gamma."""
        self._proper()
        a = self._direction(direction)
        return inverse_gamma(self.freedom, float(a @ self.spread @ a))

    @property
    def mode(self) -> MeanAndCovariance:
        """The joint maximum a posteriori."""
        self._proper()
        return MeanAndCovariance(self.mean, self.spread / (self.strength + self.d + 2.0))

    @property
    def expected_covariance(self) -> Array:
        """Posterior mean of the covariance (d, d); there is none with fewer than d + 1 degrees of freedom."""
        if not self.freedom > 2:
            rule = f"above {self.d + 1}, so that the covariance has a mean"
            raise bad(self, "strength", rule, self.strength, "Read the mode.")
        return np.asarray(self.spread / (self.freedom - 2.0))

    def log_predictive(self, rows: Any) -> Array:
        """Log density of each new row by itself (n,): multivariate Student."""
        from scipy.stats import multivariate_t

        self._proper()
        shape = self.spread * (1.0 + 1.0 / self.mean_strength) / self.freedom
        X = np.asarray(rows, dtype=np.float64) - self.mean - np.asarray(self.low)
        return np.atleast_1d(multivariate_t(np.zeros(self.d), shape, df=self.freedom).logpdf(X))

    def draw(self, n: int = 1, random_state: Any = None) -> tuple[Array, Array]:
        """Means (n, d) and covariances (n, d, d) drawn from the posterior."""
        from scipy.stats import invwishart

        self._proper()
        rng, n = generator(self, random_state), how_many(self, n)
        drawn = invwishart(self.strength, self.spread).rvs(n, random_state=rng)
        covariance = np.asarray(drawn).reshape(n, self.d, self.d)
        z = np.einsum("nij,nj->ni", np.linalg.cholesky(covariance), rng.standard_normal((n, self.d)))
        return self.mean + z / np.sqrt(self.mean_strength), covariance

    def sample(self, n: int = 1, random_state: Any = None) -> Array:
        """New rows (n, d), each with a mean and a covariance of its own drawn from the posterior."""
        rng = generator(self, random_state)
        mean, covariance = self.draw(n, rng)
        z = rng.standard_normal(mean.shape)
        return np.asarray(mean + np.einsum("nij,nj->ni", np.linalg.cholesky(covariance), z))


def _log_det(matrix: Array) -> float:
    return float(np.linalg.slogdet(matrix)[1])
