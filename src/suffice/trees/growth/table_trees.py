"""Trees of tables of every kind: exact from memory, or in passes over a source. The nodes are the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.core.learner import Always, Source, learn, settle
from suffice.core.schema import Schema
from suffice.estimators.state.fitted import Found
from suffice.sources.engines.memory import MemorySource
from suffice.trees.growth.bins import BinnedCells
from suffice.trees.growth.growing import Growth
from suffice.trees.growth.growing_in_passes import LevelGrowing, PassTable, grow_in_passes
from suffice.trees.growth.level_pass import LookPass, bins_of, class_codes, coding_of, weights_of
from suffice.trees.growth.numeric_trees import grow_binned
from suffice.trees.growth.splits import SplitLimits
from suffice.trees.growth.targets import ClassSums, NumberSums
from suffice.trees.impurities import ClassImpurity, Gini
from suffice.trees.nodes import TreeNodes
from suffice.trees.pruning import prune_cost_complexity
from suffice.trees.tree_models import ClassTree, NumberTree

DRAWN = 20_000  # rows that bins are made of, where there are more
BINS = 256  # of a column, from files


@dataclass(frozen=True)
class TreeWish:
    """What the parameters of a tree ask for."""

    growth: Growth
    measure: ClassImpurity
    bins: int | None
    alpha: float

    @classmethod
    def of(cls, options: Any, measure: ClassImpurity | None, gain_ratio: bool) -> TreeWish:
        """From the parameters of an estimator."""
        limits = SplitLimits(
            rows=int(options.min_rows), gain_ratio=gain_ratio, missing=options.missing, symbols=options.symbols
        )
        growth = Growth(
            depth=None if options.max_depth is None else int(options.max_depth),
            limits=limits,
            gain=float(options.min_gain),
            leaves=None if options.max_leaves is None else int(options.max_leaves),
        )
        return cls(growth, measure or Gini(), options.bins, float(options.alpha))


def look(plan: Any, source: Source, bins: int | None) -> tuple[Source, PassTable, int]:
    """The source with its schema settled, and what its columns and its target are."""
    plan.check(source.schema) if getattr(source, "settled", False) else None
    source = settle(source)
    schema: Schema = source.schema
    plan.check(schema)
    memory = isinstance(source, MemorySource)
    limit = source.table.n if memory and bins is None else DRAWN  # type: ignore[attr-defined]
    seen: Any = learn(Always(LookPass(schema, 0, max(limit, 1))), source).summary
    target, *parts = seen.parts
    for part in parts:
        refuse_infinite(plan.owner, getattr(part, "rows", np.zeros(0)))
    coding = coding_of(schema, parts)
    most = bins if memory else bins or BINS
    made = bins_of(coding, parts, most)
    if hasattr(target, "labels"):
        if not target.labels:
            raise bad(plan.owner, "y", "labels of rows that weigh something", Said("none"), "Give it rows.")
        return source, PassTable(coding, made, target.labels, None), 0
    sums = np.array([float(part.weight.value[0]) for part in target.parts])
    if not sums[0] > 0:
        raise bad(plan.owner, "y", "numbers of rows that weigh something", Said("none"), "Give it rows.")
    return source, PassTable(coding, made, None, sums[1:] / sums[0]), 0


def refuse_infinite(owner: str, cells: Array) -> None:
    """Refuse a number that is infinite."""
    if np.isinf(cells).any():
        raise bad(
            owner, "X", "finite where it is not missing (Input X contains infinity)", Said("infinity"), "Correct it."
        )


def find_class_tree(
    plan: Any, source: Source, wish: TreeWish, smoothing: Callable[[Any], Array]
) -> tuple[Schema, Found]:
    """The classification tree of a source."""
    source, table, _ = look(plan, source, wish.bins)
    classes: Any = table.classes
    pseudo = smoothing(classes)

    def target(codes: Array, w: Array) -> ClassSums:
        return ClassSums(codes, len(classes), w, wish.measure)

    if isinstance(source, MemorySource):
        block = source.block(slice(0, source.table.n))
        mine = target(class_codes(block, classes), weights_of(block))
        nodes, passes = _in_memory(plan, block, table, mine, wish), 1
    else:
        nodes, passes = _in_passes(plan, source, table, target(np.zeros(0, np.int64), np.zeros(0)), wish)
    return source.schema, Found(ClassTree(_pruned(nodes, wish), classes, pseudo, table.coding), passes)


def find_number_tree(plan: Any, source: Source, wish: TreeWish) -> tuple[Schema, Found]:
    """The regression tree of a source."""
    source, table, _ = look(plan, source, wish.bins)
    if isinstance(source, MemorySource):
        block = source.block(slice(0, source.table.n))
        target = NumberSums(np.asarray(block.y), weights_of(block), known=table.centre)
        nodes, passes = _in_memory(plan, block, table, target, wish), 1
    else:
        empty = np.zeros((0, len(table.centre)))  # type: ignore[arg-type]
        nodes, passes = _in_passes(plan, source, table, NumberSums(empty, np.zeros(0), known=table.centre), wish)
    return source.schema, Found(NumberTree(_pruned(nodes, wish), table.coding), passes)


def _in_memory(plan: Any, block: Any, table: PassTable, target: Any, wish: TreeWish) -> TreeNodes:
    X = table.coding.rows(block.parts)
    refuse_infinite(plan.owner, X)
    return grow_binned(BinnedCells.by(table.bins, X), target, wish.growth)


def _in_passes(plan: Any, source: Source, table: PassTable, target: Any, wish: TreeWish) -> tuple[TreeNodes, int]:
    if wish.growth.leaves is not None:
        rule = "None where the rows come from files, as the best leaf to split is not known level by level"
        raise bad(plan.owner, "max_leaves", rule, wish.growth.leaves, "Use max_depth or alpha.")
    growing = LevelGrowing(table.bins, target, wish.growth)
    trees, passes = grow_in_passes(source, table, [growing])
    return trees[0], passes + 1


def _pruned(nodes: TreeNodes, wish: TreeWish) -> TreeNodes:
    return prune_cost_complexity(nodes, wish.alpha) if wish.alpha > 0 else nodes
