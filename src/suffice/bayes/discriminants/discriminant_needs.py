"""What rows must be like for normal classes to follow from them, as scikit-learn says it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from scipy.linalg.lapack import dpotrf

from suffice.bayes.discriminants.discriminant_axes import NoInverse
from suffice.core.block import Array
from suffice.core.errors import Said, bad, refusal
from suffice.core.registry import saved
from suffice.numerics.arrays import every


class Needs(Protocol):
    """Refuses rows from which no model follows."""

    def rows(self, owner: str, classes: Sequence[Any], rows: Array) -> None:
        """By the number of rows of each class (K,)."""

    def shapes(self, owner: str, classes: Sequence[Any], rows: Array, covariance: Array) -> None:
        """By the covariances: (K, d, d), or (1, d, d) where all classes share one."""


@saved
@dataclass(frozen=True)
class MoreThanClasses:
    """One covariance for all classes: more rows than classes."""

    def rows(self, owner: str, classes: Sequence[Any], rows: Array) -> None:
        """More than the classes that have some."""
        n = int(rows.sum())
        if n <= (rows > 0).sum():
            rule = "more than the classes (The number of samples must be more than the number of classes.)"
            remedy = "Give more rows, or a prior_strength above 0."
            raise bad(owner, "the rows", rule, Said(f"{n} sample(s) (n_samples={n})"), remedy)

    def shapes(self, owner: str, classes: Sequence[Any], rows: Array, covariance: Array) -> None:
        """Singular covariances are no trouble, or are refused by the solver."""


@saved
@dataclass(frozen=True)
class InverseOfEach:
    """A covariance for each class, each with an inverse."""

    svd: bool  # whether as many rows as columns are asked for, whatever was added to the covariances
    tol: float  # deviation of correlations along an axis below which a covariance is singular

    def rows(self, owner: str, classes: Sequence[Any], rows: Array) -> None:
        """Two classes, of two rows each."""
        if len(classes) < 2:
            rule = "two or more (The number of classes has to be greater than one. Got 1 class.)"
            raise bad(owner, "the classes", rule, list(classes), "Give rows of another class.")
        for label, count in zip(classes, rows, strict=True):
            if count < 2:
                told = f"y has only {count} sample in class {label}, covariance is ill defined."
                remedy = "Give more, or a prior_strength above 0."
                raise bad(owner, "the rows", f"two or more in each class ({told})", int(count), remedy)

    def shapes(self, owner: str, classes: Sequence[Any], rows: Array, covariance: Array) -> None:
        """Refuse classes whose covariance has no inverse."""
        d = covariance.shape[1]
        for label, C, count in zip(classes, covariance, rows, strict=True):
            few = self.svd and count <= d
            if (few and count < d) or singular(C, self.tol):
                raise refusal(
                    NoInverse,
                    owner,
                    "the covariance of every class",
                    "an inverse",
                    Said("a singular one"),
                    f"The covariance matrix of class {label} is not full rank. {self._remedy(few, label, count, d)}",
                    "must have",
                )

    def _remedy(self, few: bool, label: Any, count: int, d: int) -> str:
        if not few:
            return f"Increase `{'reg_param' if self.svd else 'shrinkage'}` or `prior_strength`."
        return (
            "When using `solver='svd'` the number of samples in each class should be more than the number of "
            f"features, but class {label} has {count} samples and {d} features. Try using `solver='eigen'` and "
            "setting the parameter `shrinkage`, or `prior_strength`."
        )


def singular(C: Array, tol: float) -> bool:
    """Whether a column does not vary, or follows from others."""
    variance = C.diagonal()
    if not every(variance > 0):
        return True
    sd = np.sqrt(variance)
    correlations = C / sd / sd[:, None]
    correlations.flat[:: len(C) + 1] -= tol * tol
    _, failed = dpotrf(correlations, clean=0)  # a root is there if and only if no axis is as short; axes take longer
    return bool(failed)
