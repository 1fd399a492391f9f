"""What places of a map push each other away by, with far ones taken together in the cells of a tree (Barnes and Hut).

A cell of width w, whose centre is at distance d, counts as one place of its mass where w / d is less than an angle.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from suffice.core.block import Array
from suffice.numerics.loop import loop
from suffice.projections.maps.repulsion_pairs import Pushing, Repulsion, runs_of

DEPTH = 48  # of the tree: rows that are nearer count as one


def tree_repulsion(angle: float, threads: int) -> Repulsion:
    """By a tree, built anew for each map; rows whose cell is seen under less than an angle are taken together."""

    def repulsion(Y: Array) -> Pushing:
        cells, push = cells_of(Y, angle), np.zeros_like(Y)
        return Pushing([partial(tree_forces, Y, a, b, *cells, push) for a, b in runs_of(len(Y), threads)], push)

    return repulsion


def cells_of(Y: Array, angle: float) -> tuple[Array, Array, Array, Array]:
    """Cells with those inside after them: masses, centres, squared distances from which each is far, the next beyond.

    Squared distances are infinite where a cell has parts and the angle is 0, and -1 where it has none.
    """
    k, size = Y.shape[1], 4 * len(Y) + 64
    low = Y.min(axis=0)
    width = max(float((Y.max(axis=0) - low).max()), 1e-12) * 1.0000001
    while True:
        child = np.full((size, 2**k), -1, dtype=np.int32)
        mass, centre = np.zeros(size), np.zeros((size, k))
        count = build_tree(Y, low, width, child, mass, centre)
        if count >= 0:
            break
        size *= 2
    least = (width / angle) ** 2 if angle > 0 else np.inf
    cells = np.empty(count), np.empty((count, k)), np.empty(count), np.empty(count, dtype=np.int64)
    lay_out(child, mass, centre, least, *cells)
    return cells


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
def lay_out(child, mass, centre, least, masses, centres, squares, after):  # type: ignore[no-untyped-def]
    """Cells one after the other, each before its parts, so that no stack is needed to go through them."""
    ways, k = child.shape[1], centre.shape[1]
    stack, depth = np.empty(ways * 64, dtype=np.int64), np.empty(ways * 64, dtype=np.int64)
    path = np.zeros(66, dtype=np.int64)  # the last cell of each depth
    stack[0], depth[0], top, at, last = 0, 0, 1, 0, -1
    while top > 0:
        top -= 1
        node, deep = stack[top], depth[top]
        for level in range(deep, last + 1):
            after[path[level]] = at
        path[deep], last = at, deep
        masses[at] = mass[node]
        for c in range(k):
            centres[at, c] = centre[node, c] / mass[node]
        leaf = True
        for c in range(ways):
            if child[node, c] >= 0:
                leaf = False
                stack[top], depth[top] = child[node, c], deep + 1
                top += 1
        squares[at] = -1.0 if leaf else least / 4.0**deep
        at += 1
    for level in range(last + 1):
        after[path[level]] = at


@loop
def tree_forces(Y, a, b, mass, centre, squares, after, push):  # type: ignore[no-untyped-def]
    """What the rows from a to b are pushed by, and their sum of q'."""
    k, cells = Y.shape[1], mass.shape[0]
    whole = 0.0
    for i in range(a, b):
        at = 0
        while at < cells:
            d2 = 0.0
            for c in range(k):
                gap = Y[i, c] - centre[at, c]
                d2 += gap * gap
            if d2 > squares[at]:
                q = 1.0 / (1.0 + d2)
                whole += mass[at] * q
                q = mass[at] * q * q
                for c in range(k):
                    push[i, c] += q * (Y[i, c] - centre[at, c])
                at = after[at]
            else:
                at += 1
    return whole - (b - a)  # each met itself
