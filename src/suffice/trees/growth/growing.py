"""Trees grown from rows in memory: depth first, or best first where the number of leaves is limited."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from heapq import heappop, heappush
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.trees.growth.bins import BinnedCells, ColumnBins
from suffice.trees.growth.drawing import child_key, drawn_columns, mixed
from suffice.trees.growth.monotone import Fence, clipped
from suffice.trees.growth.row_splits import search_rows
from suffice.trees.growth.splits import NEAR, NONE_MET, Split, SplitLimits, search
from suffice.trees.nodes import TreeNodes

EPSILON = float(np.finfo(np.float64).eps)


@dataclass(frozen=True)
class Growth:
    """When to stop, and which columns a node may look at."""

    depth: int | None = None
    split_rows: int = 2  # a node with fewer is a leaf
    limits: SplitLimits = field(default_factory=SplitLimits)
    gain: float = 0.0  # least fall of the impurity, as a share of all weight
    leaves: int | None = None  # most leaves
    columns: int | None = None  # how many are drawn at each node; None: all
    once: bool = False  # whether columns are drawn once a tree
    at_random: bool = False  # whether thresholds are drawn, not searched
    seed: int = 0
    monotone: tuple[int, ...] | None = None  # by column: 1 where answers may only rise with it, -1 only fall

    def drawn(self, key: int, d: int) -> list[int]:
        """The columns in the order in which a node looks at them."""
        return list(range(d)) if self.columns is None else drawn_columns(key, d)


@dataclass
class Node:
    """A node while its tree grows."""

    sums: Array
    n: int
    depth: int
    key: int
    parent: int = -1
    split: Split | None = None
    kids: list[int] = field(default_factory=list)
    loss: float = 0.0
    value: Array | None = None
    rows: Array | None = None
    share: Array | None = None
    fence: Fence = field(default_factory=Fence)


def grow(coded: BinnedCells, target: Any, growth: Growth) -> TreeNodes:
    """The tree of these rows."""
    return Growing(coded, target, growth).run()


class Growing:
    """Nodes that grow from the rows they hold."""

    def __init__(self, coded: BinnedCells, target: Any, growth: Growth) -> None:
        """Begin with all rows that weigh something."""
        self.coded, self.target, self.growth = coded, target, growth
        self.nodes: list[Node] = []
        self.add(np.flatnonzero(target.w > 0), None, 0, mixed(growth.seed), -1)
        self.all_weight = float(target.weight(self.nodes[0].sums))

    def run(self) -> TreeNodes:
        """Split until nothing is left to split."""
        if self.growth.leaves is None:
            stack = [0]
            while stack:
                node = stack.pop()
                self.nodes[node].split = self.best(node)
                stack += self.divide(node)[::-1]
        else:
            self._best_first(self.growth.leaves)
        return finish(self.nodes, self.target, [b.B for b in self.coded.bins])

    def _best_first(self, leaves: int) -> None:
        waiting: list[tuple[float, int, Split]] = []

        def wait(node: int) -> None:
            split = self.best(node)
            if split is not None:
                heappush(waiting, (-split.gain, node, split))

        wait(0)
        while waiting:
            _, node, split = heappop(waiting)
            if leaves - 1 < len(split.children) - 1 + self._leaves() - 1:
                continue
            self.nodes[node].split = split
            for kid in self.divide(node):
                wait(kid)

    def _leaves(self) -> int:
        return sum(not node.kids for node in self.nodes)

    def add(self, rows: Array, share: Array | None, depth: int, key: int, parent: int) -> int:
        """A node with these rows."""
        sums = self.target.total(rows, share)
        node = Node(sums, len(rows), depth, key, parent, rows=rows, share=share)
        if self.target.adds:
            node.loss, node.value = float(self.target.loss(sums)), self.target.value(sums)
        else:
            node.loss, node.value = self.target.loss_of(rows), self.target.median(rows)
        self.nodes.append(node)
        return len(self.nodes) - 1

    def stops(self, node: Node) -> bool:
        """Whether a node is a leaf whatever its columns say."""
        g = self.growth
        weight = float(self.target.weight(node.sums))
        return (
            (g.depth is not None and node.depth >= g.depth)
            or node.n < max(g.split_rows, 2 * g.limits.rows)
            or (g.limits.weight > 0 and weight < 2 * g.limits.weight)
            or node.loss <= EPSILON * weight
        )

    def best(self, number: int) -> Split | None:
        """The best split of a node, if it gains enough."""
        node, g = self.nodes[number], self.growth
        if self.stops(node):
            return None
        best: Split | None = None
        varied = g.once  # columns drawn at a node: on beyond their number only until one varies here
        d = len(self.coded.bins)
        for met, column in enumerate(g.drawn(mixed(g.seed) if g.once else node.key, d)):
            if g.columns is not None and met >= g.columns and varied:
                break
            found, constant = self._on(node, column)
            varied = varied or not constant
            if found is not None and (best is None or found.score > best.score + NEAR * node.loss):
                best = found  # of equals the first looked at: the lowest column, unless columns are drawn
        enough = best is not None and best.gain >= g.gain * self.all_weight - NEAR * node.loss
        return best if enough else None

    def fence(self, node: Node, column: int) -> Fence | None:
        """What the answers of children of a node must keep to; None where nothing is asked for."""
        signs = self.growth.monotone
        return None if signs is None else replace(node.fence, sign=signs[column])

    def fence_kids(self, node: Node) -> None:
        """Bounds of the children of a node that was divided, and their answers within them."""
        if self.growth.monotone is None or node.split is None:
            return
        fence = self.fence(node, node.split.column)
        assert fence is not None
        kids = [self.nodes[kid] for kid in node.kids]
        if np.isnan(node.split.threshold) or len(kids) != 2:  # symbols have no order to keep
            sides: tuple[Fence, ...] = tuple(replace(fence, sign=0) for _ in kids)
        else:
            sides = fence.sides(self._answer(kids[0]), self._answer(kids[1]))
        for kid, side in zip(kids, sides, strict=True):
            kid.fence, kid.value = side, clipped(np.asarray(kid.value), side, hasattr(self.target, "K"))

    def _answer(self, node: Node) -> float:
        """What is to rise or fall: the share of the second class, or the number."""
        if self.target.adds:
            return float(self.target.order(np.asarray(node.sums)[None])[0])
        return float(self.target.median(node.rows)[0])

    def _on(self, node: Node, column: int) -> tuple[Split | None, bool]:
        """The best split on a column, and whether all its cells are alike."""
        assert node.rows is not None
        bins = self.coded.bins[column]
        codes = self.coded.codes[node.rows, column]
        known = codes >= 0
        every = bool(known.all())
        rows, codes = (node.rows, codes) if every else (node.rows[known], codes[known])
        share = node.share if node.share is None or every else node.share[known]
        if not len(codes):
            return None, True
        if 4 * len(codes) + 16 < bins.B:
            places, at = np.unique(codes, return_inverse=True)
        else:
            low = int(codes.min())
            seen = np.bincount(codes - low)
            places = np.flatnonzero(seen) + low
            at = (np.cumsum(seen > 0) - 1)[codes - low]
        lost = int(len(node.rows) - len(rows))
        if len(places) < 2 and not lost:
            return None, True
        if self.growth.at_random and not bins.symbols:
            return self._at_random(node, column, rows, codes, places, node.rows[~known]), False
        if not self.target.adds:
            keeps = partial(self._kept, node, column)
            gone, limits = node.rows[~known], self.growth.limits
            return search_rows(self.target, bins, column, (rows, codes), gone, limits, node.loss, keeps), False
        sums = self.target.cells(at, rows, len(places), share)
        counts = np.bincount(at, minlength=len(places))
        gone = node.rows[~known] if lost else rows[:0]
        gone_share = None if node.share is None or not lost else node.share[~known]
        missing = (lost, self.target.total(gone, gone_share))
        fence = self.fence(node, column)
        return search(self.target, bins, column, (places, counts, sums), missing, self.growth.limits, fence), False

    def _at_random(
        self, node: Node, column: int, rows: Array, codes: Array, places: Array, gone: Array
    ) -> Split | None:
        """A threshold drawn between the least and the largest value; missing cells go to a side that is drawn."""
        bins, limits = self.coded.bins[column], self.growth.limits
        drawn = mixed(node.key ^ (column + 77))
        if len(places) < 2:  # all that is known left, what is missing right
            cut, threshold, left, side = 1, np.inf, np.ones(len(rows), dtype=bool), 1
        else:
            cut, threshold = _drawn_cut(bins, places, drawn / 2.0**64)
            left, side = codes < places[cut], drawn & 1 if len(gone) else NONE_MET
        parts = [rows[left], rows[~left]]
        if len(gone):
            parts[side] = np.concatenate([parts[side], gone])
        sides = [self.target.total(part) for part in parts]
        if min(map(len, parts)) < limits.rows or min(map(self.target.weight, sides)) < limits.weight:
            return None
        if not self._kept(node, column, *parts):
            return None
        gain = node.loss - sum(self._loss(sums, part) for sums, part in zip(sides, parts, strict=True))
        return Split(gain, gain, column, (places[:cut], places[cut:]), side, threshold)

    def _kept(self, node: Node, column: int, left: Array, right: Array) -> bool:
        """Whether the answers to rows on either side keep to what is asked for."""
        fence = self.fence(node, column)
        if fence is None:
            return True
        if self.target.adds:
            answers = self.target.order(np.stack([self.target.total(left), self.target.total(right)]))
        else:
            answers = np.array([self.target.median(left)[0], self.target.median(right)[0]])
        return bool(fence.keeps(answers[:1], answers[1:])[0])

    def _loss(self, sums: Array, rows: Array) -> float:
        return float(self.target.loss(sums)) if self.target.adds else float(self.target.loss_of(rows))

    def divide(self, number: int) -> list[int]:
        """The children of a node that has a split."""
        node = self.nodes[number]
        split = node.split
        if split is None:
            node.rows = node.share = None
            return []
        assert node.rows is not None
        child_of = np.full(self.coded.bins[split.column].B + 1, split.missing)  # the last is that of missing cells
        for k, places in enumerate(split.children):
            child_of[places] = k
        went = child_of[self.coded.codes[node.rows, split.column]]
        both = went == -1
        known = np.bincount(went[~both], self._here(node)[~both], len(split.children))
        parts = known / max(known.sum(), 1e-300)
        for k in range(len(split.children)):
            mine = (went == k) | both
            share = None if node.share is None and not both.any() else np.ones(int(mine.sum()))
            if share is not None:
                share = (1.0 if node.share is None else node.share[mine]) * np.where(both[mine], parts[k], 1.0)
            key = child_key(node.key, k)
            node.kids.append(self.add(node.rows[mine], share, node.depth + 1, key, number))
        self.fence_kids(node)
        node.rows = node.share = None
        return list(node.kids)

    def _here(self, node: Node) -> Array:
        """How much of each row of a node is here."""
        assert node.rows is not None
        w = self.target.w[node.rows]
        return np.asarray(w if node.share is None else w * node.share)


def _drawn_cut(bins: ColumnBins, places: Array, drawn: float) -> tuple[int, float]:
    """How many of some bins are left of a threshold drawn (0 to 1) between their ends, and the threshold."""
    low, high = float(bins.low[places[0]]), float(bins.high[places[-1]])
    threshold = low + (high - low) * drawn
    cut = int(np.searchsorted(bins.high[places], threshold, side="right"))
    cut = min(max(cut, 1), len(places) - 1)
    below = float(np.nextafter(bins.low[places[cut]], -np.inf))
    return cut, max(min(threshold, below), float(bins.high[places[cut - 1]]))


def finish(nodes: list[Node], target: Any, sizes: list[int]) -> TreeNodes:
    """Nodes as arrays, parents before children, first children first."""
    order, stack = [], [0]
    while stack:
        node = stack.pop()
        order.append(node)
        stack += nodes[node].kids[::-1]
    place = {old: new for new, old in enumerate(order)}
    M = len(order)
    column, missing, branch_at = np.full(M, -1, np.int32), np.zeros(M, np.int32), np.full(M, -1, np.int32)
    threshold, children, branches = np.full(M, np.nan), [], []
    width, used = np.zeros(M, np.int32), 0
    for new, old in enumerate(order):
        split, kids = nodes[old].split, nodes[old].kids
        if split is None or not kids:
            continue
        column[new], threshold[new], width[new] = split.column, split.threshold, len(kids)
        missing[new] = split.missing
        children += [place[kid] for kid in kids]
        if np.isnan(split.threshold):
            codes = np.full(sizes[split.column], -1, np.int32)
            for k, places in enumerate(split.children):
                codes[places] = k
            branch_at[new], used = used, used + len(codes)
            branches.append(codes)
    weight = np.array([float(target.weight(nodes[old].sums)) for old in order])
    losses = np.array([nodes[old].loss for old in order])
    first = np.concatenate([[0], np.cumsum(width)[:-1]]).astype(np.int32)
    kids_of = np.array(children, dtype=np.int32)
    met = (width > 0) & (missing != NONE_MET)
    for new in np.flatnonzero(missing == NONE_MET).tolist():  # none was met here: one goes to the heaviest child
        shares = weight[kids_of[first[new] : first[new] + width[new]]]
        symbols = np.isnan(threshold[new])  # else of two equals the right one, as in scikit-learn
        missing[new] = int(np.argmax(shares)) if symbols else int(shares[1] >= shares[0])
    return TreeNodes(
        roots=np.zeros(1, np.int32),
        column=column,
        threshold=threshold,
        first=first,
        width=width,
        children=kids_of,
        missing=missing,
        branch_at=branch_at,
        branches=np.concatenate(branches).astype(np.int32) if branches else np.zeros(0, np.int32),
        rows=np.array([nodes[old].n for old in order], dtype=np.int64),
        weight=weight,
        value=np.array([nodes[old].value for old in order]),
        impurity=losses / np.maximum(weight, 1e-300),
        met=met,
    )
