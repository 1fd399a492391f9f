"""How discriminant analysis reads moments: within all classes together, or within each."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.registry import saved
from suffice.core.summary import Summary
from suffice.families.normals.covariance_priors import CovariancePrior, Shape, VarianceRidge
from suffice.families.normals.shrinkage import GivenShrinkage, Shrinkage
from suffice.summaries.full_moments import FullMoments
from suffice.summaries.quartic_moments import QuarticMoments


def _unshrunk() -> Shrinkage:
    return GivenShrinkage()


@saved
@dataclass(frozen=True)
class WithinAll:
    """One covariance: of all rows about the mean of their class."""

    virtual: CovariancePrior = field(default_factory=lambda: VarianceRidge(0.0))  # rows added beforehand
    tol: float = 1e-4  # of the deviations of correlations along an axis: below it, the axis is left out

    @property
    def kept(self) -> type[Summary]:
        """The summary that is read."""
        return _unshrunk().kept

    def tied(self, moments: FullMoments) -> Shape:
        """The scatter within classes, over all rows."""
        return self.virtual.tied(moments)._replace(tol=self.tol)

    def shape(self, moments: FullMoments) -> Shape:
        """The same for every class."""
        return self.tied(moments)

    def pinned(self, mean: Array, variance: Array) -> WithinAll:
        """With the location and spread of the whole table fixed."""
        return replace(self, virtual=self.virtual.pinned(mean, variance))


@saved
@dataclass(frozen=True)
class WithinEach:
    """The covariance of each class, shrunk and mixed with the identity; or their mean, weighted by the class shares."""

    virtual: CovariancePrior = field(default_factory=lambda: VarianceRidge(0.0))  # rows added beforehand
    shrinkage: Shrinkage = field(default_factory=_unshrunk)
    identity: float = 0.0  # share of the identity
    class_shares: tuple[float, ...] | None = None  # None: as the rows say
    tol: float = 1e-4

    @property
    def kept(self) -> type[Summary]:
        """The summary that is read."""
        return self.shrinkage.kept

    def shape(self, moments: FullMoments | QuarticMoments) -> Shape:
        """Of each class."""
        found = self.virtual.shape(_full(moments))
        covariance = self.shrinkage.shrink(found.covariance, moments)
        mixed = (1.0 - self.identity) * covariance + self.identity * np.eye(covariance.shape[1])
        return Shape(found.mean, mixed, self.tol)

    def tied(self, moments: FullMoments | QuarticMoments) -> Shape:
        """Of all classes: the mean of the shrunk covariances."""
        mean, covariance, tol = self.shape(moments)
        weight = _full(moments).weight.value
        shares = weight if self.class_shares is None else np.array(self.class_shares)
        total = shares.sum()
        shares = shares / total if total > 0 else np.full(len(shares), 1.0 / max(len(shares), 1))
        return Shape(mean, np.einsum("k,kij->ij", shares, covariance)[None], tol)

    def pinned(self, mean: Array, variance: Array) -> WithinEach:
        """With the location and spread of the whole table fixed."""
        return replace(self, virtual=self.virtual.pinned(mean, variance))


def _full(moments: Any) -> FullMoments:
    return moments.full if isinstance(moments, QuarticMoments) else moments
