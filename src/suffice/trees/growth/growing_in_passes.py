"""Trees grown level by level, one pass over the source a level; more where the sums of a level would not fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.learner import Always, Source, learn
from suffice.core.summary import Together
from suffice.trees.growth.bins import BinnedCells, ColumnBins
from suffice.trees.growth.drawing import child_key, mixed
from suffice.trees.growth.growing import Growing, Growth, Node, finish
from suffice.trees.growth.level_pass import LevelJob, LevelPass
from suffice.trees.growth.splits import Split, search
from suffice.trees.nodes import TreeNodes
from suffice.trees.tree_models import CellCoding

BUDGET = 256 << 20  # bytes of sums that a pass may keep
BYTES = 24  # of a cell: rows, and a weight in double-double


@dataclass(frozen=True)
class PassTable:
    """What a look at the source has shown."""

    coding: CellCoding
    bins: tuple[ColumnBins, ...]
    classes: tuple[Any, ...] | None
    centre: Array | None


class LevelGrowing(Growing):
    """Nodes that grow from the sums of a pass."""

    def __init__(self, bins: tuple[ColumnBins, ...], target: Any, growth: Growth, draw: Any = None) -> None:
        """Begin with the root, of which nothing is known yet."""
        self.coded = BinnedCells(np.zeros((0, len(bins)), dtype=np.int32), bins)
        self.target, self.growth, self.draw = target, growth, draw
        self.nodes: list[Node] = [Node(np.zeros(0), 0, 0, mixed(growth.seed))]
        self.level = [0]
        self.sums: dict[int, tuple[Array, Array]] = {}
        self.offsets = np.cumsum([0, *(one.B + 1 for one in bins)])
        self.all_weight = 0.0

    def tree(self) -> tuple[TreeNodes, dict[int, int]]:
        """The tree so far, and where in it each node is."""
        order, stack = [], [0]
        while stack:
            node = stack.pop()
            order.append(node)
            stack += self.nodes[node].kids[::-1]
        if self.nodes[0].value is None:  # before the first pass
            self._describe(self.nodes[0], self._nothing())
        made = finish(self.nodes, self.target, [b.B for b in self.coded.bins])
        return made, {old: new for new, old in enumerate(order)}

    def _nothing(self) -> Array:
        return np.zeros(self.target.K if hasattr(self.target, "K") else 1 + 2 * len(self.target.known))

    def _describe(self, node: Node, sums: Array) -> None:
        node.sums, node.loss, node.value = sums, float(self.target.loss(sums)), self.target.value(sums)

    def job(self, batch: Sequence[int]) -> LevelJob:
        """What a pass has to sum for some nodes."""
        tree, place = self.tree()
        return LevelJob(tree, tuple(place[node] for node in batch), self.draw)

    def take(self, batch: Sequence[int], summed: Together) -> None:
        """Split these nodes, by the sums of a pass."""
        size, S = int(self.offsets[-1]), len(self._nothing())
        parts: Any = summed.parts
        by_class = hasattr(self.target, "K")
        weight = np.stack([part.weight.value for part in parts], axis=-1)
        rows = parts[0].rows
        if by_class:
            weight, rows = weight.reshape(-1, S), rows.reshape(-1, S).sum(axis=1)
        weight, rows = weight.reshape(len(batch), size, S), rows.reshape(len(batch), size)
        for at, number in enumerate(batch):
            node = self.nodes[number]
            self.sums = {number: (weight[at], rows[at])}
            if number == 0:
                first = slice(0, int(self.offsets[1]))
                self._describe(node, weight[at, first].sum(axis=0))
                node.n = int(rows[at, first].sum())
                self.all_weight = float(self.target.weight(node.sums))
                if self.draw is not None and not self.all_weight > 0:  # no row was drawn: all are, as in memory
                    self.draw, self.level = None, [0]
                    continue
            self.number = number
            node.split = self.best(number)
            self.level += self.divide(number)

    def _on(self, node: Node, column: int) -> tuple[Split | None, bool]:
        weight, rows = self.sums[self.number]
        mine = slice(int(self.offsets[column]), int(self.offsets[column + 1]))
        sums, counts = weight[mine], rows[mine]
        places = np.flatnonzero(counts[1:])
        lost = int(counts[0])
        if not len(places) or (len(places) < 2 and not lost):
            return None, True
        cells = (places, counts[1:][places], sums[1:][places])
        limits, fence = self.growth.limits, self.fence(node, column)
        return search(self.target, self.coded.bins[column], column, cells, (lost, sums[0]), limits, fence), False

    def divide(self, number: int) -> list[int]:
        """The children of a node that has a split; what they hold follows from the sums of their bins."""
        node = self.nodes[number]
        split = node.split
        if split is None:
            return []
        weight, rows = self.sums[number]
        start = int(self.offsets[split.column])
        known = [weight[start + 1 + places].sum(axis=0) for places in split.children]
        shares = np.array([float(self.target.weight(sums)) for sums in known])
        shares = shares / max(shares.sum(), 1e-300)
        for k, places in enumerate(split.children):
            n, sums = int(rows[start + 1 + places].sum()), known[k]
            if split.missing in (k, -1):
                n, sums = n + int(rows[start]), sums + weight[start] * (1.0 if split.missing == k else shares[k])
            kid = Node(sums, n, node.depth + 1, child_key(node.key, k), number)
            self._describe(kid, sums)
            self.nodes.append(kid)
            node.kids.append(len(self.nodes) - 1)
        self.fence_kids(node)
        return [kid for kid in node.kids if not self.stops(self.nodes[kid])]


def grow_in_passes(
    source: Source, table: PassTable, growings: Sequence[LevelGrowing], budget: int = BUDGET
) -> tuple[list[TreeNodes], int]:
    """The trees, grown together level by level, and the number of passes."""
    passes = 0
    S = sum(one.B + 1 for one in table.bins) * (1 if table.classes is None else len(table.classes))
    stats = 1 if table.classes is not None else 1 + 2 * len(table.centre if table.centre is not None else ())
    room = max(budget // max(S * stats * BYTES, 1), 1)
    while any(growing.level for growing in growings):
        waiting = [(t, node) for t, growing in enumerate(growings) for node in growing.level]
        for growing in growings:
            growing.level = []
        for start in range(0, len(waiting), room):
            some = waiting[start : start + room]
            mine = {t: [node for u, node in some if u == t] for t in sorted({t for t, _ in some})}
            jobs = tuple(growings[t].job(batch) for t, batch in mine.items())
            level = LevelPass(table.coding, table.bins, table.classes, table.centre, jobs)
            summed: Any = learn(Always(level), source).summary
            passes += 1
            for (t, batch), part in zip(mine.items(), summed.parts, strict=True):
                growings[t].take(batch, part)
    return [growing.tree()[0] for growing in growings], passes
