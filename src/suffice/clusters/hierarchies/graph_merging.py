"""Merging along a graph: only clusters that an edge links may join. One heap of edges, as many as the graph has.

Distances are known along edges alone: complete and average linkage are over the linked pairs, Ward's is exact, from
sizes and means.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from heapq import heapify, heappop, heappush
from typing import Any

import numpy as np

from suffice.clusters.hierarchies.merge_tree import MergeTree
from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.spaces.distances.distance import Distance

Merge = Callable[[float, float, float, float], float]
EDGE_RULES: dict[str, Merge] = {  # of two distances, where both parts are linked, and the sizes of the parts
    "single": lambda a, b, na, nb: min(a, b),
    "complete": lambda a, b, na, nb: max(a, b),
    "average": lambda a, b, na, nb: (na * a + nb * b) / (na + nb),
    "weighted": lambda a, b, na, nb: 0.5 * (a + b),
}


def read_graph(owner: str, connectivity: Any, X: Array) -> Any:
    """A graph as a symmetric sparse matrix without loops, from an array, a sparse matrix, or a function of the rows."""
    from scipy.sparse import csr_array

    given = connectivity(X) if callable(connectivity) else connectivity
    graph = csr_array(given)
    n = len(X)
    if graph.shape != (n, n):
        told = f"Wrong shape for connectivity matrix: {graph.shape} when X is {X.shape}"
        raise bad(owner, "connectivity", f"of shape {(n, n)} ({told})", Said(f"shape {graph.shape}"), "One row a row.")
    graph = csr_array((graph != 0).astype(np.int8))
    graph = (graph + graph.T).tolil()
    graph.setdiag(0)
    graph = csr_array(graph)
    graph.eliminate_zeros()
    return graph


def completed(graph: Any, X: Array, distance: Distance, given: bool) -> tuple[Any, int]:
    """The graph with an edge between the nearest rows of each two components, and how many components there were."""
    from scipy.sparse.csgraph import connected_components

    parts, label = connected_components(graph, directed=False)
    if parts == 1:
        return graph, 1
    told = f"the number of connected components of the connectivity matrix is {parts} > 1."
    warnings.warn(f"{told} Completing it to avoid stopping the tree early.", UserWarning, stacklevel=7)
    graph = graph.tolil()
    groups = [np.flatnonzero(label == k) for k in range(parts)]
    for i in range(parts):
        for j in range(i):
            D = X[np.ix_(groups[i], groups[j])] if given else distance.between(X[groups[i]], X[groups[j]])
            a, b = np.unravel_index(int(D.argmin()), D.shape)
            graph[groups[i][a], groups[j][b]] = graph[groups[j][b], groups[i][a]] = 1
    return graph.tocsr(), parts


def graph_merges(
    X: Array,
    graph: Any,
    size: Array,
    linkage: str,
    distance: Distance,
    given: bool,
    stop: int = 1,
    owner: str = "graph_merges",
) -> MergeTree:
    """Merges along the edges until `stop` clusters are left."""
    lengths = _Ward(X, size) if linkage == "ward" else _Edges(X, size, EDGE_RULES[linkage], distance, given, owner)
    n = len(X)
    links: list[dict[int, float]] = [{} for _ in range(2 * n - 1)]
    heap: list[tuple[float, int, int]] = []
    rows, columns = graph.nonzero()
    kept = columns < rows
    for i, j, d in zip(
        rows[kept].tolist(), columns[kept].tolist(), lengths.first(rows[kept], columns[kept]), strict=True
    ):
        links[i][j] = links[j][i] = d
        heap.append((d, i, j))
    heapify(heap)
    alive = [True] * n + [False] * (n - 1)
    children: list[tuple[int, int]] = []
    heights: list[float] = []
    while len(children) < n - stop and heap:
        d, i, j = heappop(heap)
        if not (alive[i] and alive[j]):
            continue
        k = n + len(children)
        children.append((min(i, j), max(i, j)))
        heights.append(lengths.height(d))
        alive[i] = alive[j] = False
        alive[k] = True
        lengths.join(i, j, k)
        mine, theirs = links[i], links[j]
        links[i], links[j] = {}, {}
        for c in mine.keys() | theirs.keys():
            if c in (i, j) or not alive[c]:
                continue
            length = lengths.of(mine.get(c), theirs.get(c), i, j, k, c)
            links[k][c] = links[c][k] = length
            links[c].pop(i, None)
            links[c].pop(j, None)
            heappush(heap, (length, k, c))
    return MergeTree(n, np.array(children, dtype=np.int64).reshape(-1, 2), np.array(heights))


class _Edges:
    """Distances along edges, by a rule for unions."""

    def __init__(self, X: Array, size: Array, rule: Merge, distance: Distance, given: bool, owner: str) -> None:
        self.owner, self.X, self.rule, self.distance, self.given = owner, X, rule, distance, given
        self.size = np.concatenate([size, np.zeros(len(size) - 1)])

    def first(self, rows: Array, columns: Array) -> list[float]:
        if self.given:
            return list(self.X[rows, columns].tolist())
        found = self.distance.paired(self.X[rows], self.X[columns])
        if np.isnan(found).any():
            at = int(np.isnan(found).argmax())
            pair = Said(f"rows {rows[at]} and {columns[at]}, between which it is not a number")
            raise bad(self.owner, "metric", "a number between linked rows", pair, "Leave such rows out.")
        return list(found.tolist())

    def join(self, i: int, j: int, k: int) -> None:
        self.size[k] = self.size[i] + self.size[j]

    def of(self, a: float | None, b: float | None, i: int, j: int, k: int, c: int) -> float:
        if a is None or b is None:
            return float(b if a is None else a)  # type: ignore[arg-type]
        return float(self.rule(a, b, float(self.size[i]), float(self.size[j])))

    def height(self, d: float) -> float:
        return d


class _Ward:
    """By how much the scatter rises, from sizes and means."""

    def __init__(self, X: Array, size: Array) -> None:
        n = len(X)
        self.mean = np.concatenate([X, np.zeros((n - 1, X.shape[1]))])
        self.size = np.concatenate([size, np.zeros(n - 1)])

    def first(self, rows: Array, columns: Array) -> list[float]:
        gap = ((self.mean[rows] - self.mean[columns]) ** 2).sum(axis=1)
        share = self.size[rows] * self.size[columns] / (self.size[rows] + self.size[columns])
        return list((share * gap).tolist())

    def join(self, i: int, j: int, k: int) -> None:
        total = self.size[i] + self.size[j]
        self.mean[k] = (self.size[i] * self.mean[i] + self.size[j] * self.mean[j]) / total
        self.size[k] = total

    def of(self, a: float | None, b: float | None, i: int, j: int, k: int, c: int) -> float:
        gap = self.mean[k] - self.mean[c]
        return float(self.size[k] * self.size[c] / (self.size[k] + self.size[c]) * (gap @ gap))

    def height(self, d: float) -> float:
        return float(np.sqrt(2.0 * d))
