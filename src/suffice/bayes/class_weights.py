"""Weights of classes in Bayes classifiers: the rows of a class count so many times towards its share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.bayes.class_priors import ClassPrior
from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.core.registry import saved


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
