"""The mean answer of all trees of a forest: by a loop that walks several rows at once, in threads. No scikit-learn.

A step waits for three reads, one after the other: which column, its cell, the next node. Eight rows that take turns
hide that. The next node is read by number, as compilers make branches of anything else, which processors cannot
foresee; a leaf leads to itself, so that rows may end at different depths.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.numerics.loop import inner, loop, pays
from suffice.numerics.threads import in_threads, processors
from suffice.trees.nodes import TreeNodes

THREADED = 1 << 17  # rows times trees from which threads walk


def mean_over_trees(nodes: TreeNodes, X: Array, value: Array) -> Array:
    """What all trees say (n, V), on average."""
    T, n = len(nodes.roots), len(X)
    out = np.zeros((n, value.shape[1]))
    if not (pays(X.size * T) and nodes._plain):
        for t in range(T):
            out += nodes.mean_value(X, value, t)
        return out / T
    rows, table = np.ascontiguousarray(X), np.ascontiguousarray(value)
    column, threshold, ways = nodes.packed
    threads = processors() if n * T >= THREADED else 1
    edges = np.linspace(0, n, threads + 1).astype(int).tolist()

    def walk(run: tuple[int, int], go_on: Any) -> None:
        some = slice(*run)
        _walk_all(rows[some], nodes.roots, column, threshold, ways, table, out[some])

    in_threads(walk, list(pairwise(edges)), threads)
    return out / T


@inner
def _step(row: Any, node: Any, column: Any, threshold: Any, ways: Any) -> Any:
    """The next node of a row; of a leaf itself. Unsigned numbers need no look at whether they count from the end."""
    cell = row[np.uint64(column[node])]
    way = np.uint64(cell > threshold[node]) + (np.uint64(cell != cell) << np.uint64(1))
    return np.uint64(ways[(node << np.uint64(2)) + way])


@loop
def _walk_all(X: Any, roots: Any, column: Any, threshold: Any, ways: Any, value: Any, out: Any) -> Any:
    n, V = X.shape[0], value.shape[1]
    ends = np.empty(8, dtype=np.uint64)
    for start in range(0, n, 512):
        stop = min(start + 512, n)
        last = stop - 1
        for t in range(roots.shape[0]):
            root = np.uint64(roots[t])
            for i in range(start, stop, 8):
                many = min(8, stop - i)
                row_0, row_1, row_2, row_3 = X[i], X[min(i + 1, last)], X[min(i + 2, last)], X[min(i + 3, last)]
                row_4, row_5 = X[min(i + 4, last)], X[min(i + 5, last)]
                row_6, row_7 = X[min(i + 6, last)], X[min(i + 7, last)]
                a = b = c = d = e = f = g = h = root
                while True:
                    a_, b_ = _step(row_0, a, column, threshold, ways), _step(row_1, b, column, threshold, ways)
                    c_, d_ = _step(row_2, c, column, threshold, ways), _step(row_3, d, column, threshold, ways)
                    e_, f_ = _step(row_4, e, column, threshold, ways), _step(row_5, f, column, threshold, ways)
                    g_, h_ = _step(row_6, g, column, threshold, ways), _step(row_7, h, column, threshold, ways)
                    moved = (a_ ^ a) | (b_ ^ b) | (c_ ^ c) | (d_ ^ d) | (e_ ^ e) | (f_ ^ f) | (g_ ^ g) | (h_ ^ h)
                    if moved == 0:
                        break
                    a, b, c, d, e, f, g, h = a_, b_, c_, d_, e_, f_, g_, h_
                ends[0], ends[1], ends[2], ends[3], ends[4], ends[5], ends[6], ends[7] = a, b, c, d, e, f, g, h
                for k in range(many):
                    for v in range(V):
                        out[i + k, v] += value[ends[k], v]
