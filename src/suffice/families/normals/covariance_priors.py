"""Priors for a mean and a covariance: how the products of columns become the parameters of a joint density."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol, Self

import numpy as np

from suffice.core.block import Array
from suffice.core.double_double import Pair, exact
from suffice.core.errors import bad
from suffice.core.registry import saved
from suffice.core.summary import Summary
from suffice.families.family import Reading
from suffice.families.normals.variance_priors import Parameters, resolution
from suffice.summaries.full_moments import FullMoments
from suffice.summaries.moments import Moments
from suffice.summaries.pattern_moments import PatternMoments


class Shape(NamedTuple):
    """Location (K, d) and covariance: (K, d, d), or (1, d, d) where all components share it."""

    mean: Pair
    covariance: Array
    tol: float = 0.0  # deviation of correlations along an axis below which it is left out; 0: none may be


class CovariancePrior(Protocol):
    """Turns products of columns into the parameters of a joint density."""

    @property
    def kept(self) -> type[Summary]:
        """The summary that it reads."""

    def shape(self, moments: FullMoments) -> Shape:
        """A covariance for each component."""

    def tied(self, moments: FullMoments) -> Shape:
        """One covariance for all components."""

    def pinned(self, mean: Array, variance: Array) -> Self:
        """The same prior, with the location and spread of the whole table fixed: they may not move in passes."""


@saved
@dataclass(frozen=True)
class NormalInverseWishart:
    """The conjugate prior of a mean and a covariance, as virtual rows.

    `strength` of them are as spread out as the whole table, column by column and uncorrelated, and `mean_strength` lie
    at its mean, free of units, unless `variance` and `mean` say otherwise.

        covariance = (v diag(s0^2) + S + k W / (k + W) (m - m0)(m - m0)') / (v + W),   mean = (k m0 + W m) / (k + W)

    with v = strength, k = mean_strength, S the scatter, W the weight and m the mean of the component. In one column it
    is `NormalInverseGamma`. `Reading.MODE` takes the joint mode. A column that is constant over all components tells
    nothing; a component without rows takes the density of the whole table.

    >>> from suffice.core.shares import Shares
    >>> moments = FullMoments.of(np.array([[1.0, 0.0], [3.0, 2.0]]), Shares.hard(np.array([0, 0]), 1))
    >>> NormalInverseWishart(strength=2.0).shape(moments).covariance[0]
    array([[1. , 0.5],
           [0.5, 1. ]])
    """

    strength: float = 1.0
    mean_strength: float = 0.0
    mean: float | tuple[float, ...] | None = None  # None: the mean of the whole table
    variance: float | tuple[float, ...] | None = None  # None: the variance of each column of the whole table
    reading: Reading = Reading.MEAN

    def __post_init__(self) -> None:
        """Refuse what is no prior."""
        for name in ("strength", "mean_strength"):
            value = getattr(self, name)
            if not (np.isfinite(value) and value >= 0):
                raise bad(self, name, "finite and at least 0", value, "It is a number of virtual rows.")
        if self.mean is not None and not np.isfinite(self.mean).all():
            raise bad(self, "mean", "finite", self.mean, "Leave it out to take the table's own.")
        given = np.asarray(0.0 if self.variance is None else self.variance)
        if not (np.isfinite(given) & (given >= 0)).all():
            rule = "finite and at least 0"
            raise bad(self, "variance", rule, self.variance, "Leave it out to take the table's own.")
        if self.reading is Reading.PREDICTIVE:
            raise bad(self, "reading", "Reading.MEAN or Reading.MODE", self.reading, "Use the mean.")

    @property
    def kept(self) -> type[Summary]:
        """The summary that it reads."""
        return PatternMoments

    def pinned(self, mean: Array, variance: Array) -> NormalInverseWishart:
        """With the location and spread of the whole table fixed, where they were not given."""
        return replace(
            self,
            mean=tuple(mean.tolist()) if self.mean is None else self.mean,
            variance=tuple(variance.tolist()) if self.variance is None else self.variance,
        )

    def shape(self, moments: FullMoments) -> Shape:
        """Posterior of each component, then its reading."""
        mean, pulled, s0 = self._pulled(moments)
        covariance = self._over(_value(moments.scatter) + pulled, moments.weight.value[:, None, None], s0)
        absent = moments.rows == 0
        if absent.any():
            whole = moments.pooled()
            covariance[absent] = self._over(_value(whole.scatter), whole.weight.value[:, None, None], s0)
        return Shape(mean, _floored(covariance, mean, s0))

    def tied(self, moments: FullMoments) -> Shape:
        """The virtual rows are added once, to the scatter of all components."""
        mean, pulled, s0 = self._pulled(moments)
        spread = (_value(moments.scatter) + pulled).sum(axis=0, keepdims=True)
        covariance = self._over(spread, np.asarray(moments.weight.value.sum()), s0)
        return Shape(mean, _floored(covariance, Pair(*(half[:1] for half in mean)), s0))

    def _over(self, spread: Array, weight: Array, s0: Array) -> Array:
        """Scatter and that of the virtual rows, over the rows of both."""
        more = len(s0) + 2.0 if self.reading is Reading.MODE else 0.0
        rows = weight + self.strength + more
        total = spread + self.strength * np.diag(s0)
        found: Array = np.divide(total, rows, out=np.broadcast_to(np.diag(s0), total.shape).copy(), where=rows > 0)
        return found

    def _pulled(self, moments: FullMoments) -> tuple[Pair, Array, Array]:
        """Means, the scatter between them and the virtual ones, and the spread of the whole table."""
        whole, d, k, W = moments.pooled(), len(moments.shift), self.mean_strength, moments.weight.value
        m0 = Pair(*(half[0] for half in whole.mean)) if self.mean is None else exact(np.broadcast_to(self.mean, d))
        own = np.diagonal(whole.covariance[0]) if self.variance is None else self.variance
        s0 = np.array(np.broadcast_to(own, d), dtype=np.float64)
        gap = (m0 - moments.mean).value  # (K, d)
        absent = moments.rows == 0
        pull = np.divide(k, k + W, out=np.ones_like(W), where=(k + W > 0) & ~absent)[:, None]
        mean = moments.mean + exact(pull * gap)
        mean = Pair(*(np.where(absent[:, None], a, b) for a, b in zip(m0, mean, strict=True)))
        weight = np.where(absent[:, None], 0.0, k * (1.0 - pull))
        return mean, (weight * gap)[:, :, None] * gap[:, None, :], s0


@saved
@dataclass(frozen=True)
class VarianceRidge:
    """Maximum likelihood, with one amount added to every variance; in the squared unit of the columns.

    Not unit-free. Kept for scikit-learn's `reg_covar`; it serves every normal family.

    >>> from suffice.core.shares import Shares
    >>> moments = FullMoments.of(np.array([[1.0, 0.0], [3.0, 2.0]]), Shares.hard(np.array([0, 0]), 1))
    >>> VarianceRidge(0.5).shape(moments).covariance[0]
    array([[1.5, 1. ],
           [1. , 1.5]])
    """

    amount: float = 1e-6

    def __post_init__(self) -> None:
        """Refuse what would take variance away."""
        if not (np.isfinite(self.amount) and self.amount >= 0):
            raise bad(self, "amount", "finite and at least 0", self.amount, "It is added to every variance.")

    @property
    def kept(self) -> type[Summary]:
        """The summary that it reads."""
        return PatternMoments

    def pinned(self, mean: Array, variance: Array) -> VarianceRidge:
        """Nothing of the whole table enters."""
        return self

    def parameters(self, moments: Moments) -> Parameters:
        """Mean and variance of independent columns."""
        return Parameters(moments.mean, moments.variance + self.amount)

    def shape(self, moments: FullMoments) -> Shape:
        """Mean and covariance of each component; one without rows takes the whole table's."""
        absent, mean, covariance = moments.rows == 0, moments.mean, moments.covariance
        if absent.any():
            whole = moments.pooled()
            covariance = np.where(absent[:, None, None], whole.covariance, covariance)
            mean = Pair(*(np.where(absent[:, None], a, b) for a, b in zip(whole.mean, mean, strict=True)))
        return Shape(mean, covariance + self.amount * np.eye(covariance.shape[1]))

    def tied(self, moments: FullMoments) -> Shape:
        """Mean of each component and the covariance within all of them."""
        spread = _value(moments.scatter).sum(axis=0, keepdims=True)
        weight = float(moments.weight.value.sum())
        covariance = spread / weight if weight > 0 else spread
        return Shape(self.shape(moments).mean, covariance + self.amount * np.eye(covariance.shape[1]))


def _value(scatter: Pair) -> Array:
    """Symmetric, rounded to float64."""
    value = scatter.value
    return (value + np.swapaxes(value, 1, 2)) / 2.0


def _floored(covariance: Array, mean: Pair, s0: Array) -> Array:
    """No variance below what float64 can tell from 0; none at all where the whole column is constant."""
    tells = s0 > 0
    covariance = np.where(tells[:, None] & tells, covariance, 0.0)
    least = np.where(tells, resolution(mean, s0), 0.0)  # (K, d)
    at = np.arange(len(s0))
    covariance[:, at, at] = np.maximum(covariance[:, at, at], least)
    return covariance
