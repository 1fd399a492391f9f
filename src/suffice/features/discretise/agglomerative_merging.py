"""Agglomerative merging (AggloMerge): one bin a value at first, then the two neighbours that are most alike become one.

Neighbours by class are compared by chi-square, and merging stops where they differ significantly; neighbours by value
by what merging adds to the sum of squares (Ward). Only the pairs that touch a merged bin are scored anew.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heapify, heappop, heappush

import numpy as np

from suffice.core.block import Array
from suffice.features.discretise.class_shares import bin_chi_square

Apart = Callable[[Array, Array], Array]  # what is known of bins (..., m), and of their neighbours -> how far apart


def merge_neighbours(
    bins: Array, apart: Apart, limit: float = np.inf, least: int = 1, most: int | None = None
) -> Array:
    """Where the bins that are left begin (S,): the nearest neighbours are merged first, of equals the first ones.

    Parameters
    ----------
    bins : (V, m) what is known of each bin, which adds when bins merge
    apart : how far two neighbours are apart
    limit : neighbours at least so far apart stay apart
    least, most : numbers of bins; `most` overrides the limit

    >>> merge_neighbours(np.array([[1.0, 0.0], [2.0, 0.0], [0.0, 9.0]]), bin_chi_square, limit=3.0)
    array([0, 2])
    """
    n = len(bins)
    if n < 2:
        return np.arange(n)
    kept = bins.astype(np.float64).copy()
    after, before = list(range(1, n + 1)), list(range(-1, n - 1))
    version, alive, count = [0] * n, [True] * n, n
    heap = [(float(d), i, 0) for i, d in enumerate(apart(kept[:-1], kept[1:]))]
    heapify(heap)
    while heap and count > least:
        far, i, stamp = heappop(heap)
        if not alive[i] or version[i] != stamp or after[i] >= n:
            continue
        if not far < limit and (most is None or count <= most):
            break
        j = after[i]
        kept[i] += kept[j]
        alive[j], after[i], count = False, after[j], count - 1
        if after[j] < n:
            before[after[j]] = i
        for left in (before[i], i):
            if left >= 0 and after[left] < n:
                version[left] += 1
                heappush(heap, (float(apart(kept[left], kept[after[left]])), left, version[left]))
    return np.flatnonzero(alive)


def merge_classes(counts: Array, limit: float, least: int = 1, most: int | None = None) -> Array:
    """Where bins begin after merging by chi-square (S,), from counts of classes (V, K); equal shares go first."""
    start = alike_runs(counts)
    blocks = np.add.reduceat(counts, start, axis=0) if len(counts) else counts
    if limit <= 0.0 or len(blocks) <= least:
        return start[: max(len(start), 0)]
    return start[merge_neighbours(blocks, bin_chi_square, limit, least, most)]


def alike_runs(counts: Array) -> Array:
    """Where runs of values with the same class shares begin: their chi-square is 0, so that they merge first."""
    if not len(counts):
        return np.zeros(0, dtype=np.intp)
    a, b = counts[:-1], counts[1:]
    n, m = a.sum(axis=1, keepdims=True), b.sum(axis=1, keepdims=True)
    same = (a * m == b * n).all(axis=1)
    return np.flatnonzero(np.concatenate([[True], ~same]))


def ward(left: Array, right: Array) -> Array:
    """What merging adds to the sum of squares within bins; of each bin its weight and its sum of values are known."""
    n, m = left[..., 0], right[..., 0]
    gap = left[..., 1] / n - right[..., 1] / m
    return np.asarray(n * m / (n + m) * gap * gap)
