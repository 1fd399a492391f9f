"""Class priors: how the shares of the classes are found before any feature is seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.core.registry import saved
from suffice.families.counts.pseudo_counts import Dirichlet, PseudoCounts, probabilities
from suffice.families.family import Reading


class ClassPrior(Protocol):
    """Shares of the classes."""

    def estimate(self, labels: Sequence[Any], weight: Array) -> Array:
        """Shares (K,) of the classes, whose rows have these weights (K,)."""


@saved
@dataclass(frozen=True)
class EqualPrior:
    """All classes alike.

    >>> EqualPrior().estimate(("ham", "spam"), np.array([3.0, 1.0]))
    array([0.5, 0.5])
    """

    def estimate(self, labels: Sequence[Any], weight: Array) -> Array:
        """1 / K each."""
        return np.full(len(labels), 1.0 / max(len(labels), 1))


@saved
@dataclass(frozen=True)
class NoPrior:
    """Scores that take no class shares: a factor of 1 each."""

    def estimate(self, labels: Sequence[Any], weight: Array) -> Array:
        """Ones."""
        return np.ones(len(labels))


@saved
@dataclass(frozen=True)
class GivenPrior:
    """Shares by label. Where some of the classes named have no rows, the others divide their share.

    >>> GivenPrior({"ham": 0.5, "spam": 0.25, "eggs": 0.25}).estimate(("ham", "spam"), np.array([1.0, 1.0]))
    array([0.66666667, 0.33333333])
    """

    shares: Mapping[Any, float]
    owner: str = "NaiveBayes"

    def estimate(self, labels: Sequence[Any], weight: Array) -> Array:
        """What was given, over the classes that are there."""
        absent = [label for label in labels if label not in self.shares]
        if absent:
            rule = f"given for every class that has rows, {absent[0]!r} among them"
            raise bad(self.owner, "prior", rule, dict(self.shares), "Give its share too.")
        given = np.array([float(self.shares[label]) for label in labels])
        if len(given) == len(self.shares):
            return given
        if not given.any():
            raise bad(self.owner, "prior", "above 0 for some class that has rows", dict(self.shares), "Raise one.")
        divided: Array = given / given.sum()
        return divided


@saved
@dataclass(frozen=True)
class OrderedPrior:
    """Shares in the order of the classes, as scikit-learn takes them."""

    shares: tuple[float, ...]
    owner: str

    def estimate(self, labels: Sequence[Any], weight: Array) -> Array:
        """What was given."""
        if len(self.shares) != len(labels):
            rule = f"one for each of the {len(labels)} classes (Number of priors must match number of classes)"
            raise bad(self.owner, "the class shares", rule, len(self.shares), f"The classes are {list(labels)}.")
        return np.array(self.shares)


@saved
@dataclass(frozen=True)
class LearnedPrior:
    """Shares counted, with pseudo-counts; none of them is maximum likelihood.

        mean   p_k = (N_k + a_k) / (N + sum a)                       mode   p_k = (N_k + a_k - 1) / (N + sum a - K)

    Parameters
    ----------
    prior : pseudo-counts, such as Dirichlet(1) or MEstimate(2)
    reading : what is read from the posterior over the shares: `Reading.MEAN`, which is also the predictive distribution
        of a label, or `Reading.MODE`, for which every N_k + a_k must be at least 1

    >>> LearnedPrior(Dirichlet(1.0)).estimate(("a", "b", "c"), np.array([3.0, 0.0, 7.0])).round(4)
    array([0.3077, 0.0769, 0.6154])
    >>> LearnedPrior(Dirichlet(2.0), Reading.MODE).estimate(("a", "b", "c"), np.array([3.0, 0.0, 7.0])).round(4)
    array([0.3077, 0.0769, 0.6154])
    """

    prior: PseudoCounts = field(default_factory=lambda: Dirichlet(0.0))
    reading: Reading = Reading.MEAN

    def __post_init__(self) -> None:
        """Refuse what are no pseudo-counts and no reading."""
        if isinstance(self.prior, type) or not hasattr(self.prior, "over"):
            raise bad(self, "prior", "pseudo-counts such as Dirichlet(1)", self.prior, "Say how many rows to add.")
        if not isinstance(self.reading, Reading):
            raise bad(self, "reading", "one of Reading", self.reading, "Use Reading.MEAN or Reading.MODE.")

    def estimate(self, labels: Sequence[Any], weight: Array) -> Array:
        """Smoothed shares."""
        return probabilities(weight, self.prior.over(labels, False), self.reading)
