"""The sweep of a threshold from the highest score to the lowest: how much of each class has reached it.

Equal scores are passed together. Without weights, the scores of each class are sorted alone and merged: sorting values
is faster than sorting places, and the merge finds equal scores on its way.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.decision.curves.sorted_floats import sort_floats
from suffice.numerics.loop import loop, pays, whole


class ThresholdSweep(NamedTuple):
    """What has reached each threshold; the first is above all scores, so that nothing has."""

    thresholds: Array  # (m + 1,) falling
    negatives: Array  # (m + 1,) weight, from 0
    positives: Array  # (m + 1,)


def swept(values: Array, negatives: Array, positives: Array) -> ThresholdSweep:
    """A sweep from distinct values (m,), falling, and what has reached each of them (m,)."""
    return ThresholdSweep(
        np.concatenate([[above(values)], values]),
        np.concatenate([[0.0], negatives]),
        np.concatenate([[0.0], positives]),
    )


def above(values: Array) -> float:
    """A threshold that none of the falling values reaches: infinity, or NaN where infinity is one of them."""
    return np.nan if len(values) and values[0] == np.inf else np.inf


def sweep(scores: Array, positive: Array, weights: Array | None = None) -> ThresholdSweep:
    """The sweep over some rows.

    Parameters
    ----------
    scores : (n,) none of them NaN
    positive : (n,) which rows are of the positive class
    weights : (n,) at least 0; rows of weight 0 are no rows

    >>> sweep(np.array([0.1, 0.4, 0.35, 0.8]), np.array([False, False, True, True])).positives
    array([0., 1., 1., 2., 2.])
    """
    falls = 0.0 - scores  # rising where the scores fall; minus zero becomes zero
    if weights is None:
        sides = falls[~positive], falls[positive]
        with whole(2 * len(scores)):
            for side in sides:
                sort_floats(side)
        return merged(*sides)
    order = np.argsort(falls)
    order = order[weights[order] > 0.0]
    return _passed(falls[order], positive[order], weights[order])


def merged(negatives: Array, positives: Array) -> ThresholdSweep:
    """The sweep over one row for each of the values, which rise where scores fall."""
    n = len(negatives) + len(positives)
    if not pays(2 * n):
        return merged_twin(negatives, positives)
    out = np.empty((3, n + 1))
    m = merge_loop(negatives, positives, *out)
    thresholds, reached, reached_positive = (side[: m + 1].copy() if m < n // 2 else side[: m + 1] for side in out)
    thresholds[0] = above(thresholds[1:])
    return ThresholdSweep(thresholds, reached, reached_positive)


def merged_twin(negatives: Array, positives: Array) -> ThresholdSweep:
    """The same in NumPy."""
    together = np.concatenate([negatives, positives])
    order = np.argsort(together, kind="stable")  # which finds the two sorted runs and merges them
    return _passed(together[order], order >= len(negatives), None)


def _passed(falls: Array, positive: Array, weights: Array | None) -> ThresholdSweep:
    """From rows in order to distinct values; each is passed with its last row."""
    last = np.concatenate([np.flatnonzero(falls[1:] != falls[:-1]), [len(falls) - 1]]) if len(falls) else np.arange(0)
    if weights is None:
        positives = np.cumsum(positive)[last].astype(np.float64)
        return swept(0.0 - falls[last], last + 1.0 - positives, positives)
    sides = (np.cumsum(np.where(side, weights, 0.0))[last] for side in (~positive, positive))
    return swept(0.0 - falls[last], *sides)


@loop
def merge_loop(negatives, positives, thresholds, reached, reached_positive):  # type: ignore[no-untyped-def]
    """Merge two rising arrays; returns the number of distinct values."""
    i, j, m = 0, 0, 0
    N, P = len(negatives), len(positives)
    reached[0] = reached_positive[0] = 0.0
    while i < N or j < P:
        value = negatives[i] if j >= P or (i < N and negatives[i] <= positives[j]) else positives[j]
        while i < N and negatives[i] == value:
            i += 1
        while j < P and positives[j] == value:
            j += 1
        m += 1
        thresholds[m], reached[m], reached_positive[m] = 0.0 - value, i, j
    return m
