"""How many numbers a distribution was free to choose: the price of information criteria."""

from __future__ import annotations

from functools import singledispatch
from math import inf
from typing import Any

from suffice.core.errors import bad
from suffice.families.counts.bag import Bags
from suffice.families.counts.binomial import Binomials
from suffice.families.counts.categorical import Categories
from suffice.families.counts.geometric import Geometrics
from suffice.families.counts.poisson import Poissons
from suffice.families.normals.joint_normals import JointNormals
from suffice.families.normals.normal import Normals
from suffice.families.normals.variance_priors import KnownVariance


@singledispatch
def free_parameters(distribution: Any) -> int:
    """Number of free parameters of all components."""
    rule = "one whose parameters can be counted"
    raise bad("free_parameters", "the distribution", rule, distribution, "Compare by log-likelihood of new rows.")


def free_given(family: Any, distribution: Any) -> int:
    """The same of a distribution that a family has estimated, without the variances where they are known."""
    known = isinstance(getattr(family, "prior", None), KnownVariance)
    return int(distribution.variance.size) if known else free_parameters(distribution)


def free_shares(K: int, alpha: float) -> int:
    """Of the shares of K components, which sum to 1; none where they are kept equal."""
    return 0 if alpha == inf else K - 1


@free_parameters.register(Normals)
def _normals(distribution: Normals) -> int:
    K, d = distribution.variance.shape
    return 2 * int(K) * int(d)


@free_parameters.register(JointNormals)
def _joint(distribution: JointNormals) -> int:
    covariances, d, _ = distribution.covariance.shape
    return int(distribution.K * d + covariances * d * (d + 1) // 2)


@free_parameters.register(Categories)
def _categories(distribution: Categories) -> int:
    """All labels of a column but one: they sum to 1."""
    return len(distribution.log_theta) * sum(max(len(labels) - 1, 0) for labels in distribution.labels)


@free_parameters.register(Bags)
def _words(distribution: Bags) -> int:
    return int(distribution.gain.size)


@free_parameters.register(Binomials)
@free_parameters.register(Geometrics)
@free_parameters.register(Poissons)
def _one_each(distribution: Any) -> int:
    """One a component and column."""
    return int(distribution.K * len(distribution.weights))
