"""Pruning: subtrees that cost more than they are worth become leaves. No scikit-learn.

cost complexity   R(T) + alpha (number of leaves), R the sum over leaves of weight times impurity over all weight
reduced error     a subtree goes if, on rows held out, its leaf would be no worse
equal decisions   a subtree goes if all its leaves decide the same
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.trees.nodes import TreeNodes


class PruningPath(NamedTuple):
    """The steps of cost-complexity pruning: from which alpha on a subtree is best, and its impurity."""

    ccp_alphas: Array
    impurities: Array


def _below(nodes: TreeNodes, cost: Array) -> tuple[Array, Array, Array]:
    """Of each node, the cost and the number of the leaves below it, and the last node below it."""
    total, leaves, last = cost.copy(), np.ones(nodes.count), np.arange(nodes.count)
    for node in np.flatnonzero(nodes.width)[::-1].tolist():
        kids = nodes.kids(node)
        total[node], leaves[node], last[node] = total[kids].sum(), leaves[kids].sum(), last[kids].max()
    return total, leaves, last


def _weakest_links(nodes: TreeNodes, cost: Array) -> Iterator[tuple[float, Array, float]]:
    """Step by step the least alpha at which subtrees go, the nodes that then become leaves, and the cost that is left.

    Nodes below one are the numbers after it, up to the last; what is above one that became a leaf is summed anew.
    """
    total, leaves, last = _below(nodes, cost)
    inner, parent = nodes.width > 0, nodes.parent.tolist()
    slack = 1e-13 * max(float(cost[0]), 0.0)
    while inner.any():
        some = np.flatnonzero(inner)
        link = (cost[some] - total[some]) / (leaves[some] - 1.0)
        least = float(link.min())
        ends = some[link <= least + slack]
        for node in ends.tolist():
            if not inner[node]:
                continue
            inner[node : last[node] + 1] = False
            total[node], leaves[node], up = cost[node], 1.0, parent[node]
            while up >= 0:
                kids = nodes.kids(up)
                total[up], leaves[up], up = total[kids].sum(), leaves[kids].sum(), parent[up]
        yield least, ends, float(total[0])


def node_costs(nodes: TreeNodes) -> Array:
    """Weight times impurity of each node, as a share of all weight."""
    return np.asarray(nodes.weight * nodes.impurity / nodes.weight[nodes.roots[0]])


def pruning_path(nodes: TreeNodes, cost: Array | None = None) -> PruningPath:
    """All alphas at which a smaller tree becomes the best."""
    cost = node_costs(nodes) if cost is None else cost
    alphas, impurities = [0.0], [float(_below(nodes, cost)[0][0])]
    for alpha, _, left in _weakest_links(nodes, cost):
        alphas.append(max(alpha, 0.0))
        impurities.append(left)
    return PruningPath(np.array(alphas), np.array(impurities))


def prune_cost_complexity(nodes: TreeNodes, alpha: float, cost: Array | None = None) -> TreeNodes:
    """The smallest subtree of least R(T) + alpha leaves."""
    cost = node_costs(nodes) if cost is None else cost
    ends = np.zeros(nodes.count, dtype=bool)
    for least, some, _ in _weakest_links(nodes, cost):
        if least > alpha:
            break
        ends[some] = True
    return nodes.cut(ends) if ends.any() else nodes


def prune_reduced_error(nodes: TreeNodes, errors: Array) -> TreeNodes:
    """Without subtrees whose leaves lose as much, on rows held out, as their node (M,) would."""
    best, ends = errors.copy(), np.zeros(nodes.count, dtype=bool)
    for node in range(nodes.count - 1, -1, -1):
        if nodes.width[node]:
            below = best[nodes.kids(node)].sum()
            if errors[node] <= below * (1 + 1e-12):
                ends[node] = True
            else:
                best[node] = below
    return nodes.cut(ends) if ends.any() else nodes


def prune_equal_decisions(nodes: TreeNodes, actions: Array) -> TreeNodes:
    """Without subtrees all of whose leaves decide (M,) the same."""
    same = actions.astype(np.int64).copy()
    ends = np.zeros(nodes.count, dtype=bool)
    for node in range(nodes.count - 1, -1, -1):
        if nodes.width[node]:
            below = set(same[nodes.kids(node)].tolist())
            one = below.pop() if len(below) == 1 else -9
            ends[node] = one != -9
            same[node] = one
    return nodes.cut(ends) if ends.any() else nodes


def held_out_errors(nodes: TreeNodes, X: Array, losses: Array) -> Array:
    """The summed loss (M,) of the rows that pass each node, were it their leaf; losses are (n, M)."""
    out = np.zeros(nodes.count)
    for leaf, rows in _rows_by_leaf(nodes, X):
        node = leaf
        while node >= 0:
            out[node] += losses[rows, node].sum()
            node = int(nodes.parent[node])
    return out


def _rows_by_leaf(nodes: TreeNodes, X: Array) -> Sequence[tuple[int, Array]]:
    leaf = nodes.leaf_of(X)
    return [(node, np.flatnonzero(leaf == node)) for node in np.unique(leaf).tolist()]
