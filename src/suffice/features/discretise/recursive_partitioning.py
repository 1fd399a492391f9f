"""Recursive partitioning (RecPart): cut where a score is best, and go on in both halves until a rule says stop.

Rule A stops where the class shares are constant along a segment, so that all straight segments of the ranking are
found. Rule B is that of Fayyad and Irani: a cut is worth its description if

    gain > (log2(N - 1) + log2(3^k - 2) - k H + k1 H1 + k2 H2) / N

with k, k1, k2 the numbers of classes in the segment and in its halves, and H, H1, H2 their entropies.

Reference: U. M. Fayyad and K. B. Irani, Multi-interval discretization of continuous-valued attributes (1993).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.features.discretise.class_blocks import class_blocks
from suffice.features.discretise.class_shares import Score, entropy, split_gain


class FoundCut(NamedTuple):
    """A place to cut, after so many values, and how good it is."""

    after: int
    score: float


Segment = Callable[[], Array]  # counts of the values of a segment (V, K), made where they are asked for
Stop = Callable[[Segment, Array, Array], bool]  # of a segment, and counts left and right (K,)


def constant_shares(segment: Segment, left: Array, right: Array) -> bool:
    """Whether all values of the segment have the same class shares."""
    counts = segment()
    total = counts.sum(axis=0)
    off = np.abs(counts * total.sum() - counts.sum(axis=1)[:, None] * total)
    return bool((off <= 1e-12 * total.sum() * counts.sum(axis=1)[:, None]).all())


def not_worth_describing(segment: Segment, left: Array, right: Array) -> bool:
    """Whether the cut gains less than its description costs."""
    return not float(split_gain(left, right)) > description_cost(left, right)


def description_cost(left: Array, right: Array) -> float:
    """What the gain of a cut must exceed (bits a row); infinite for fewer than two rows."""
    whole = left + right
    N = float(whole.sum())
    if not N > 1.0:
        return np.inf
    k, k1, k2 = (int((part > 0).sum()) for part in (whole, left, right))
    H, H1, H2 = (float(entropy(part)) for part in (whole, left, right))
    return float((np.log2(N - 1.0) + np.log2(3.0**k - 2.0) - (k * H - k1 * H1 - k2 * H2)) / N)


STOPS: Mapping[str, Stop] = {"constant": constant_shares, "mdl": not_worth_describing}


def recursive_partitioning(
    counts: Array, score: Score = split_gain, stop: Stop = not_worth_describing, most: int | None = None
) -> list[FoundCut]:
    """Where to cut, in order; `most` is the largest number of cuts, best first within the recursion's own order.

    Parameters
    ----------
    counts : (V, K) weight of each class at each value, values rising
    score : of a split; equal values stay together
    stop : when to leave a segment whole
    """
    blocks = class_blocks(counts, score)
    waiting, found = [(0, len(blocks))], list[FoundCut]()
    while waiting and (most is None or len(found) < most):
        a, b = waiting.pop(0)
        if b - a < 2:
            continue
        before, best = blocks.best(a, b)
        cut = a + before
        if stop(partial(blocks.segment, a, b), blocks.total(a, cut), blocks.total(cut, b)):
            continue
        found.append(FoundCut(int(blocks.ends[cut - 1]), best))
        waiting += [(a, cut), (cut, b)]
    return sorted(found)
