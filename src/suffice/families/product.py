"""Products of different families for different columns: the naive Bayes assumption.

p(x | k) = prod_g p_g(x_g | k)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array, Coded
from suffice.core.registry import saved
from suffice.core.shares import Shares
from suffice.core.summary import Together
from suffice.families.family import Distribution, Family


@saved
@dataclass(frozen=True)
class Group:
    """Some columns of one part of the block, of one family."""

    part: int
    family: Family
    columns: tuple[int, ...] | None = None  # None: the whole part


@saved
@dataclass(frozen=True)
class Product:
    """Independent groups of columns. Groups of one part share its summary and differ only in what they read from it.

    >>> from suffice.core.shares import Shares
    >>> from suffice.families.normal import DiagonalNormal
    >>> from suffice.families.poisson import Poisson
    >>> product = Product((Group(0, DiagonalNormal(), (0,)), Group(0, Poisson(), (1,))))
    >>> X = np.array([[1.5, 2.0], [2.5, 4.0]])
    >>> factors = product.estimate(product.summarize((X,), Shares.hard(np.array([0, 0]), 1)))
    >>> [type(distribution).__name__ for distribution in factors.distributions]
    ['Normals', 'Poissons']
    """

    groups: tuple[Group, ...]

    def summarize(self, parts: Sequence[Any], R: Shares) -> Together:
        """One summary a part."""
        families = {group.part: group.family for group in reversed(self.groups)}
        return Together(tuple(families[i].summarize(part, R) for i, part in enumerate(parts)))

    def estimate(self, summary: Together) -> Factors:
        """Each group from its columns of its part."""
        return Factors(self.groups, tuple(g.family.estimate(_columns(summary.parts[g.part], g)) for g in self.groups))


def _columns(summary: Any, group: Group) -> Any:
    return summary if group.columns is None else summary.columns(list(group.columns))


@saved
@dataclass(frozen=True)
class Factors:
    """K components, each a product over groups of columns."""

    groups: tuple[Group, ...]
    distributions: tuple[Distribution, ...]

    def log_density(self, parts: Sequence[Any]) -> Array:
        """Log density (n, K)."""
        logs = [
            d.log_density(part_columns(parts[g.part], g)) for g, d in zip(self.groups, self.distributions, strict=True)
        ]
        return sum(logs[1:], logs[0])

    def cells(self, parts: Sequence[Any], k: int) -> list[Array]:
        """Log density of the cells of each group (n, d_g) under component k."""
        return [
            d.cells(part_columns(parts[g.part], g), k) for g, d in zip(self.groups, self.distributions, strict=True)
        ]

    def sample(self, components: Array, rng: np.random.Generator) -> list[Any]:
        """Rows of each group."""
        return [d.sample(components, rng) for d in self.distributions]

    def power(self, weights: Sequence[Array]) -> Factors:
        """Raise the columns of each group to powers."""
        powered = tuple(d.power(w) for d, w in zip(self.distributions, weights, strict=True))
        return Factors(self.groups, powered)


def part_columns(part: Any, group: Group) -> Any:
    """The group's columns of a part; nothing is copied where they are all of it."""
    if group.columns is None:
        return part
    places = list(group.columns)
    if isinstance(part, Coded):
        return Coded(part.codes[:, places], tuple(part.labels[j] for j in places))
    return part[:, places]
