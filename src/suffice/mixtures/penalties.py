"""What a prior adds to the log-likelihood that EM climbs: virtual rows as log densities.

A family's estimate maximises the likelihood of the rows times a known function of its parameters. Families that are not
listed here may estimate well, but what they maximise is not known: then nothing is promised of the climb.
"""

from __future__ import annotations

from functools import singledispatch
from typing import Any

import numpy as np
from scipy.special import xlog1py, xlogy

from suffice.core.block import Array
from suffice.families.counts.binomial import Binomial
from suffice.families.counts.categorical import Categorical, Categories
from suffice.families.counts.geometric import Geometric
from suffice.families.counts.poisson import Poisson
from suffice.families.family import Reading
from suffice.families.normals.covariance_priors import NormalInverseWishart, VarianceRidge
from suffice.families.normals.full_normal import FullNormal
from suffice.families.normals.joint_normals import JointNormals
from suffice.families.normals.normal import DiagonalNormal, Normals
from suffice.families.normals.spherical_normal import SphericalNormal
from suffice.families.normals.variance_priors import KnownVariance, NormalInverseGamma, VarianceFloor
from suffice.summaries.full_moments import FullMoments
from suffice.summaries.moments import Moments


@singledispatch
def penalty(family: Any, distribution: Any, summary: Any) -> float | None:
    """Log prior of a distribution but for its constant; None where it is not known.

    Parameters
    ----------
    family : with its prior
    distribution : whose parameters are asked about
    summary : of the rows, from which priors without a location take it
    """
    return None


@penalty.register(DiagonalNormal)
@penalty.register(SphericalNormal)
def _normal(family: Any, distribution: Any, summary: Moments) -> float | None:
    prior = family.prior
    if _adds_nothing(prior):
        return 0.0
    if not (isinstance(prior, NormalInverseGamma) and prior.reading is Reading.MEAN):
        return None
    assert isinstance(distribution, Normals)
    whole, variance = summary.pooled(), distribution.variance
    m0 = whole.mean.value if prior.mean is None else prior.mean
    s0 = whole.variance if prior.variance is None else np.full_like(whole.variance, prior.variance)
    tells = variance >= np.finfo(np.float64).tiny
    v = np.where(tells, variance, 1.0)
    rows = prior.strength * (np.log(v) + s0 / v) + prior.mean_strength * np.square(distribution.mean.value - m0) / v
    return float(-0.5 * np.where(tells, rows, 0.0).sum())


@penalty.register(FullNormal)  # and TiedNormal
def _joint(family: FullNormal, distribution: Any, summary: FullMoments) -> float | None:
    prior = family.prior
    if _adds_nothing(prior):
        return 0.0
    if not (isinstance(prior, NormalInverseWishart) and prior.reading is Reading.MEAN):
        return None
    assert isinstance(distribution, JointNormals)
    whole, d = summary.pooled(), len(summary.shift)
    m0 = whole.mean.value[0] if prior.mean is None else np.broadcast_to(prior.mean, d)
    s0 = np.diagonal(whole.covariance[0]) if prior.variance is None else np.broadcast_to(prior.variance, d)
    gaps = distribution.mean.value - m0
    total = 0.0
    for k, mine in enumerate(distribution.whitenings(np.ones(d, dtype=bool))):
        W, columns = mine.W, mine.columns
        log_det = -2.0 * float((mine.height + 0.5 * np.log(2.0 * np.pi)).sum())
        total += prior.strength * (log_det + float((np.square(W) @ s0[columns]).sum()))
        shared = len(distribution.covariance) == 1
        for gap in gaps if shared else gaps[[k]]:
            total += prior.mean_strength * float(np.square(W @ gap[columns]).sum())
    return -0.5 * total


@penalty.register(Categorical)  # and Bernoulli
def _labels(family: Categorical, distribution: Categories, summary: Any) -> float | None:
    total = 0.0
    for j, labels in enumerate(distribution.labels):
        pseudo = family.prior.over(labels, family.vocabulary is None)
        pseudo = pseudo - (pseudo > 0) if family.reading is Reading.MODE else pseudo
        total += _weighted(distribution.column(j)[:, : len(pseudo)], pseudo)
    return total


@penalty.register(Poisson)
def _rates(family: Poisson, distribution: Any, summary: Moments) -> float | None:
    """Virtual events and virtual rows without one."""
    if (virtual := _virtual(family.reading, family.prior.events(summary))) is None:
        return None
    return float((xlogy(virtual[0], distribution.rate) - family.prior.rate * distribution.rate).sum())


@penalty.register(Binomial)
@penalty.register(Geometric)
def _chances(family: Binomial | Geometric, distribution: Any, summary: Moments) -> float | None:
    """Virtual successes and failures."""
    if (virtual := _virtual(family.reading, family.prior.yes, family.prior.no)) is None:
        return None
    yes, no = virtual
    return float((xlogy(yes, distribution.theta) + xlog1py(no, -distribution.theta)).sum())


def _virtual(reading: Reading, *counts: Any) -> tuple[Any, ...] | None:
    """Virtual counts under which the estimate is the likeliest: a mode has one less, where there is one to lose."""
    less = {Reading.MEAN: 0.0, Reading.MODE: 1.0}.get(reading)
    if less is None or any((np.asarray(count) < less).any() for count in counts):
        return None
    return tuple(count - less for count in counts)


def _weighted(log_theta: Array, pseudo: Array) -> float:
    """sum a log theta, where nothing times an impossible label is nothing."""
    return float(np.where(pseudo > 0, pseudo * np.where(pseudo > 0, log_theta, 0.0), 0.0).sum())


def _adds_nothing(prior: Any) -> bool:
    """Whether the estimate is that of maximum likelihood, be it of the means alone."""
    ridge = isinstance(prior, VarianceRidge) and prior.amount == 0
    return ridge or isinstance(prior, KnownVariance) or (isinstance(prior, VarianceFloor) and prior.share == 0)
