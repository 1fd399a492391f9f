"""Priors for a mean and a variance: how the moments of a column become the parameters of its density."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from suffice.core.block import Array
from suffice.core.double_double import Pair, exact
from suffice.core.errors import bad
from suffice.core.registry import saved
from suffice.families.family import Reading
from suffice.numerics.arrays import every
from suffice.summaries.moments import Moments

NEAR = 0.5  # of the squares of a column about a shift: what its mean may make of them, so that float64 keeps the rest

RESOLUTION = 2.0**-52


class Parameters(NamedTuple):
    """Location, squared scale and, for a Student distribution, degrees of freedom; (K, d) each."""

    mean: Pair
    variance: Array
    freedom: Array | None = None


class VariancePrior(Protocol):
    """Turns moments into the parameters of a density."""

    def parameters(self, moments: Moments) -> Parameters:
        """Location and scale of each component and column."""


@saved
@dataclass(frozen=True)
class NormalInverseGamma:
    """The conjugate prior of a mean and a variance, as virtual rows.

    `strength` of them are as spread out as the whole column and `mean_strength` lie at its mean, free of units, unless
    `variance` and `mean` say otherwise.

        variance = (v s0^2 + S + k W / (k + W) (m - m0)^2) / (v + W),   mean = (k m0 + W m) / (k + W)

    with v = strength, k = mean_strength, S the scatter, W the weight and m the mean of the component. These are the
    posterior mean of the mean and the inverse of the posterior mean of the precision; `Reading.MODE` takes the joint
    mode and `Reading.PREDICTIVE` the Student distribution that integrates both out. A column that is constant over all
    components tells nothing; a component that never saw a column takes the whole column's density.

    >>> import numpy as np
    >>> from suffice.core.shares import Shares
    >>> moments = Moments.of(np.array([[1.0], [3.0]]), Shares.hard(np.array([0, 0]), 1))
    >>> NormalInverseGamma(strength=2.0, variance=4.0).parameters(moments).variance  # (2 * 4 + 2) / (2 + 2)
    array([[2.5]])
    """

    strength: float = 1.0
    mean_strength: float = 0.0
    mean: float | None = None  # None: the mean of the whole column
    variance: float | None = None  # None: the variance of the whole column
    reading: Reading = Reading.MEAN

    def __post_init__(self) -> None:
        """Refuse what is no prior."""
        for name in ("strength", "mean_strength"):
            value = getattr(self, name)
            if not (np.isfinite(value) and value >= 0):
                raise bad(self, name, "finite and at least 0", value, "It is a number of virtual rows.")
        if self.mean is not None and not np.isfinite(self.mean):
            raise bad(self, "mean", "finite", self.mean, "Leave it out to take the column's own.")
        if self.variance is not None and not 0 < self.variance < np.inf:
            raise bad(self, "variance", "finite and above 0", self.variance, "Leave it out to take the column's own.")

    def parameters(self, moments: Moments) -> Parameters:
        """Posterior, then its reading."""
        whole = moments.pooled()
        W, k, v = moments.weight.value, self.mean_strength, self.strength
        m0 = whole.mean if self.mean is None else exact(np.full_like(whole.variance, self.mean))
        s0 = whole.variance if self.variance is None else np.full_like(whole.variance, self.variance)
        absent = moments.rows == 0
        gap = (m0 - moments.mean).value  # (K, d)
        pull = np.divide(k, k + W, out=np.ones_like(W), where=(k + W > 0) & ~absent)
        mean = moments.mean + exact(pull * gap)
        mean = Pair(*(np.where(absent, a, b) for a, b in zip(m0, mean, strict=True)))
        spread = v * s0 + moments.scatter.value + k * (1.0 - pull) * gap * gap
        rows = np.where(v + W > 0, v + W, 1.0)
        return self._read(mean, spread, rows, k + W, s0, absent)

    def _read(self, mean: Pair, spread: Array, rows: Array, mean_rows: Array, s0: Array, absent: Array) -> Parameters:
        predictive, mode = self.reading is Reading.PREDICTIVE, self.reading is Reading.MODE
        variance = spread / (rows + 3.0 if mode else rows)
        if predictive:
            variance = variance * (1.0 + np.divide(1.0, mean_rows, out=np.zeros_like(rows), where=mean_rows > 0))
            proper = self.strength > 0 and self.mean_strength > 0  # then the prior alone is a distribution
            absent = absent & (not proper)
        variance = np.where(absent, s0, np.maximum(variance, resolution(mean, s0)))
        freedom = np.where(absent, np.inf, rows) if predictive else None
        return Parameters(mean, np.where(s0 > 0, variance, 0.0), freedom)


@saved
@dataclass(frozen=True)
class VarianceFloor:
    """Maximum likelihood, with a share of the largest column variance added to every variance.

    Not unit-free: measuring one column in other units changes the density of all. Kept for `GaussianNB`.

    >>> import numpy as np
    >>> from suffice.core.shares import Shares
    >>> moments = Moments.of(np.array([[1.0], [3.0], [5.0]]), Shares.hard(np.array([0, 0, 1]), 2))
    >>> VarianceFloor(0.375).parameters(moments).variance.ravel()  # of all rows: 8/3
    array([2., 1.])
    """

    share: float = 1e-9

    def parameters(self, moments: Moments) -> Parameters:
        """Mean and floored variance."""
        return Parameters(moments.mean, moments.variance + self.floor(moments))

    def floor(self, moments: Moments) -> float:
        """What is added to every variance; in float64 where that keeps the digits, as so little is added."""
        first, second, weight = (np.add.reduce(sums.high) for sums in (moments.first, moments.second, moments.weight))
        if weight.size and every(weight) and not np.count_nonzero(moments.noise):
            aside = first * first / weight
            far, found = aside > NEAR * second, (second - aside) / weight
            if far.any():
                found[far] = moments.columns(far.nonzero()[0]).pooled().variance[0]
            return self.share * float(np.maximum.reduce(found))
        return self.share * float(moments.pooled().variance.max(initial=0.0))


@saved
@dataclass(frozen=True)
class KnownVariance:
    """The variance is known, the same in every component and column; only means are learned, from their rows alone.

    >>> import numpy as np
    >>> from suffice.core.shares import Shares
    >>> moments = Moments.of(np.array([[1.0], [3.0], [5.0]]), Shares.hard(np.array([0, 0, 1]), 2))
    >>> KnownVariance(4.0).parameters(moments).variance.ravel()
    array([4., 4.])
    """

    variance: float = 1.0

    def __post_init__(self) -> None:
        """Refuse what is no variance."""
        if not 0 < self.variance < np.inf:
            raise bad(self, "variance", "finite and above 0", self.variance, "It is the square of a width.")

    def parameters(self, moments: Moments) -> Parameters:
        """Means of the rows; a component without rows has that of all."""
        absent, whole = moments.rows == 0, moments.pooled().mean
        mean = Pair(*(np.where(absent, a, b) for a, b in zip(whole, moments.mean, strict=True)))
        return Parameters(mean, np.full_like(moments.variance, self.variance))


def resolution(mean: Pair, variance: Array) -> Array:
    """The smallest variance that float64 can tell from 0 at this mean and spread."""
    return np.square(RESOLUTION * (np.abs(mean.high) + np.sqrt(variance)))
