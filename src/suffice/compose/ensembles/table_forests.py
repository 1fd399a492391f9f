"""Trees of forests over tables of every kind: rows are drawn by a hash, from memory or in passes over a source."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from suffice.core.block import Array, Block
from suffice.core.learner import Source
from suffice.core.schema import Schema
from suffice.numerics.threads import in_threads, processors
from suffice.sources.engines.memory import MemorySource
from suffice.trees.growth.bins import BinnedCells
from suffice.trees.growth.drawing import mixed, poisson_weights
from suffice.trees.growth.growing import Growth
from suffice.trees.growth.growing_in_passes import LevelGrowing, PassTable, grow_in_passes
from suffice.trees.growth.growth_options import columns_of
from suffice.trees.growth.numeric_trees import grow_binned
from suffice.trees.growth.splits import SplitLimits
from suffice.trees.growth.table_trees import look, refuse_infinite
from suffice.trees.nodes import TreeNodes

TargetOf = Callable[[PassTable, Block | None], Any]  # what adds of a block; None: the rows are elsewhere


@dataclass(frozen=True)
class ForestWish:
    """What the parameters of a forest ask for."""

    owner: str
    trees: int
    seed: int
    bootstrap: bool
    columns: Any
    depth: int | None
    limits: SplitLimits
    bins: int | None
    threads: int

    @classmethod
    def of(cls, options: Any) -> ForestWish:
        """From the parameters of an estimator."""
        return cls(
            options._owner,
            int(options.n_trees),
            int(options.seed),
            bool(options.bootstrap),
            options.columns,
            None if options.max_depth is None else int(options.max_depth),
            SplitLimits(rows=int(options.min_rows), missing=options.missing, symbols=options.symbols),
            options.bins,
            processors() if options.threads is None else int(options.threads),
        )

    def growth(self, tree: int, d: int) -> Growth:
        """The limits of one tree; its draws of columns follow from the seed and its number."""
        columns = None if self.columns is None else columns_of(self.columns, d)
        return Growth(depth=self.depth, limits=self.limits, columns=columns, seed=mixed(self.seed) ^ tree)


@dataclass(frozen=True)
class GrownTables:
    """The trees of a forest, and what was found on the way."""

    nodes: TreeNodes
    table: PassTable
    schema: Schema
    passes: int


def grow_tables(plan: Any, source: Source, wish: ForestWish, target: TargetOf) -> GrownTables:
    """All trees of a source: one after the other in memory, together in passes, one a level."""
    source, table, _ = look(plan, source, wish.bins)
    if isinstance(source, MemorySource):
        trees, passes = _in_memory(source.block(slice(0, source.table.n)), table, wish, target), 1
    else:
        empty, d = target(table, None), table.coding.d
        draws = [(wish.seed, tree) if wish.bootstrap else None for tree in range(wish.trees)]
        growings = [LevelGrowing(table.bins, empty, wish.growth(tree, d), draw) for tree, draw in enumerate(draws)]
        trees, passes = grow_in_passes(source, table, growings)
    return GrownTables(TreeNodes.together(trees), table, source.schema, passes + 1)


def _in_memory(block: Block, table: PassTable, wish: ForestWish, target: TargetOf) -> list[TreeNodes]:
    X = table.coding.rows(block.parts)
    refuse_infinite(wish.owner, X)
    whole, cells = target(table, block), BinnedCells.by(table.bins, X)
    w: Array = whole.w

    def one(tree: int, go_on: Callable[[], bool]) -> TreeNodes | None:
        if not go_on():
            return None
        drawn = w * poisson_weights(wish.seed, tree, block.numbers) if wish.bootstrap else w
        mine = replace(whole, w=drawn if drawn.any() else w)  # a tree for which no row was drawn takes all
        return grow_binned(cells, mine, wish.growth(tree, X.shape[1]), wish.trees)

    return [tree for tree in in_threads(one, range(wish.trees), wish.threads) if tree is not None]
