"""The trees of a forest as estimators of their own, the rows that each was grown from, and growing more of them."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from suffice.compose.ensembles.forest_growing import RowDraws
from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.trees.nodes import TreeNodes


class GrownForest(NamedTuple):
    """What `fit` leaves for the next one, which may go on with it."""

    nodes: TreeNodes
    draws: RowDraws
    classes: tuple[Any, ...] | None  # None: numbers


class ForestMembers:
    """A forest as a collection of trees, as in scikit-learn."""

    _grown: GrownForest

    def __bool__(self) -> bool:
        """A forest is something before it has trees."""
        return True

    def __len__(self: Any) -> int:
        """Number of trees."""
        return len(self._state()[0].model.nodes.roots)

    def __getitem__(self: Any, index: Any) -> Any:
        """One tree, or several."""
        return self.estimators_[index]

    def __iter__(self: Any) -> Iterator[Any]:
        """Tree by tree."""
        return iter(self.estimators_)

    @property
    def estimators_samples_(self) -> list[Array]:
        """The numbers of the rows that each tree was grown from, as often as they were drawn."""
        draws = self._drawn()
        return [draws.rows(tree) for tree in range(len(draws.seeds))]

    def _drawn(self: Any) -> RowDraws:
        self._state()
        if "_grown" not in vars(self):
            raise AttributeError("the rows of each tree are known to the forest that was fitted to them, not to files.")
        draws: RowDraws = self._grown.draws
        return draws


def trees_before(forest: Any, classes: tuple[Any, ...] | None, d: int) -> GrownForest | None:
    """The trees that `warm_start` keeps, if there are any."""
    before: GrownForest | None = vars(forest).get("_grown") if forest.warm_start else None
    if before is None:
        return None
    many, wanted = len(before.nodes.roots), int(forest.n_estimators)
    if before.classes != classes or int(before.nodes.column.max()) >= d:
        rule = "of the same classes and columns as before where warm_start is True"
        raise bad(forest._owner, "rows", rule, Said("others"), "Set warm_start=False.")
    if wanted < many:
        rule = f"at least {many}, the number of trees there are, where warm_start is True"
        raise bad(forest._owner, "n_estimators", rule, wanted, "Set warm_start=False to grow all trees anew.")
    if wanted == many:
        words = "Warm-start fitting without increasing n_estimators does not fit new trees."
        warnings.warn(f"{forest._owner}: {words}", UserWarning, stacklevel=7)
    return before


def going_on(before: GrownForest | None, seeds: Array) -> tuple[tuple[int, ...], int]:
    """The seeds of all trees, those there are first, and the seed of their draws."""
    if before is None:
        return tuple(seeds.tolist()), int(seeds[0])
    old = before.draws.seeds
    return (*old, *np.asarray(seeds)[len(old) :].tolist()), before.draws.seed
