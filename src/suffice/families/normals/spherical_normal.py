"""Normal distributions that are as wide in every direction."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.core.kinds import Storage
from suffice.core.registry import saved
from suffice.core.shares import Shares
from suffice.families.family import Distribution
from suffice.families.normals.normal import Normals
from suffice.families.normals.variance_priors import NormalInverseGamma, VariancePrior
from suffice.summaries.moments import Moments
from suffice.summaries.shifted_sums import refuse_vanishing


@saved
@dataclass(frozen=True)
class SphericalNormal:
    """Independent columns of one variance in each component. It makes sense where the columns have one unit.

        x_j | k ~ N(m_kj, s_k^2),    s_k^2 = sum_j (v + W_kj) s_kj^2 / sum_j (v + W_kj)

    with s_kj^2 the variance of the column, prior included, W_kj the weight of its cells and v the prior's strength: the
    mean of the variances of the columns where no cell is missing.

    >>> X = np.array([[1.0, 0.0], [3.0, 4.0]])
    >>> family = SphericalNormal()
    >>> family.estimate(family.summarize(X, Shares.hard(np.array([0, 0]), 1))).variance
    array([[2.5, 2.5]])
    """

    storage: ClassVar[Storage] = Storage.NUMBERS

    prior: VariancePrior = field(default_factory=NormalInverseGamma)

    def summarize(self, part: Array, R: Shares) -> Moments:
        """Moments of the columns."""
        return Moments.of(part, R)

    def estimate(self, summary: Moments) -> Distribution:
        """Means, and one variance a component."""
        refuse_vanishing(summary)
        found = self.prior.parameters(summary)
        if found.freedom is not None:
            raise bad(self, "prior", "read by its mean or its mode", self.prior, "Use DiagonalNormal to integrate out.")
        rows = summary.weight.value + getattr(self.prior, "strength", 0.0)
        total = rows.sum(axis=1, keepdims=True)
        rows = np.where(total > 0, rows, 1.0)
        variance = (rows * found.variance).sum(axis=1, keepdims=True) / np.where(total > 0, total, rows.shape[1])
        return Normals(found.mean, np.tile(variance, (1, rows.shape[1])), np.ones(rows.shape[1]))
