"""Shrinkage: how far the covariance of each component is drawn towards independent columns of one spread.

    C' = (1 - a) C + a m I,    m = trace(C) / d

with a given, or estimated so that the expected squared error is least. Estimated shrinkage is of correlations, so that
units change nothing: m = 1, and variances stay as they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import numpy as np

from suffice.core.block import Array
from suffice.core.registry import saved
from suffice.core.summary import Summary
from suffice.summaries.full_moments import FullMoments
from suffice.summaries.pattern_moments import PatternMoments
from suffice.summaries.quartic_moments import QuarticMoments


class Shrinkage(Protocol):
    """Draws covariances towards independence."""

    kept: ClassVar[type[Summary]]  # the summary that it is estimated from

    def shrink(self, covariance: Array, moments: Any) -> Array:
        """Covariances (K, d, d), shrunk; `moments` are what they were read from."""


@saved
@dataclass(frozen=True)
class GivenShrinkage:
    """The same share for all components, in the squared unit of the columns.

    >>> GivenShrinkage(0.5).shrink(np.array([[[3.0, 1.0], [1.0, 1.0]]]), None)[0]
    array([[2.5, 0.5],
           [0.5, 1.5]])
    """

    kept: ClassVar[type[Summary]] = PatternMoments

    amount: float = 0.0

    def shrink(self, covariance: Array, moments: Any) -> Array:
        """(1 - a) C + a m I."""
        if self.amount == 0.0:
            return covariance
        d = covariance.shape[1]
        spread = np.trace(covariance, axis1=1, axis2=2)[:, None, None] / d
        return np.asarray((1.0 - self.amount) * covariance + self.amount * spread * np.eye(d))


@saved
@dataclass(frozen=True)
class OracleShrinkage:
    """Oracle approximating shrinkage of the correlations, for rows that are normal: from full moments alone.

    Reference: Y. Chen, A. Wiesel, Y. C. Eldar, A. O. Hero, Shrinkage algorithms for MMSE covariance estimation (2010).
    """

    kept: ClassVar[type[Summary]] = PatternMoments

    def shrink(self, covariance: Array, moments: FullMoments) -> Array:
        """Each component by its own share."""
        return _towards_independence(covariance, self.shares(covariance, moments.weight.value))

    def shares(self, covariance: Array, weight: Array) -> Array:
        """The share of each component (K,): (a + m^2) / ((n + 1) (a - m^2 / d)), at most 1, a the mean square."""
        correlation, d = _correlations(covariance), covariance.shape[1]
        mean = np.trace(correlation, axis1=1, axis2=2) / d
        square = np.square(correlation).mean(axis=(1, 2))
        below = (weight + 1.0) * (square - mean * mean / d)
        above = square + mean * mean
        return np.where(below > above, above / np.where(below > above, below, 1.0), 1.0)


@saved
@dataclass(frozen=True)
class LedoitWolfShrinkage:
    """Ledoit and Wolf's shrinkage of the correlations, whatever the distribution: from products of squares too.

    Reference: O. Ledoit, M. Wolf, A well-conditioned estimator for large-dimensional covariance matrices (2004).
    """

    kept: ClassVar[type[Summary]] = QuarticMoments

    def shrink(self, covariance: Array, moments: QuarticMoments) -> Array:
        """Each component by its own share."""
        return _towards_independence(covariance, self.shares(moments))

    def shares(self, moments: QuarticMoments) -> Array:
        """The share of each component (K,): how uncertain the correlations are, beside how far from independence."""
        full, d = moments.full, len(moments.full.shift)
        weight = np.where(full.rows > 0, full.weight.value, 1.0)
        variance = np.diagonal(full.covariance, axis1=1, axis2=2)
        precision = np.where(variance > 0, 1.0 / np.where(variance > 0, variance, 1.0), 1.0)
        fourth = np.einsum("kj,kjl,kl->k", precision, moments.central, precision) / weight
        correlation = _correlations(full.covariance)
        square, trace = np.square(correlation).sum(axis=(1, 2)), np.trace(correlation, axis1=1, axis2=2)
        uncertain = (fourth - square) / weight
        apart = square - trace * trace / d
        beta = np.minimum(uncertain, apart)
        return np.where(beta > 0, beta / np.where(beta > 0, apart, 1.0), 0.0)


def _correlations(covariance: Array) -> Array:
    """Correlations (K, d, d); a column that does not vary has none, not even with itself."""
    variance = np.diagonal(covariance, axis1=1, axis2=2)
    sd = np.sqrt(np.where(variance > 0, variance, 1.0))
    return np.asarray(covariance / sd[:, :, None] / sd[:, None, :])


def _towards_independence(covariance: Array, share: Array) -> Array:
    """Correlations drawn towards m I, back in the units of the columns."""
    d = covariance.shape[1]
    variance = np.diagonal(covariance, axis1=1, axis2=2)
    unit = np.where(variance > 0, variance, 1.0)
    mean = (variance > 0).mean(axis=1)[:, None, None]
    share = share[:, None, None]
    return np.asarray((1.0 - share) * covariance + share * mean * unit[:, :, None] * np.eye(d))
