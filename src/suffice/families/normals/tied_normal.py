"""Normal distributions that share one covariance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np  # noqa: F401  (for the example)

from suffice.core.registry import saved
from suffice.core.shares import Shares  # noqa: F401  (for the example)
from suffice.families.normals.covariance_priors import CovariancePrior, Shape
from suffice.families.normals.full_normal import FullNormal
from suffice.summaries.full_moments import FullMoments


@saved
@dataclass(frozen=True)
class TiedNormal(FullNormal):
    """Columns that vary together, alike in every component, about means of their own.

        x | k ~ N(m_k, C),    C = (v diag(s0^2) + sum_k S_k) / (v + sum_k W_k)

    >>> X = np.array([[0.0, 0.0], [2.0, 2.0], [9.0, 7.0], [9.0, 9.0]])
    >>> family = TiedNormal()
    >>> normals = family.estimate(family.summarize(X, Shares.hard(np.array([0, 0, 1, 1]), 2)))
    >>> normals.covariance.shape
    (1, 2, 2)
    """

    def shape(self, moments: FullMoments, prior: CovariancePrior) -> Shape:
        """The reading of complete moments."""
        return prior.tied(moments)
