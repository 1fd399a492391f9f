"""Absolute errors about the median of rows that come one by one: the loss of the first 0, 1, ..., n of them."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.numerics.loop import loop


def absolute_losses(y: Array, w: Array) -> Array:
    """The least sum of w |y - m| over m, of the first 0, 1, ..., n numbers y with weights w above 0 (n + 1,).

    >>> absolute_losses(np.array([1.0, 5.0, 2.0]), np.ones(3))
    array([0., 0., 4., 4.])
    """
    if not _by_ranks.pays(len(y)):
        return _by_ranks.instead(_by_heaps, y, w)
    order = np.argsort(y, kind="stable")
    rank = np.empty(len(y), dtype=np.int64)
    rank[order] = np.arange(len(y))
    centre = float(y[order[len(y) // 2]]) if len(y) else 0.0
    out = np.zeros(len(y) + 1)
    _by_ranks(rank, y[order] - centre, np.ascontiguousarray(w, dtype=np.float64), out)
    return out


@loop
def _by_ranks(rank: Any, y: Any, w: Any, out: Any) -> None:
    """Sums of the rows met so far by rank, in a tree of sums (Fenwick's): its descent finds the median."""
    n, top = len(rank), 1
    while 2 * top <= n:
        top *= 2
    weights, products = np.zeros(n + 1), np.zeros(n + 1)
    whole, total = 0.0, 0.0
    for i in range(n):
        k, u, v = rank[i] + 1, w[i], w[i] * y[rank[i]]
        whole += u
        total += v
        while k <= n:
            weights[k] += u
            products[k] += v
            k += k & -k
        at, below, sum_below, step = 0, 0.0, 0.0, top
        while step > 0:
            if at + step <= n and below + weights[at + step] <= 0.5 * whole:
                at += step
                below += weights[at]
                sum_below += products[at]
            step //= 2
        median = y[min(at, n - 1)]
        out[i + 1] = max((median * below - sum_below) + ((total - sum_below) - median * (whole - below)), 0.0)


def _by_heaps(y: Array, w: Array) -> Array:
    """Two heaps hold the smaller and the larger half of the rows met so far; each has its weight and its sum."""
    below: list[Any] = []
    above: list[Any] = []
    wb = wa = sb = sa = 0.0
    centre = float(np.median(y)) if len(y) else 0.0
    out = np.zeros(len(y) + 1)
    for i, (value, weight) in enumerate(zip((y - centre).tolist(), w.tolist(), strict=True)):
        if below and value < -below[0][0]:
            heappush(below, (-value, weight))
            wb, sb = wb + weight, sb + weight * value
        else:
            heappush(above, (value, weight))
            wa, sa = wa + weight, sa + weight * value
        while above and (not below or wb + above[0][1] <= wa - above[0][1] + 1e-12 * (wa + wb)):
            v, u = heappop(above)
            heappush(below, (-v, u))
            wa, sa, wb, sb = wa - u, sa - u * v, wb + u, sb + u * v
        while below and wb - below[0][1] >= wa + below[0][1] and len(below) > 1:
            v, u = heappop(below)
            v = -v
            heappush(above, (v, u))
            wb, sb, wa, sa = wb - u, sb - u * v, wa + u, sa + u * v
        middle = _middle(below, above, wb, wa)
        out[i + 1] = max((sa - middle * wa) + (middle * wb - sb), 0.0)
    return out


def _middle(below: list[Any], above: list[Any], wb: float, wa: float) -> float:
    """A median: of the halves, the inner end of the heavier."""
    if not above or (below and wb >= wa):
        return float(-below[0][0])
    return float(above[0][0])
