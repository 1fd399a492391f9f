"""Graphs of near rows, and the lengths of the shortest ways through them."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components, shortest_path

from suffice.core.block import Array
from suffice.projections.maps.map_models import RowMetric
from suffice.projections.maps.shortest_ways import ways_from_all
from suffice.spaces.distances.named_distances import as_distance
from suffice.spaces.search.search_choice import neighbour_search

TREES = {"euclidean": 2.0, "l2": 2.0, "manhattan": 1.0, "cityblock": 1.0, "l1": 1.0, "chebyshev": np.inf}
DENSE = 8  # share of all edges beyond which SciPy may take Floyd and Warshall's way


def power_of(metric: RowMetric) -> float | None:
    """The p of a Minkowski distance that a tree of rows knows; None of others."""
    if metric.name in ("minkowski", "p"):
        p = float((metric.given or {}).get("p", 2.0))
        return p if p >= 1 else None
    return TREES.get(metric.name) if isinstance(metric.name, str) and not metric.given else None


def nearest(metric: RowMetric, X: Any, rows: Array, k: int, itself: bool) -> tuple[Array, Array]:
    """The k rows nearest to each row of X: distances (m, k) and numbers (m, k); without itself where X are the rows."""
    p = power_of(metric)
    if p is not None and hasattr(rows, "dtype"):
        search = neighbour_search(rows, as_distance("minkowski", p=p))
        found, at = search.nearest(np.asarray(X, dtype=np.float64), k + 1 if itself else k)
    else:
        D = metric.between(X, rows)
        at = np.argsort(D, axis=1, kind="stable")[:, : k + 1 if itself else k]
        found = np.take_along_axis(D, at, axis=1)
    if not itself:
        return found, at
    me = at == np.arange(len(at))[:, None]
    me[~me.any(axis=1), -1] = True  # among many equal rows it need not be listed
    shape = len(at), at.shape[1] - 1
    return found[~me].reshape(shape), at[~me].reshape(shape)


def neighbour_graph(metric: RowMetric, X: Array, k: int | None, radius: float | None) -> Any:
    """Distances to the k nearest rows, or to those within a radius, as a sparse matrix."""
    n = len(X)
    if k is not None:
        found, at = nearest(metric, X, X, min(k, n - 1), True)
        return csr_matrix((found.ravel(), (np.repeat(np.arange(n), found.shape[1]), at.ravel())), shape=(n, n))
    D = metric.between(X, X)
    i, j = np.nonzero((radius >= D) & ~np.eye(n, dtype=bool))
    return csr_matrix((D[i, j], (i, j)), shape=(n, n))


def bridged(metric: RowMetric, X: Array, graph: Any) -> tuple[Any, int]:
    """The graph with a bridge between the nearest rows of every two of its components, and how many it had."""
    count, labels = connected_components(graph, directed=False)
    if count == 1:
        return graph, 1
    graph = graph.tolil()
    for a in range(count):
        for b in range(a):
            i, j = np.flatnonzero(labels == a), np.flatnonzero(labels == b)
            D = X[np.ix_(i, j)] if metric.name == "precomputed" else metric.between(X[i], X[j])
            at = np.unravel_index(np.argmin(D), D.shape)
            graph[i[at[0]], j[at[1]]] = graph[j[at[1]], i[at[0]]] = max(float(D[at]), np.finfo(float).tiny)
    return graph.tocsr(), int(count)


def path_lengths(graph: Any, method: str = "auto") -> Array:
    """Lengths of the shortest ways between all rows (n, n)."""
    graph = graph.copy()
    graph.data = np.maximum(graph.data, np.finfo(float).tiny)  # a distance of 0 is an edge too
    both = graph.maximum(graph.T)  # a way goes both ways: looking at edges from one side halves the work
    if method != "FW" and DENSE * both.nnz < both.shape[0] ** 2:
        return ways_from_all(both.tocsr())
    return np.asarray(shortest_path(both, method=method, directed=True))
