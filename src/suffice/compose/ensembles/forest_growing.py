"""Trees of a forest: each from rows drawn for it, in threads where loops do the work."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.numerics.threads import in_threads, processors
from suffice.trees.growth.bins import BinnedCells
from suffice.trees.growth.drawing import poisson_weights
from suffice.trees.growth.growing import Growth
from suffice.trees.growth.growth_options import seed_of
from suffice.trees.growth.numeric_trees import grow_binned
from suffice.trees.nodes import TreeNodes


@dataclass(frozen=True)
class RowDraws:
    """How often each row is drawn for each tree."""

    how: Any  # True: with replacement; "poisson": by a hash of seed, tree and row; False: all once
    seeds: tuple[int, ...]  # of the trees
    seed: int  # of Poisson draws
    n: int
    size: int  # draws a tree

    def counts(self, tree: int) -> Array | None:
        """How often (n,) each row is drawn; None: once."""
        if self.how == "poisson":
            return poisson_weights(self.seed, tree, np.arange(self.n))
        if not self.how:
            return None
        return np.bincount(self.rows(tree), minlength=self.n).astype(np.float64)

    def rows(self, tree: int) -> Array:
        """The numbers of the rows of a tree, as often as they are drawn, in the order of the draws where it has one."""
        if self.how == "poisson":
            times = poisson_weights(self.seed, tree, np.arange(self.n)).astype(np.int64)
            return np.repeat(np.arange(self.n, dtype=np.int32), times)
        if not self.how:
            return np.arange(self.n, dtype=np.int32)
        return np.random.RandomState(self.seeds[tree]).randint(0, self.n, self.size, dtype=np.int32)


def grow_forest(
    cells: BinnedCells,
    target: Any,
    growth: Growth,
    draws: RowDraws,
    threads: int | None,
    first: int = 0,
    weigh: Callable[[Array], Array] | None = None,
) -> list[TreeNodes]:
    """One tree after the other, from number `first` on; each is that of a tree with its seed and its rows.

    `weigh` gives weights of rows that depend on how often they were drawn.
    """

    def one(t: int, go_on: Callable[[], bool]) -> TreeNodes | None:
        if not go_on():
            return None
        counts = draws.counts(t)
        mine = target if counts is None else replace(target, w=target.w * counts)
        if counts is not None and weigh is not None:
            mine = replace(mine, w=mine.w * weigh(counts))
        return grow_binned(cells, mine, replace(growth, seed=seed_of(draws.seeds[t])), trees=len(draws.seeds))

    many = processors() if threads is None else threads
    return [tree for tree in in_threads(one, range(first, len(draws.seeds)), many) if tree is not None]
