"""The gradient of t-SNE: exact, or with far rows taken together (Barnes and Hut).

dC/dy_i = 4 (sum_j p_ij q'_ij (y_i - y_j) - sum_j q'_ij^2 (y_i - y_j) / Z),     q' = (1 + |y_i - y_j|^2)^-1, Z = sum q'
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.numerics.loop import available, loop
from suffice.numerics.threads import in_threads

DEPTH = 48  # of the tree: rows that are nearer count as one
Gradient = Callable[[Array], tuple[float, Array]]  # places -> divergence, gradient


def exact_gradient(P: Array) -> Gradient:
    """Of joint probabilities (n, n), all pairs at once."""
    some = P > 0
    constant = float((P[some] * np.log(P[some])).sum())

    def gradient(Y: Array) -> tuple[float, Array]:
        squares = (Y**2).sum(axis=1)
        q = squares[:, None] + squares[None, :] - 2.0 * (Y @ Y.T)
        np.maximum(q, 0.0, out=q)
        q += 1.0
        np.reciprocal(q, out=q)
        np.fill_diagonal(q, 0.0)
        Z = q.sum()
        total = P.sum()
        cost = constant - float((P[some] * np.log(q[some])).sum()) + total * np.log(Z)
        W = (P - q / Z) * q
        return float(cost), 4.0 * (W.sum(axis=1)[:, None] * Y - W @ Y)

    return gradient


def tree_gradient(P: Any, angle: float, threads: int) -> Gradient:
    """Of sparse joint probabilities; rows whose cell is seen under less than an angle are taken together."""
    n, total = P.shape[0], float(P.data.sum())
    starts, columns, values = P.indptr.astype(np.int64), P.indices.astype(np.int64), P.data.astype(np.float64)
    constant = float((values[values > 0] * np.log(values[values > 0])).sum())
    edges = np.linspace(0, n, max(threads, 1) + 1).astype(int)
    runs = [(int(a), int(b)) for a, b in itertools.pairwise(edges)]

    def gradient(Y: Array) -> tuple[float, Array]:
        k, size = Y.shape[1], 4 * n + 64
        while True:
            child = np.full((size, 2**k), -1, dtype=np.int32)
            mass, centre = np.zeros(size), np.zeros((size, k))
            low, high = Y.min(axis=0), Y.max(axis=0)
            width = max(float((high - low).max()), 1e-12) * 1.0000001
            if build_tree(Y, low, width, child, mass, centre) >= 0:
                break
            size *= 2
        pull, push, parts = np.zeros_like(Y), np.zeros_like(Y), np.zeros((len(runs), 2))

        def work(number: int, go_on: Any) -> None:
            a, b = runs[number]
            tree_forces(Y, a, b, width, angle, child, mass, centre, push, parts[number])
            pair_forces(Y, a, b, starts, columns, values, pull, parts[number])

        in_threads(work, range(len(runs)), threads)
        Z = float(parts[:, 0].sum())
        cost = constant + float(parts[:, 1].sum()) + total * np.log(Z)
        return cost, 4.0 * (pull - push / Z)

    return gradient


def tree_pays(n: int, k: int) -> bool:
    """Whether taking far rows together is worth a tree."""
    return n >= 400 and k <= 3 and available()


@loop
def build_tree(Y, low, width, child, mass, centre):  # type: ignore[no-untyped-def]
    """Cells that hold rows, halved until each holds one: the number of cells, -1 where there is no room for them.

    A cell that holds one row, or rows too near to part, has no children.
    """
    n, k = Y.shape
    count = 1
    corner = np.empty(k)
    for i in range(n):
        node, w = 0, width
        for c in range(k):
            corner[c] = low[c]
        for depth in range(DEPTH):
            leaf = True
            for c in range(child.shape[1]):
                if child[node, c] >= 0:
                    leaf = False
                    break
            if leaf and mass[node] == 0.0:
                break
            if leaf:
                same = True
                for c in range(k):
                    if centre[node, c] != Y[i, c] * mass[node]:
                        same = False
                if same or depth == DEPTH - 1:
                    break
                # the row that is here moves down
                where = 0
                for c in range(k):
                    if centre[node, c] / mass[node] >= corner[c] + w / 2.0:
                        where += 1 << c
                if count >= child.shape[0]:
                    return -1
                child[node, where] = count
                mass[count] = mass[node]
                for c in range(k):
                    centre[count, c] = centre[node, c]
                count += 1
            mass[node] += 1.0
            w = w / 2.0
            where = 0
            for c in range(k):
                centre[node, c] += Y[i, c]
                if Y[i, c] >= corner[c] + w:
                    where += 1 << c
                    corner[c] += w
            if child[node, where] < 0:
                if count >= child.shape[0]:
                    return -1
                child[node, where] = count
                count += 1
            node = child[node, where]
        mass[node] += 1.0
        for c in range(k):
            centre[node, c] += Y[i, c]
    return count


@loop
def tree_forces(Y, a, b, width, angle, child, mass, centre, push, parts):  # type: ignore[no-untyped-def]
    """What rows push each other away by, and the sum of all q', of the rows from a to b."""
    k, ways = Y.shape[1], child.shape[1]
    stack, widths = np.empty(ways * 64, dtype=np.int64), np.empty(ways * 64)
    total = 0.0
    for i in range(a, b):
        top = 1
        stack[0], widths[0] = 0, width
        while top > 0:
            top -= 1
            node, w = stack[top], widths[top]
            m = mass[node]
            d2 = 0.0
            for c in range(k):
                gap = Y[i, c] - centre[node, c] / m
                d2 += gap * gap
            leaf = True
            for c in range(ways):
                if child[node, c] >= 0:
                    leaf = False
                    break
            if leaf or w * w < angle * angle * d2:
                if leaf and d2 <= 1e-30:
                    m -= 1.0  # itself
                    total += m
                    continue
                q = 1.0 / (1.0 + d2)
                total += m * q
                for c in range(k):
                    push[i, c] += m * q * q * (Y[i, c] - centre[node, c] / mass[node])
            else:
                for c in range(ways):
                    if child[node, c] >= 0:
                        stack[top], widths[top] = child[node, c], w / 2.0
                        top += 1
    parts[0] = total


@loop
def pair_forces(Y, a, b, starts, columns, values, pull, parts):  # type: ignore[no-untyped-def]
    """What neighbours pull each other by, and sum of p log(1 + d^2), of the rows from a to b."""
    k = Y.shape[1]
    total = 0.0
    for i in range(a, b):
        for e in range(starts[i], starts[i + 1]):
            j = columns[e]
            d2 = 0.0
            for c in range(k):
                gap = Y[i, c] - Y[j, c]
                d2 += gap * gap
            total += values[e] * np.log(1.0 + d2)
            q = values[e] / (1.0 + d2)
            for c in range(k):
                pull[i, c] += q * (Y[i, c] - Y[j, c])
    parts[1] = total
