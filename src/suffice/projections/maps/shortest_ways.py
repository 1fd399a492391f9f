"""Shortest ways through a graph from every node (Dijkstra), in a compiled loop over threads.

One thread takes as long as SciPy's Dijkstra, which keeps the global lock: threads are what is won.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse.csgraph import dijkstra

from suffice.core.block import Array
from suffice.numerics.loop import inner, loop
from suffice.numerics.threads import in_threads
from suffice.sources.engines.memory import processors

PIECES = 8  # of the sources for each thread


def ways_from_all(graph: Any) -> Array:
    """Lengths of the shortest ways between all nodes (n, n) of a sparse matrix of edges, each longer than 0.

    >>> from scipy.sparse import csr_matrix
    >>> ways_from_all(csr_matrix([[0.0, 1.0, 5.0], [1.0, 0.0, 2.0], [5.0, 2.0, 0.0]]))[0].tolist()
    [0.0, 1.0, 3.0]
    """
    n, threads = graph.shape[0], processors()
    if not shortest_ways.pays(n * n):
        return shortest_ways.instead(_by_scipy, graph)
    starts, columns, lengths = graph.indptr.astype(np.int64), graph.indices.astype(np.int32), graph.data
    ways, edges = np.empty((n, n)), np.linspace(0, n, PIECES * threads + 1).astype(int)

    def work(piece: int, go_on: Any) -> None:
        shortest_ways(starts, columns, lengths, edges[piece], edges[piece + 1], ways)

    in_threads(work, range(PIECES * threads), threads)
    return ways


def _by_scipy(graph: Any) -> Array:
    return np.asarray(dijkstra(graph, directed=True))


@inner
def rise(heap: Array, place: Array, d: Array, at: int) -> None:
    """Put what has become nearer where it belongs, towards the root."""
    v = heap[at]
    while at > 0:
        above = (at - 1) // 2
        u = heap[above]
        if d[u] <= d[v]:
            break
        heap[at] = u
        place[u] = at
        at = above
    heap[at] = v
    place[v] = at


@inner
def sink(heap: Array, place: Array, d: Array, size: int) -> None:
    """Put the last node where the root was, and then where it belongs."""
    v, at = heap[size], 0
    while True:
        below = 2 * at + 1
        if below >= size:
            break
        if below + 1 < size and d[heap[below + 1]] < d[heap[below]]:
            below += 1
        u = heap[below]
        if d[v] <= d[u]:
            break
        heap[at] = u
        place[u] = at
        at = below
    heap[at] = v
    place[v] = at


@loop
def shortest_ways(starts, columns, lengths, a, b, ways):  # type: ignore[no-untyped-def]
    """From the nodes a to b: the nearest node that is open is done, and its neighbours may have come nearer."""
    n = ways.shape[1]
    heap, place = np.empty(n, dtype=np.int32), np.empty(n, dtype=np.int32)
    for source in range(a, b):
        d = ways[source]
        d[:] = np.inf
        place[:] = -1
        d[source], heap[0], place[source], size = 0.0, source, 0, 1
        while size > 0:
            u = heap[0]
            size -= 1
            if size > 0:
                sink(heap, place, d, size)
            for e in range(starts[u], starts[u + 1]):
                v = columns[e]
                length = d[u] + lengths[e]
                if length < d[v]:
                    d[v] = length
                    if place[v] < 0:
                        place[v] = size
                        heap[size] = v
                        size += 1
                    rise(heap, place, d, place[v])
