"""The tree of a hierarchy as a value: merges from the bottom up, cuts, levels, partitions, what a dendrogram shows."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappush, heappushpop
from numbers import Integral
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.core.registry import saved


@saved
@dataclass(frozen=True)
class MergeTree:
    """Merges in order: step i joins the nodes children[i] into node n + i, at heights[i]; leaves are 0 to n - 1.

    >>> tree = MergeTree(3, np.array([[0, 1], [2, 3]]), np.array([1.0, 2.0]))
    >>> tree.cut(2).tolist(), tree.monotone
    ([0, 0, 1], True)
    """

    n: int  # number of leaves
    children: Array  # (m, 2)
    heights: Array  # (m,)
    weight: Array | None = None  # (n,) of the leaves

    @property
    def clusters(self) -> int:
        """The fewest clusters that the merges come to: 1, but where they stopped early."""
        return self.n - len(self.children)

    @property
    def monotone(self) -> bool:
        """Whether no merge is below the merges it is made of."""
        return not len(self.inversions)

    @property
    def inversions(self) -> Array:
        """The merges that are below one of those they are made of."""
        level = np.concatenate([np.full(self.n, -np.inf), self.heights])
        below = self.heights < level[self.children].max(axis=1, initial=-np.inf) * (1 - 1e-15)
        return np.flatnonzero(below)

    @property
    def sizes(self) -> Array:
        """Weight of each merge (m,)."""
        weight = np.ones(self.n) if self.weight is None else self.weight
        found = np.concatenate([weight, np.zeros(len(self.children))])
        for i, (a, b) in enumerate(self.children.tolist()):
            found[self.n + i] = found[a] + found[b]
        return found[self.n :]

    def matrix(self) -> Array:
        """The merges as SciPy's linkage matrix (m, 4): two nodes, the height, the size."""
        return np.column_stack([np.sort(self.children, axis=1), self.heights, self.sizes]).astype(np.float64)

    def cut(self, clusters: int) -> Array:
        """Labels of so many clusters (n,): the last merges are undone, numbered as scikit-learn numbers them."""
        if not isinstance(clusters, Integral) or not self.clusters <= clusters <= self.n:
            rule = f"from {self.clusters} to {self.n}, the number of leaves"
            told = f"Cannot extract more clusters than samples: {clusters} clusters were given for a tree with {self.n}"
            raise bad("MergeTree", "clusters", f"{rule} ({told} leaves.)", clusters, "Ask for another number.")
        done = self.n - clusters
        if self.clusters > 1:
            return self._heads(done)
        heads = [-(self.n + len(self.children) - 1)]
        for _ in range(clusters - 1):
            left, right = self.children[-heads[0] - self.n].tolist()
            heappush(heads, -left)
            heappushpop(heads, -right)
        label = np.empty(self.n, dtype=np.int64)
        for k, head in enumerate(heads):
            label[self.leaves(-head)] = k
        return label

    def _heads(self, done: int) -> Array:
        """Labels after some merges, in the order of the nodes at the top."""
        top = np.arange(self.n + done)
        for i in range(done):
            top[self.children[i]] = self.n + i
        for node in range(self.n + done - 1, -1, -1):
            top[node] = top[top[node]]
        return np.unique(top[: self.n], return_inverse=True)[1].reshape(-1)

    def cut_height(self, height: float) -> Array:
        """Labels of the clusters that no merge at or above a height has joined (n,)."""
        if np.isnan(height):
            raise bad("MergeTree", "height", "a number", height, "Give one of the heights.")
        level = np.maximum.accumulate(self.heights) if len(self.heights) else self.heights
        return self.cut(self.n - int((level < height).sum()))

    def cut_gap(self) -> Array:
        """Labels at the widest gap between two levels in a row (n,)."""
        level = np.maximum.accumulate(self.heights)
        if len(level) < 2:
            return self.cut(max(self.clusters, 1))
        return self.cut(self.n - 1 - int(np.diff(level).argmax()))

    def leaves(self, node: int) -> list[int]:
        """The leaves below a node, from left to right."""
        found, waiting = [], [node]
        while waiting:
            node = waiting.pop()
            if node < self.n:
                found.append(node)
            else:
                waiting += self.children[node - self.n].tolist()[::-1]
        return found

    def order(self) -> Array:
        """Leaves so that no lines of a dendrogram cross (n,)."""
        tops = set(range(self.n + len(self.children))) - set(self.children.ravel().tolist())
        return np.array([leaf for top in sorted(tops) for leaf in self.leaves(top)])

    def partitions(self) -> list[list[list[int]]]:
        """The nested partitions, from singletons to one cluster: after each merge, the clusters there are."""
        sets: dict[int, list[int]] = {i: [i] for i in range(self.n)}
        found = [sorted(sets.values())]
        for i, (a, b) in enumerate(self.children.tolist()):
            sets[self.n + i] = sorted(sets.pop(a) + sets.pop(b))
            found.append(sorted(sets.values()))
        return found

    def cophenetic(self) -> Array:
        """The height at which each two leaves are joined first (n, n); infinite where they never are."""
        found = np.full((self.n, self.n), np.inf)
        np.fill_diagonal(found, 0.0)
        members: dict[int, Array] = {i: np.array([i]) for i in range(self.n)}
        for i, (a, b) in enumerate(self.children.tolist()):
            left, right = members.pop(a), members.pop(b)
            found[np.ix_(left, right)] = found[np.ix_(right, left)] = self.heights[i]
            members[self.n + i] = np.concatenate([left, right])
        return found

    def cophenetic_correlation(self, D: Any) -> float:
        """The correlation of those heights with the distances D (n, n) that the tree was built from."""
        D = np.asarray(D, dtype=np.float64)
        if D.shape != (self.n, self.n):
            raise bad("MergeTree", "D", f"a table of {self.n} x {self.n}", Said(f"shape {D.shape}"), "Give distances.")
        at = np.triu_indices(self.n, 1)
        pairs = np.array([self.cophenetic()[at], D[at]])
        if not np.isfinite(pairs).all() or (pairs == pairs[:, :1]).all(axis=1).any():
            rule = "finite distances that are not all one, of a tree whose heights are such"
            raise bad("MergeTree", "D", rule, Said("others"), "Of these there is no correlation.")
        return float(np.corrcoef(pairs)[0, 1])

    def lines(self) -> tuple[Array, Array]:
        """What a dendrogram draws (m, 4) each: for every merge the x and the heights of the corners of its bracket."""
        place = np.empty(self.n + len(self.children))
        place[self.order()] = np.arange(self.n)
        level = np.concatenate([np.zeros(self.n), self.heights])
        x, y = np.empty((len(self.children), 4)), np.empty((len(self.children), 4))
        for i, (a, b) in enumerate(self.children.tolist()):
            place[self.n + i] = 0.5 * (place[a] + place[b])
            x[i] = place[a], place[a], place[b], place[b]
            y[i] = level[a], self.heights[i], self.heights[i], level[b]
        return x, y


def sorted_merges(n: int, pairs: Array, heights: Array, weight: Array | None = None) -> MergeTree:
    """Merges of leaves that stand for their clusters, in any order, by their heights, the first of equals first."""
    order = np.argsort(heights, kind="stable")
    top, children = list(range(2 * n - 1)), []  # lists, as single cells of arrays are slow to reach

    def head(node: int) -> int:
        while top[node] != node:
            top[node] = node = top[top[node]]
        return node

    for i, (a, b) in enumerate(pairs[order].tolist(), n):
        a, b = head(a), head(b)
        children.append((a, b) if a < b else (b, a))
        top[a] = top[b] = i
    made = np.array(children, dtype=np.int64).reshape(len(children), 2)
    return MergeTree(n, made, np.asarray(heights, dtype=np.float64)[order], weight)
