"""Rounds of AdaBoost with stumps in one loop: columns are sorted once, weights of rows are updated between searches.

A round that is not an ordinary one (no split, an error of 0 or no better than chance, a weight that became 0) ends the
loop; whoever called goes on from the weights before it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.numerics.loop import loop
from suffice.trees.growth.bins import BinnedCells
from suffice.trees.growth.column_loop import is_leaf, on_sorted_column
from suffice.trees.growth.growing import Growth
from suffice.trees.growth.growing_loop import GrownNodes, can_loop, grown_nodes, loop_options
from suffice.trees.growth.split_loop import loss_of
from suffice.trees.growth.targets import ClassSums
from suffice.trees.nodes import TreeNodes

STUMP = Growth(depth=1)


class BoostedStumps(NamedTuple):
    """What was boosted in the loop."""

    nodes: TreeNodes | None  # one tree a round; None: no round
    errors: Array  # (T,)
    alphas: Array  # (T,) without the factor 1/2
    weights: Array  # (n,) of the rows after the last round
    history: Array  # (T, n) after each round, where that is kept, else (T, 0)


def boosted_stumps(cells: BinnedCells, target: ClassSums, rounds: int, rate: float, keep: bool) -> BoostedStumps | None:
    """Ordinary rounds, as many as there are; None where the loop does not know all that is asked for.

    Parameters
    ----------
    cells : the columns, sorted once
    target : classes, and weights of sum 1 to begin with
    rounds : most rounds
    rate : factor of alpha
    keep : whether the weights of rows after each round are kept
    """
    if not can_loop(cells, STUMP) or target.K < 2 or not (target.w > 0).all():
        return None
    n, K = len(target.w), target.K
    label = target.columns()[0]
    options, numbers = loop_options(target, STUMP, np.arange(n))
    made = GrownNodes(np.empty((3 * rounds, 7), dtype=np.int64), np.empty((3 * rounds, 2)), np.empty((3 * rounds, K)))
    told, history, w = np.empty((rounds, 2)), np.empty((rounds, n if keep else 0)), target.w.copy()
    count = _boost(
        cells.columns, cells.in_order, target.edges, label, w, options, numbers[0], float(rate), *made, told, history
    )
    nodes = None
    if count:
        nodes = grown_nodes(cells, target, *(part[: 3 * count] for part in made))
        nodes = replace(nodes, roots=np.arange(0, 3 * count, 3, dtype=np.int32))
    return BoostedStumps(nodes, told[:count, 0], told[:count, 1], w, history[:count])


@loop
def _boost(
    codes: Any, ordered: Any, edges: Any, label: Any, w: Any, options: Any, least_weight: Any, rate: Any, whole: Any,
    real: Any, sums: Any, told: Any, history: Any,
) -> Any:  # fmt: skip
    n, d, K, measure = codes.shape[1], codes.shape[0], sums.shape[1], options[5]
    none, counts, bins, lost = np.zeros(1), np.empty(1, dtype=np.int64), np.empty((1, K)), np.empty((1, K))
    left, right, after = np.empty(K), np.empty(K), np.empty(n)
    for t in range(told.shape[0]):
        node = 3 * t
        for part in range(3):
            for k in range(K):
                sums[node + part, k] = 0.0
        total = sums[node]
        for r in range(n):
            total[label[r]] += w[r]
        before, weight = loss_of(total, measure, edges)
        if is_leaf(n, 0, before, weight, options, least_weight):
            return t
        near = 1e-11 * before
        best, column, best_left, best_right, best_side = -np.inf, -1, np.int64(-1), np.int64(-1), -1
        for j in range(d):
            _, gain, below, above, side = on_sorted_column(
                ordered[j], 0, n, label, none, none, w, total, before, near, options, least_weight, counts, bins, lost,
                left, right, edges,
            )  # fmt: skip
            if below >= 0 and gain > best + near:
                best, column, best_left, best_right, best_side = gain, j, below, above, side
        if column < 0 or best < -near:
            return t
        some: Any = 0
        for r in range(n):
            code = codes[column, r]
            child = 2 - np.int64(best_side == 0 if code < 0 else code <= best_left)
            sums[node + child, label[r]] += w[r]
            some += int(2 - child)
        first, second, mass = np.argmax(sums[node + 1]), np.argmax(sums[node + 2]), 0.0
        for k in range(K):
            mass += sums[node + 1, k] + sums[node + 2, k]
        error = (mass - sums[node + 1, first] - sums[node + 2, second]) / mass
        if error <= 1e-15 or error >= 1.0 - 1.0 / K - 1e-12:
            return t
        alpha = rate * (np.log((1.0 - error) / error) + np.log(K - 1.0))
        factor, mass = np.exp(-alpha), 0.0
        for r in range(n):
            code = codes[column, r]
            said = first if (best_side == 0 if code < 0 else code <= best_left) else second
            after[r] = w[r] * factor if label[r] == said else w[r]
            mass += after[r]
        for r in range(n):
            after[r] /= mass
            if not after[r] > 0.0:
                return t
        for r in range(n):
            w[r] = after[r]
        for r in range(history.shape[1]):
            history[t, r] = w[r]
        told[t, 0], told[t, 1] = error, alpha
        for part in range(3):
            whole[node + part, 0], whole[node + part, 1], whole[node + part, 2] = -1, -1, -1
            whole[node + part, 3], whole[node + part, 5], whole[node + part, 6] = -1, node, part - 1
            loss, weight = loss_of(sums[node + part], measure, edges)
            real[node + part, 0], real[node + part, 1] = weight, loss
        whole[node, 0], whole[node, 1], whole[node, 2], whole[node, 3] = column, best_left, best_right, best_side
        whole[node, 4], whole[node + 1, 4], whole[node + 2, 4] = n, some, n - some
        whole[node, 5], whole[node, 6] = -1, 0
    return told.shape[0]
