"""The nodes of trees as flat arrays: where rows go, and what every node has seen of them. No scikit-learn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.registry import saved
from suffice.numerics.loop import loop, pays


@saved
@dataclass(frozen=True)
class TreeNodes:
    """One tree or several, node by node in the order in which they are met, parents first.

    A row goes to child 0 where its cell is at most the threshold, else to child 1; a symbol goes where `branches` says.
    A missing cell goes to child `missing`, or, where that is -1, to all children by their shares of the weight.
    """

    roots: Array  # (T,) int32
    column: Array  # (M,) int32, -1 for a leaf
    threshold: Array  # (M,) NaN where symbols decide
    first: Array  # (M,) int32, where its children begin in `children`
    width: Array  # (M,) int32, number of children
    children: Array  # (C,) int32
    missing: Array  # (M,) int32, which child takes missing cells, -1: all by share
    branch_at: Array  # (M,) int32, where its symbols begin in `branches`, -1 for thresholds
    branches: Array  # (S,) int32, which child each symbol goes to, -1 for symbols that the node never met
    rows: Array  # (M,) int64
    weight: Array  # (M,)
    value: Array  # (M, V) class weights, or numbers
    impurity: Array  # (M,)
    met: Array  # (M,) bool, whether training met missing cells here

    @property
    def count(self) -> int:
        """Number of nodes."""
        return len(self.column)

    @cached_property
    def parent(self) -> Array:
        """The parent of each node (M,), -1 for roots."""
        out = np.full(self.count, -1, dtype=np.int32)
        for node in np.flatnonzero(self.width):
            out[self.kids(node)] = node
        return out

    @cached_property
    def depth(self) -> Array:
        """The depth of each node (M,), 0 for roots."""
        out = np.zeros(self.count, dtype=np.int64)
        for node in range(self.count):
            if self.parent[node] >= 0:
                out[node] = out[self.parent[node]] + 1
        return out

    @property
    def leaves(self) -> Array:
        """The numbers of the leaves."""
        return np.flatnonzero(self.width == 0)

    @property
    def shares(self) -> bool:
        """Whether some node sends rows to several children."""
        return bool(((self.missing < 0) & (self.width > 0)).any())

    def kids(self, node: Any) -> Array:
        """The children of a node."""
        return self.children[self.first[node] : self.first[node] + self.width[node]]

    def step(self, node: int, cells: Array) -> Array:
        """Which child (n,) rows with these cells of the node's column go to; -1 for all by share."""
        gone = np.isnan(cells)
        start = self.branch_at[node]
        if start < 0:
            went = (cells > self.threshold[node]).astype(np.int64)
        else:
            went = self.branches[start + np.where(gone, 0, cells).astype(np.int64)].astype(np.int64)
            gone = gone | (went < 0)
        return np.asarray(np.where(gone, self.missing[node], went))

    def leaf_of(self, X: Array, tree: int = 0) -> Array:
        """The leaf (n,) of each row; where rows go several ways, the heaviest."""
        at = np.full(len(X), self.roots[tree], dtype=np.int64)
        if pays(X.size) and self._plain:
            _walk(X, at, self.column, self.threshold, self.first, self.children, self.missing)
            return at
        live = np.flatnonzero(self.width[at])
        while len(live):
            nodes = at[live]
            child = self._steps(nodes, X[live, self.column[nodes]])
            at[live] = self.children[self.first[nodes] + child]
            live = live[self.width[at[live]] > 0]
        return at

    def _steps(self, nodes: Array, cells: Array) -> Array:
        gone = np.isnan(cells)
        child = (cells > self.threshold[nodes]).astype(np.int64)
        symbols = self.branch_at[nodes] >= 0
        if symbols.any():
            where = self.branch_at[nodes[symbols]] + np.where(gone[symbols], 0, cells[symbols]).astype(np.int64)
            child[symbols] = self.branches[where]
            gone = gone | (child < 0)
        if gone.any():
            missing = self.missing[nodes]
            child = np.where(gone, np.where(missing < 0, self._heaviest[nodes], missing), child)
        return child

    @cached_property
    def _plain(self) -> bool:
        """Whether thresholds decide everywhere, and rows go one way."""
        return bool((self.branch_at < 0).all()) and not self.shares

    @cached_property
    def packed(self) -> tuple[Array, Array, Array]:
        """Columns and thresholds (M,), and the next node (4M,) of a cell below, above, and twice for a missing one.

        For loops over trees of thresholds; leaves lead to themselves.
        """
        inner, leaf = np.flatnonzero(self.width), self.width == 0
        ways = np.repeat(np.arange(self.count, dtype=np.uint32)[:, None], 4, axis=1)
        for k, child in enumerate((0, 1, self.missing[inner], self.missing[inner])):
            ways[inner, k] = self.children[self.first[inner] + child]
        column = np.where(leaf, 0, self.column).astype(np.uint32)
        return column, np.where(leaf, np.inf, self.threshold), ways.ravel()

    @cached_property
    def _heaviest(self) -> Array:
        """Which child of each node is the heaviest (M,)."""
        out = np.zeros(self.count, dtype=np.int64)
        for node in np.flatnonzero(self.width):
            out[node] = int(np.argmax(self.weight[self.kids(node)]))
        return out

    def mean_value(self, X: Array, value: Array, tree: int = 0) -> Array:
        """What the leaves that a row reaches say (n, V), by the shares in which it reaches them."""
        if not self.shares:
            return np.asarray(value[self.leaf_of(X, tree)])
        out = np.zeros((len(X), value.shape[1]))
        for node, rows, share in self._reached(X, tree):
            out[rows] += share[:, None] * value[node]
        return out

    def _reached(self, X: Array, tree: int) -> Iterator[tuple[int, Array, Array]]:
        """Leaves, the rows that reach them, and in which shares."""
        stack = [(int(self.roots[tree]), np.arange(len(X)), np.ones(len(X)))]
        while stack:
            node, rows, share = stack.pop()
            if not self.width[node]:
                yield node, rows, share
                continue
            went, kids = self.step(node, X[rows, self.column[node]]), self.kids(node)
            part = self.weight[kids] / self.weight[kids].sum()
            for k, kid in enumerate(kids.tolist()):
                mine = (went == k) | (went < 0)
                if mine.any():
                    stack.append((kid, rows[mine], share[mine] * np.where(went[mine] < 0, part[k], 1.0)))

    def path(self, row: Array, tree: int = 0) -> list[int]:
        """The nodes that a row (d,) passes, from root to leaf; where it goes several ways, the heaviest."""
        node = int(self.leaf_of(row[None, :], tree)[0])
        found = [node]
        while self.parent[found[-1]] >= 0:
            found.append(int(self.parent[found[-1]]))
        return found[::-1]

    def cut(self, ends: Array) -> TreeNodes:
        """The same trees where some nodes (M,) True have become leaves; what hung below them is gone."""
        kept = np.ones(self.count, dtype=bool)
        for node in range(self.count):
            up = self.parent[node]
            kept[node] = up < 0 or (kept[up] and not ends[up])
        place = (np.cumsum(kept) - 1).astype(np.int32)
        width = np.where(ends, 0, self.width)[kept].astype(np.int32)
        kids = [place[self.kids(node)] for node in np.flatnonzero(kept) if not ends[node] and self.width[node]]
        first = np.concatenate([[0], np.cumsum(width)[:-1]]).astype(np.int32) if len(width) else width
        leaf = width == 0
        return replace(
            self,
            roots=place[self.roots],
            column=np.where(leaf, -1, self.column[kept]).astype(np.int32),
            threshold=np.where(leaf, np.nan, self.threshold[kept]),
            first=first,
            width=width,
            children=np.concatenate(kids).astype(np.int32) if kids else np.zeros(0, np.int32),
            missing=np.where(leaf, 0, self.missing[kept]).astype(np.int32),
            branch_at=np.where(leaf, -1, self.branch_at[kept]).astype(np.int32),
            rows=self.rows[kept],
            weight=self.weight[kept],
            value=self.value[kept],
            impurity=self.impurity[kept],
            met=np.where(leaf, False, self.met[kept]),
        )

    def importances(self, d: int) -> Array:
        """How much the splits on each column (d,) lower the impurity, of each tree in shares, averaged over trees."""
        total = np.zeros(d)
        inner = np.flatnonzero(self.width)
        loss = self.weight * self.impurity
        gain = np.array([loss[node] - loss[self.kids(node)].sum() for node in inner])
        tree = np.searchsorted(self.roots, inner, side="right") - 1
        for t in range(len(self.roots)):
            mine = tree == t
            by_column = np.bincount(self.column[inner[mine]], gain[mine], d) if mine.any() else np.zeros(d)
            by_column = np.maximum(by_column, 0.0)
            if by_column.sum() > 0:
                total += by_column / by_column.sum()
        return np.asarray(total / total.sum()) if total.sum() > 0 else total

    def tree(self, t: int) -> TreeNodes:
        """One of several trees, alone."""
        if len(self.roots) == 1:
            return self
        start = int(self.roots[t])
        stop = int(self.roots[t + 1]) if t + 1 < len(self.roots) else self.count
        here = slice(start, stop)
        edges = slice(int(self.first[start]), int(self.first[start] + self.width[here].sum()))
        return replace(
            self,
            roots=np.zeros(1, dtype=np.int32),
            first=self.first[here] - np.int32(edges.start),
            children=self.children[edges] - np.int32(start),
            **{name: getattr(self, name)[here] for name in BY_NODE},
        )

    @classmethod
    def together(cls, trees: list[TreeNodes]) -> TreeNodes:
        """Several trees as one value."""
        if len(trees) == 1:
            return trees[0]
        nodes = np.cumsum([0, *(t.count for t in trees)])
        edges = np.cumsum([0, *(len(t.children) for t in trees)])
        codes = np.cumsum([0, *(len(t.branches) for t in trees)])
        given: dict[str, Any] = {
            name: np.concatenate([getattr(t, name) for t in trees]) for name in BY_NODE if name != "branch_at"
        }
        moved = [np.where(t.branch_at < 0, -1, t.branch_at + c) for t, c in zip(trees, codes, strict=False)]
        return cls(
            roots=np.concatenate([t.roots + s for t, s in zip(trees, nodes, strict=False)]).astype(np.int32),
            first=np.concatenate([t.first + s for t, s in zip(trees, edges, strict=False)]).astype(np.int32),
            children=np.concatenate([t.children + s for t, s in zip(trees, nodes, strict=False)]).astype(np.int32),
            branch_at=np.concatenate(moved).astype(np.int32),
            branches=np.concatenate([t.branches for t in trees]),
            **given,
        )


BY_NODE = ("column", "threshold", "width", "missing", "branch_at", "rows", "weight", "value", "impurity", "met")


@loop
def _walk(X: Any, at: Any, column: Any, threshold: Any, first: Any, children: Any, missing: Any) -> Any:
    for i in range(X.shape[0]):
        node = at[i]
        while column[node] >= 0:
            cell = X[i, column[node]]
            if np.isnan(cell):
                child = missing[node]
            elif cell > threshold[node]:
                child = 1
            else:
                child = 0
            node = children[first[node] + child]
        at[i] = node
