"""Priors over probabilities, as pseudo-counts added before estimating.

    theta_l = (n_l + a_l) / (N + sum a)                    posterior mean
    theta_l = (n_l + a_l - 1) / (N + sum a - V)            posterior mode

a = 0 is maximum likelihood, a = 1 the Laplace correction, a_l = m p_l the m-estimate.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.core.registry import saved
from suffice.families.family import Reading
from suffice.numerics.components import by_components, runs_of


class PseudoCounts(Protocol):
    """A prior over the probabilities of labels."""

    def over(self, labels: Sequence[Any], unseen: bool) -> Array:
        """Pseudo-counts of these labels and, with `unseen`, one more for everything else."""


@saved
@dataclass(frozen=True)
class Dirichlet:
    """The same pseudo-count for every label, or one for each (a mapping; labels outside it get none).

    >>> Dirichlet(1.0).over("abc", unseen=True)
    array([1., 1., 1., 1.])
    """

    alpha: float | Mapping[Any, float] = 1.0

    def __post_init__(self) -> None:
        """Refuse negative or infinite pseudo-counts."""
        values = list(self.alpha.values()) if isinstance(self.alpha, Mapping) else [self.alpha]
        if not all(np.isfinite(v) and v >= 0 for v in values):
            raise bad(
                self, "alpha", "finite and at least 0", self.alpha, "Use 0 for maximum likelihood, 1 for Laplace."
            )

    def over(self, labels: Sequence[Any], unseen: bool) -> Array:
        """Pseudo-counts."""
        if not isinstance(self.alpha, Mapping):
            return np.full(len(labels) + unseen, float(self.alpha))
        return np.array([float(self.alpha.get(label, 0.0)) for label in labels] + [0.0] * unseen)


@saved
@dataclass(frozen=True)
class MEstimate:
    """m virtual rows divided as the base distribution says, evenly if there is none.

    What the base leaves (1 - sum) goes to the labels outside it.

    >>> MEstimate(3.0).over("abc", unseen=False)
    array([1., 1., 1.])
    """

    m: float = 2.0
    base: Mapping[Any, float] | None = None

    def __post_init__(self) -> None:
        """Refuse what is no distribution."""
        if not (np.isfinite(self.m) and self.m >= 0):
            raise bad(self, "m", "finite and at least 0", self.m, "It is the number of virtual rows.")
        shares = list((self.base or {}).values())
        if any(not 0 <= p <= 1 for p in shares) or sum(shares) > 1 + 1e-9:
            raise bad(self, "base", "shares of at least 0 that sum to at most 1", self.base, "Give label -> share.")

    def over(self, labels: Sequence[Any], unseen: bool) -> Array:
        """Pseudo-counts."""
        if self.base is None:
            cells = len(labels) + unseen
            return np.full(cells, self.m / max(cells, 1))
        known = [float(self.base.get(label, 0.0)) for label in labels]
        return self.m * np.array(known + [max(1.0 - sum(known), 0.0)] * unseen)


@saved
@dataclass(frozen=True)
class Beta:
    """Pseudo-counts of a yes-or-no column: `yes` for True and `no` for False.

    >>> Beta(2.0, 1.0).over((False, True), unseen=False)
    array([1., 2.])
    """

    yes: float = 1.0
    no: float = 1.0

    def __post_init__(self) -> None:
        """Refuse negative or infinite pseudo-counts."""
        for name in ("yes", "no"):
            value = getattr(self, name)
            if not (np.isfinite(value) and value >= 0):
                raise bad(self, name, "finite and at least 0", value, "Use 1 and 1 for the Laplace correction.")

    def over(self, labels: Sequence[Any], unseen: bool) -> Array:
        """Pseudo-counts."""
        return np.array([self.yes if label else self.no for label in labels] + [0.0] * unseen)


@saved
@dataclass(frozen=True)
class ByColumn:
    """One pseudo-count for each column of a matrix, as in scikit-learn.

    >>> ByColumn((1.0, 2.0)).over(range(2), unseen=False)
    array([1., 2.])
    """

    alpha: tuple[float, ...]

    def over(self, labels: Sequence[Any], unseen: bool) -> Array:
        """Pseudo-counts."""
        return np.array(self.alpha + (0.0,) * unseen)


def probabilities(weight: Array, pseudo: Array, reading: Reading) -> Array:
    """Estimated probabilities (.., V) from weights (.., V) and pseudo-counts (V,); 0 where there is nothing at all."""
    total = weight + pseudo
    if reading is Reading.MODE:
        total = total - (pseudo > 0)
        if (total < 0).any():
            rule = "such that every count plus its pseudo-count is at least 1 for the mode"
            raise bad("prior", "pseudo-counts", rule, float(np.min(pseudo)), "Raise them to 1 or read the mean.")
    whole = total.sum(axis=-1, keepdims=True)
    return np.asarray(np.divide(total, whole, out=total, where=whole > 0))  # where all are 0 they stay so


def shares(weight: Array, pseudo: Array, reading: Reading) -> Array:
    """The same for components (K, .., V): one about which nothing is known takes the shares of all together."""
    theta = np.empty(weight.shape)

    def fill(some: slice) -> None:
        theta[some] = probabilities(weight[some], pseudo, reading)

    by_components(fill, runs_of(weight), weight.size)
    blank = theta.max(axis=-1, keepdims=True, initial=0.0) == 0.0
    return np.where(blank, probabilities(weight.sum(axis=0), pseudo, reading), theta) if blank.any() else theta
