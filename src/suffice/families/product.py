"""Products of different families for different columns: the naive Bayes assumption.

p(x | k) = prod_g p_g(x_g | k)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from suffice.core.block import Array, Coded
from suffice.core.errors import bad
from suffice.core.registry import saved
from suffice.core.schema import Column, Schema
from suffice.core.shares import Shares
from suffice.core.summary import Summary, Together
from suffice.families.counts.categorical import Categorical
from suffice.families.family import Distribution, Family
from suffice.summaries.moments import Moments


@saved
@dataclass(frozen=True)
class Group:
    """Some columns of one part of the block, of one family."""

    part: int
    family: Family
    columns: tuple[int, ...] | None = None  # None: the whole part
    names: tuple[Any, ...] = ()  # of the columns, where their cells are checked and may have to be named


@saved
@dataclass(frozen=True)
class Product:
    """Independent groups of columns. Groups of one part share its summary and differ only in what they read from it.

    Families whose columns need more than that (histograms, window densities) have a `keeps`, and what it keeps of these
    columns lies beside the common summary, which all columns have in any case.

    >>> from suffice.core.shares import Shares
    >>> from suffice.families.normals.normal import DiagonalNormal
    >>> from suffice.families.counts.poisson import Poisson
    >>> product = Product((Group(0, DiagonalNormal(), (0,)), Group(0, Poisson(), (1,))))
    >>> X = np.array([[1.5, 2.0], [2.5, 4.0]])
    >>> factors = product.estimate(product.summarize((X,), Shares.hard(np.array([0, 0]), 1)))
    >>> [type(distribution).__name__ for distribution in factors.distributions]
    ['Normals', 'Poissons']
    """

    groups: tuple[Group, ...]
    later: tuple[Group, ...] = ()  # what columns may become once more is known of them: kept for, but not estimated

    def summarize(self, parts: Sequence[Any], R: Shares, start: int = 0) -> Together:
        """One summary a part; beside it, what some of its columns keep apart. `start` numbers the first row."""
        return Together(tuple(self._summarize(i, part, R, start) for i, part in enumerate(parts)))

    def _summarize(self, i: int, part: Any, R: Shares, start: int) -> Summary:
        shared = [g for g in self.groups if g.part == i and keeper_of(g.family) is None]
        counts = [g for g in shared if cells_of(g.family) is not None]
        for group in counts:  # what all columns keep does not show whether those of one family are its
            cells_of(group.family).check(part_columns(part, group), R, group.names, start)
        apart = self.apart(i, part.shape[1]) if self.keeps_apart(i) else []
        common: Summary = Moments.of(part, R) if counts or not shared else shared[0].family.summarize(part, R)
        if not apart:
            return common
        d = part.shape[1]
        return Together((common, *(keeper.summarize(part[:, at], R).among(at, d) for keeper, at in apart)))

    def keeps_apart(self, i: int) -> bool:
        """Whether some columns of a part of numbers keep more than the others."""
        return any(g.part == i and keeper_of(g.family) is not None for g in (*self.groups, *self.later))

    def apart(self, i: int, d: int) -> list[tuple[Any, list[int]]]:
        """What is kept apart of the d columns of a part, and of which of them."""
        found: list[tuple[Any, set[int]]] = []
        for group in (*self.groups, *self.later):
            keeper = keeper_of(group.family) if group.part == i else None
            if keeper is None:
                continue
            mine = next((columns for known, columns in found if known == keeper), None)
            if mine is None:
                found.append((keeper, mine := set()))
            mine.update(range(d) if group.columns is None else group.columns)
        return [(keeper, sorted(columns)) for keeper, columns in found]

    def estimate(self, summary: Together) -> Factors:
        """Each group from its columns of its part."""
        return Factors(self.groups, tuple(g.family.estimate(self._columns(summary, g)) for g in self.groups))

    def _columns(self, summary: Together, group: Group) -> Any:
        kept: Any = summary.parts[group.part]
        if self.keeps_apart(group.part):
            keepers = [None, *(keeper for keeper, _ in self.apart(group.part, 0))]
            kept = kept.parts[keepers.index(keeper_of(group.family))]
        return kept if group.columns is None else kept.columns(list(group.columns))


def keeper_of(family: Any) -> Any:
    """What a family keeps of its columns apart from the others of their part; None where all keep the same."""
    return getattr(family, "keeps", None)


def cells_of(family: Any) -> Any:
    """What a family asks of its cells beside their storage; None where any will do."""
    return getattr(family, "cells", None)


def group_of(part: int, family: Family, columns: Sequence[int] | None, names: Sequence[Any]) -> Group:
    """A group of columns, which knows their names if it may have to say them."""
    known = tuple(names) if cells_of(family) is not None else ()
    return Group(part, family, None if columns is None else tuple(columns), known)


def groups_of(schema: Schema, part: int, family_of: Callable[[Column], Family]) -> list[Group]:
    """The columns of a part, together where they have the same family."""
    _, places = schema.parts[part]
    found: list[tuple[Family, list[int]]] = []
    alike: dict[int, list[int]] = {}  # by the identity of a family: many columns have the one of their kind
    for at, i in enumerate(places):
        family = family_of(schema.columns[i])
        mine = alike.get(id(family))
        if mine is None:
            mine = next((columns for known, columns in found if known == family), None)
            if mine is None:
                found.append((family, mine := []))
            if family is found[-1][0]:  # it lives as long as it is known
                alike[id(family)] = mine
        mine.append(at)
    whole = len(found) == 1
    return [
        group_of(part, family, None if whole else columns, [schema.columns[places[at]].name for at in columns])
        for family, columns in found
    ]


def fitting_family(owner: str, column: Column, family: Any, usual: Family) -> Family:
    """A family, if it is one for such a column; of an ordinal, over its values. `usual` is the one of the kind."""
    kind = column.kind
    if isinstance(family, type) or getattr(family, "storage", None) is not kind.storage:
        what = f"the family of column {column.name!r}, which is {kind.value},"
        rule = f"one for {kind.storage.value}, such as {type(usual).__name__}()"
        raise bad(owner, what, rule, family, "Choose another family or declare another kind.")
    if column.order and isinstance(family, Categorical) and family.vocabulary is None:
        return replace(family, vocabulary=column.order)
    return family  # type: ignore[no-any-return]


@saved
@dataclass(frozen=True)
class Factors:
    """K components, each a product over groups of columns."""

    groups: tuple[Group, ...]
    distributions: tuple[Distribution, ...]

    def log_density(self, parts: Sequence[Any]) -> Array:
        """Log density (n, K)."""
        return self._sum([d.log_density for d in self.distributions], parts)

    def log_evidence(self, parts: Sequence[Any]) -> Array:
        """Log density (n, K) but for what all components of a row share: enough for a posterior."""
        return self._sum([getattr(d, "log_evidence", d.log_density) for d in self.distributions], parts)

    def _sum(self, logs: Sequence[Callable[[Any], Array]], parts: Sequence[Any]) -> Array:
        each = [log(part_columns(parts[g.part], g)) for g, log in zip(self.groups, logs, strict=True)]
        return sum(each[1:], each[0])

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
