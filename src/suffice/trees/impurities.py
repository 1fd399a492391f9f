"""Impurities: how far the rows of a node are from being of one class, or of one number. All are to be made small.

    misclassification  1 - max_c p_c          Gini  1 - sum_c p_c^2
    entropy            - sum_c p_c log p_c     square root Gini  sqrt(Gini / 2)
    squared error      mean (y - mean)^2       absolute error    mean |y - median|

The loss of a node is its weight times its impurity: losses of children add, and a split gains what they leave.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad


@dataclass(frozen=True)
class ClassImpurity(ABC):
    """An impurity of the class weights of a node."""

    number: ClassVar[int]  # by which loops know it

    def of(self, weights: Array) -> Array:
        """The impurity of class weights (.., K): (..,); 0 where there is no weight."""
        total = weights.sum(axis=-1, keepdims=True)
        p = np.divide(weights, total, out=np.zeros(np.shape(weights)), where=total > 0)
        return np.where(total[..., 0] > 0, self._of_shares(p), 0.0)

    def loss(self, weights: Array) -> Array:
        """Weight times impurity (..,)."""
        return np.asarray(weights.sum(axis=-1) * self.of(weights))

    @abstractmethod
    def _of_shares(self, p: Array) -> Array:
        """The impurity of class shares (.., K): (..,)."""


@dataclass(frozen=True)
class Misclassification(ClassImpurity):
    """The share of the rows that are not of the largest class."""

    number: ClassVar[int] = 0

    def _of_shares(self, p: Array) -> Array:
        return np.asarray(1.0 - p.max(axis=-1))


@dataclass(frozen=True)
class Gini(ClassImpurity):
    """The expected share of errors if rows were labelled at random by their class shares."""

    number: ClassVar[int] = 1

    def _of_shares(self, p: Array) -> Array:
        return np.asarray(1.0 - (p * p).sum(axis=-1))


@dataclass(frozen=True)
class Entropy(ClassImpurity):
    """The expected information of a label: in bits, or to another base."""

    base: float = 2.0
    number: ClassVar[int] = 2

    def _of_shares(self, p: Array) -> Array:
        logs = np.log(p, out=np.zeros(p.shape), where=p > 0)
        return np.asarray(0.0 - (p * logs).sum(axis=-1) / np.log(self.base))  # a pure node has 0, not -0


@dataclass(frozen=True)
class SquareRootGini(ClassImpurity):
    """The root of half the Gini index; of two classes sqrt(p (1 - p)), whose splits do not change with the prior."""

    number: ClassVar[int] = 3

    def _of_shares(self, p: Array) -> Array:
        return np.asarray(np.sqrt(np.maximum(1.0 - (p * p).sum(axis=-1), 0.0) / 2.0))


CLASS_IMPURITIES: Mapping[str, ClassImpurity] = {
    "misclassification": Misclassification(),
    "gini": Gini(),
    "entropy": Entropy(),
    "log_loss": Entropy(),  # scikit-learn's other name
    "sqrt_gini": SquareRootGini(),
}


def impurity(shares: Any, measure: str = "gini", base: float = 2.0) -> float:
    """The impurity of class shares or class weights.

    Parameters
    ----------
    shares : one number a class, at least 0
    measure : misclassification, gini, entropy or sqrt_gini
    base : of the logarithm of the entropy; 2 for bits, e for nats

    >>> round(impurity([0.9, 0.1], "entropy"), 6)
    0.468996
    """
    weights = np.asarray(shares, dtype=np.float64)
    if weights.ndim != 1 or not len(weights) or not np.isfinite(weights).all() or (weights < 0).any():
        raise bad("impurity", "shares", "one number a class, each finite and at least 0", shares, "Give class counts.")
    if not weights.any():
        raise bad("impurity", "shares", "above 0 for some class", shares, "A node without rows has no impurity.")
    if measure not in CLASS_IMPURITIES:
        raise bad("impurity", "measure", f"one of {', '.join(CLASS_IMPURITIES)}", measure, "Choose one of them.")
    if not base > 1:
        raise bad("impurity", "base", "above 1", base, "Use 2 for bits.")
    chosen = CLASS_IMPURITIES[measure]
    return float((Entropy(base) if isinstance(chosen, Entropy) else chosen).of(weights))
