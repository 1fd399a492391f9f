"""Pooling adjacent violators: the blocks of neighbours whose shares of positives rise.

The blocks are the segments of the convex hull of the ROC curve, met from its end: a segment of slope m has a share of
positives that rises with m, and a concavity is a pair of neighbours whose shares do not rise.
"""

from __future__ import annotations

import numpy as np

from suffice.core.block import Array
from suffice.numerics.loop import loop, pays

SHRINKS = 0.9  # a pass over all blocks pays while it leaves at most this share of them


def pool(positive: Array, weight: Array) -> Array:
    """Where the blocks start (S,): neighbours are pooled until positive / weight strictly rises from block to block.

    Parameters
    ----------
    positive : (V,) weight of the positives
    weight : (V,) weight of all, above 0

    >>> pool(np.array([0.0, 1.0, 0.0, 1.0]), np.ones(4))
    array([0, 1, 3])
    """
    if pays(2 * len(weight)):
        positive, weight = _within_range(positive, weight)
        start, sums, totals = np.empty(len(weight), dtype=np.intp), np.empty(len(weight)), np.empty(len(weight))
        return start[: pool_loop(positive, weight, start, sums, totals)].copy()
    return pool_twin(positive, weight)


def _within_range(positive: Array, weight: Array) -> tuple[Array, Array]:
    """The same shares, by weights whose products neither overflow nor vanish."""
    exponent = int(np.frexp(weight.max())[1])
    if abs(exponent) < 400:
        return positive, weight
    return np.ldexp(positive, -exponent), np.ldexp(weight, -exponent)


def pool_twin(positive: Array, weight: Array) -> Array:
    """The same in NumPy: all violators at once while that leaves far fewer blocks, then one block after another."""
    start = np.arange(len(weight))
    p, w = positive, weight
    while True:
        level = p / w
        first = np.concatenate([[True], level[1:] > level[:-1]])
        if first.all():
            return start
        at = np.flatnonzero(first)
        p, w, start = np.add.reduceat(p, at), np.add.reduceat(w, at), start[at]
        if len(at) > SHRINKS * len(level):  # a long ramp loses one block a pass
            return start[_one_by_one(p.tolist(), w.tolist())]


def _one_by_one(positive: list[float], weight: list[float]) -> list[int]:
    start, sums, totals = [0] * len(weight), [0.0] * len(weight), [0.0] * len(weight)
    count: int = pool_loop.plain(positive, weight, start, sums, totals)
    return start[:count]


@loop
def pool_loop(positive, weight, start, sums, totals):  # type: ignore[no-untyped-def]
    """A stack of blocks; returns their number. Shares are compared by products, which take a third of the time."""
    m = 0
    for i in range(len(weight)):
        p, w, first = positive[i], weight[i], i
        while m > 0 and sums[m - 1] * w >= p * totals[m - 1]:
            m -= 1
            p += sums[m]
            w += totals[m]
            first = start[m]
        start[m] = first
        sums[m] = p
        totals[m] = w
        m += 1
    return m
