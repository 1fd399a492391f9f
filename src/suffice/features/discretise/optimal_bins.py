"""Exact k-means and k-medians of one column, by dynamic programming on its distinct values: O(K V log V).

    minimise over cuts    sum over bins of   sum_i w_i |x_i - centre|^p,      p = 2 (means) or 1 (medians)

The best last cut moves to the right as more values are covered, so that each layer is found by dividing (divide and
conquer); prefix sums about the mean give the cost of any bin at once.
"""

from __future__ import annotations

import numpy as np

from suffice.core.block import Array
from suffice.numerics.loop import loop, pays


def optimal_bins(values: Array, weight: Array, bins: int, squares: bool = True) -> Array:
    """Where the bins of least cost begin (at most `bins`,), the first at 0.

    Parameters
    ----------
    values, weight : (V,) distinct and rising, above 0
    bins : number of bins; no more than there are values
    squares : squared distances from means, or else distances from medians

    >>> optimal_bins(np.array([1.0, 2.0, 10.0, 11.0, 50.0]), np.ones(5), 3)
    array([0, 2, 4])
    """
    V, K = len(values), min(bins, len(values))
    if K < 2:
        return np.zeros(min(V, 1), dtype=np.intp)
    scale = max(float(values[-1] - values[0]), 1e-300)
    x = (values - np.average(values, weights=weight)) / scale
    w, s, q = (np.concatenate([[0.0], np.cumsum(some)]) for some in (weight, weight * x, weight * x * x))
    run = best_bins if pays(V * K * 16) else best_bins.plain
    cost, last = np.empty((K, V)), np.zeros((K, V), dtype=np.int64)
    run(x, w, s, q, cost, last, squares)
    start, end = [], V - 1
    for k in range(K - 1, -1, -1):
        start.append(int(last[k, end]))
        end = int(last[k, end]) - 1
    return np.array(start[::-1])


def bins_cost(values: Array, weight: Array, start: Array, squares: bool = True) -> float:
    """The cost of bins that begin at these places."""
    total = 0.0
    for a, b in zip(start.tolist(), [*start[1:].tolist(), len(values)], strict=True):
        x, w = values[a:b], weight[a:b]
        if squares:
            total += float((w * (x - np.average(x, weights=w)) ** 2).sum())
        else:
            middle = x[np.searchsorted(w.cumsum(), w.sum() / 2.0)]
            total += float((w * np.abs(x - middle)).sum())
    return total


@loop
def best_bins(x, w, s, q, cost, last, squares):  # type: ignore[no-untyped-def]
    """Layer by layer: cost[k, j] of the first j + 1 values in k + 1 bins, and where the last of these begins."""
    V, K = len(x), len(cost)
    stack = np.empty((4 * 64, 4), dtype=np.int64)
    for k in range(K):
        top = 0
        stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3] = k, V - 1, k, V - 1
        top = 1
        while top > 0:
            top -= 1
            a, b, low, high = stack[top, 0], stack[top, 1], stack[top, 2], stack[top, 3]
            if a > b:
                continue
            j = (a + b) // 2
            best, at = np.inf, k
            if k == 0:
                low = 0
                high = 0
            end = min(j, high)
            for i in range(end, low - 1, -1):  # the last bin holds i to j
                W, S = w[j + 1] - w[i], s[j + 1] - s[i]
                if squares:
                    c = q[j + 1] - q[i] - S * S / W
                else:
                    half = w[i] + W / 2.0
                    lo, hi = i, j
                    while lo < hi:
                        m = (lo + hi) // 2
                        if w[m + 1] >= half:
                            hi = m
                        else:
                            lo = m + 1
                    c = (
                        (s[j + 1] - s[lo + 1])
                        - (s[lo + 1] - s[i])
                        + x[lo] * ((w[lo + 1] - w[i]) - (w[j + 1] - w[lo + 1]))
                    )
                if c < 0.0:
                    c = 0.0
                if k > 0:
                    c += cost[k - 1, i - 1]
                if c < best:
                    best = c
                    at = i
            cost[k, j] = best
            last[k, j] = at if k > 0 else 0
            stack[top, 0], stack[top, 1], stack[top, 2], stack[top, 3] = a, j - 1, low, at
            top += 1
            stack[top, 0], stack[top, 1], stack[top, 2], stack[top, 3] = j + 1, b, at, high
            top += 1
    return 0
