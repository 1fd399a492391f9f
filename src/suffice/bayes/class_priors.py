"""Class priors: how the shares of the classes are found before any feature is seen, and weights of classes in them."""

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


@saved
@dataclass(frozen=True)
class WeighedPrior:
    """Shares as another prior finds them once the rows of each class weigh so many times as much.

    What is learned within a class does not depend on how much all of its rows weigh, so that nothing else changes, and
    models still add, whatever their weights.

    Parameters
    ----------
    prior : how shares are found
    weights : by label; None for one over the share of the class, which makes all classes alike

    >>> from suffice.bayes.class_priors import LearnedPrior
    >>> WeighedPrior(LearnedPrior(), {"spam": 3.0}).estimate(("ham", "spam"), np.array([3.0, 1.0]))
    array([0.5, 0.5])
    """

    prior: ClassPrior
    weights: Mapping[Any, float] | None

    def estimate(self, labels: Sequence[Any], weight: Array) -> Array:
        """Shares (K,)."""
        return self.prior.estimate(labels, weight * self.factors(labels, weight))

    def factors(self, labels: Sequence[Any], weight: Array) -> Array:
        """How much a row of each class weighs (K,)."""
        if self.weights is not None:
            return np.array([float(self.weights.get(label, 1.0)) for label in labels])
        here = weight > 0.0
        share = np.where(here, weight, 1.0) * max(int(here.sum()), 1) / (weight.sum() or 1.0)
        return np.where(here, 1.0 / share, 1.0)


def weighed_prior(owner: str, prior: ClassPrior, class_weight: Any) -> ClassPrior:
    """The prior under what users call `class_weight`: None, "balanced", or a mapping of labels to weights."""
    if class_weight is None:
        return prior
    if isinstance(class_weight, str) and class_weight == "balanced":
        return WeighedPrior(prior, None)
    if not isinstance(class_weight, Mapping):
        rule = "None, 'balanced' or a mapping of labels to weights"
        raise bad(owner, "class_weight", rule, class_weight, "Give {label: weight}.")
    odd = [w for w in class_weight.values() if not (isinstance(w, (int, float, np.number)) and 0 <= w < np.inf)]
    if odd:
        raise bad(owner, "class_weight", "finite and at least 0 for every class", odd[0], "0 leaves a class out.")
    return WeighedPrior(prior, {label: float(w) for label, w in class_weight.items()})
