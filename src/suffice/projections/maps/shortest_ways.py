"""Shortest ways through a graph from every node, in a compiled loop over threads.

Nodes whose way is not settled wait in lists by how far they are, some edges wide; the first of the nearest list is
next (E. Dial, U. Meyer and P. Sanders). A node may be met again if a shorter way is found within its list, so that the
lengths are those of Dijkstra, to the last bit; they take a third of the time of a heap, whose comparisons nobody can
foretell.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse.csgraph import dijkstra

from suffice.core.block import Array
from suffice.numerics.loop import loop
from suffice.numerics.threads import in_threads, processors

PIECES = 8  # of the sources for each thread
MOST = 1024  # lists, however long the longest edge


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
    width, lists = waiting_lists(lengths)
    ways, edges = np.empty((n, n)), np.linspace(0, n, PIECES * threads + 1).astype(int)

    def work(piece: int, go_on: Any) -> None:
        shortest_ways(starts, columns, lengths, edges[piece], edges[piece + 1], width, lists, ways)

    in_threads(work, range(PIECES * threads), threads)
    return ways


def _by_scipy(graph: Any) -> Array:
    return np.asarray(dijkstra(graph, directed=True))


def waiting_lists(lengths: Array) -> tuple[float, int]:
    """How wide lists are, and how many there must be, a power of 2, so that no edge leads all around them."""
    longest = float(lengths.max(initial=0.0)) or 1.0
    width = max(2.0 * float(lengths.mean()) if len(lengths) else 1.0, longest / (MOST - 4))
    return width, 1 << int(np.ceil(np.log2(longest / width + 3.0)))


@loop
def shortest_ways(starts, columns, lengths, a, b, width, lists, ways):  # type: ignore[no-untyped-def]
    """From the nodes a to b. Lists are rings that begin and end at n, n + 1, ...; inside says where a node waits."""
    n, per, mask = ways.shape[1], 1.0 / width, lists - 1
    after, before = np.arange(n + lists).astype(np.int32), np.arange(n + lists).astype(np.int32)
    inside = np.full(n, -1, dtype=np.int32)
    for source in range(a, b):
        d = ways[source]
        d[:] = np.inf
        d[source], inside[source], now, waiting = 0.0, 0, n, 1
        after[n] = before[n] = source
        after[source] = before[source] = n
        while waiting > 0:
            while after[now] == now:
                now = n + ((now + 1 - n) & mask)
            u = after[now]
            after[now] = after[u]
            before[after[u]] = now
            inside[u] = -1
            waiting -= 1
            here = d[u]
            for e in range(starts[u], starts[u + 1]):
                v, length = columns[e], here + lengths[e]
                if length < d[v]:
                    d[v] = length
                    at = int(length * per) & mask
                    if at != inside[v]:
                        if inside[v] >= 0:
                            after[before[v]] = after[v]
                            before[after[v]] = before[v]
                        else:
                            waiting += 1
                        inside[v] = at
                        end = before[n + at]
                        before[v], after[v] = end, n + at
                        after[end] = before[n + at] = v
