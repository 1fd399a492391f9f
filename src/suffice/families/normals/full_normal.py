"""Normal distributions with a full covariance for each component."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from suffice.core.block import Array
from suffice.core.kinds import Storage
from suffice.core.registry import saved
from suffice.core.shares import Shares
from suffice.families.family import Distribution
from suffice.families.normals.covariance_priors import CovariancePrior, NormalInverseWishart, Shape
from suffice.families.normals.incomplete_normals import settled
from suffice.families.normals.joint_normals import JointNormals
from suffice.families.normals.whitening import check_covariances
from suffice.summaries.full_moments import FullMoments
from suffice.summaries.shifted_sums import refuse_vanishing


@saved
@dataclass(frozen=True)
class FullNormal:
    """Columns that vary together, differently in each component. The prior is pseudo-data, in the units of the columns.

        x | k ~ N(m_k, C_k)

    Rows with missing cells are kept by what they lack; the estimate is then the maximum of the likelihood of what was
    observed, prior included, found by expectation-maximisation on the summary.

    >>> X = np.array([[1.0, 0.0], [3.0, 4.0], [2.0, np.nan]])
    >>> family = FullNormal()
    >>> normals = family.estimate(family.summarize(X, Shares.hard(np.array([0, 0, 0]), 1)))
    >>> normals.mean.high.round(6)
    array([[2., 2.]])
    """

    storage: ClassVar[Storage] = Storage.NUMBERS

    prior: CovariancePrior = field(default_factory=NormalInverseWishart)

    def summarize(self, part: Array, R: Shares) -> Any:
        """Products of columns, for each set of columns that rows have; or what else the prior reads."""
        kept: Any = self.prior.kept
        return kept.of(part, R)

    def estimate(self, summary: Any) -> Distribution:
        """Means and covariances, or what the prior makes of them."""
        return settled(self, summary)

    def shape(self, moments: FullMoments, prior: CovariancePrior) -> Shape:
        """The reading of complete moments."""
        return prior.shape(moments)

    def distribution(self, moments: FullMoments, prior: CovariancePrior | None = None) -> JointNormals:
        """From complete moments, in closed form."""
        refuse_vanishing(getattr(moments, "full", moments))  # fourth powers come with the products they go with
        mean, covariance, tol = self.shape(moments, prior or self.prior)
        if tol == 0.0:
            check_covariances(self, covariance)
        return JointNormals(mean, covariance, np.ones(covariance.shape[1]), tol)
