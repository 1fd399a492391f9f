"""Stress majorization (SMACOF): coordinates whose distances are those given, as nearly as possible.

stress = sum_{i<j} (d_ij - |y_i - y_j|)^2          each step: Y <- B(Y) Y / n, which never raises it
non-metric: the d_ij are replaced by the nearest numbers in the same order as the dissimilarities
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.spatial.distance import pdist, squareform

from suffice.core.block import Array
from suffice.decision.maps.pool_adjacent import pool


class Majorized(NamedTuple):
    """Where the steps ended."""

    places: Array  # (n, k)
    stress: float
    steps: int


def majorize(D: Array, Y: Array, *, metric: bool, max_iter: int, eps: float, normalized: bool) -> Majorized:
    """Steps of majorization from places Y (n, k), until the stress falls by less than a share `eps`.

    Parameters
    ----------
    D : dissimilarities (n, n)
    Y : where to begin
    metric : whether their sizes count, not just their order
    max_iter, eps : when to end
    normalized : whether the stress is told as a share of the distances (Kruskal's stress 1)
    """
    given, n = squareform(D, checks=False), len(D)
    order = np.argsort(given, kind="stable")
    old, steps, stress = np.inf, 0, 0.0
    wanted = given
    for steps in range(1, max_iter + 1):
        found = pdist(Y)
        wanted = given if metric else disparities(given, found, order)
        stress = float(((found - wanted) ** 2).sum())
        size = float((wanted**2).sum()) or 1.0
        if steps > 1 and (old - stress / size) <= eps * max(old, 1e-300) and (old - stress / size) < eps:
            break
        if stress / size < eps**2:
            break
        old = stress / size
        ratio = squareform(np.divide(wanted, found, out=np.zeros_like(found), where=found > 0))
        Y = (ratio.sum(axis=1)[:, None] * Y - ratio @ Y) / n
    found = pdist(Y)
    wanted = given if metric else disparities(given, found, order)
    stress = float(((found - wanted) ** 2).sum())
    if normalized:
        stress = float(np.sqrt(stress / (float((wanted**2).sum()) or 1.0)))
    return Majorized(Y, stress, steps)


def disparities(given: Array, found: Array, order: Array) -> Array:
    """The numbers nearest to the distances found that rise with the dissimilarities, of fixed sum of squares.

    Dissimilarities that are equal may get different numbers.
    """
    # among equals the distances found decide, so that ties cost nothing
    order = order[np.lexsort((found[order], given[order]))]
    lifted = found[order] + 0.0
    starts = pool(lifted, np.ones(len(lifted)))
    sizes = np.diff(np.append(starts, len(lifted)))
    means = np.add.reduceat(lifted, starts) / sizes
    out = np.empty(len(found))
    out[order] = np.repeat(means, sizes)
    scale = np.sqrt(len(out) / max(float((out**2).sum()), 1e-300))
    return np.asarray(out * scale)


def placed(D: Array, Y: Array, max_iter: int = 300, eps: float = 1e-9) -> Array:
    """Places of other rows at distances D (m, n) from those of a map Y (n, k), which stay: least stress of each."""
    out = Y[np.argmin(D, axis=1)].copy()
    # not exactly upon another, where no direction is better than any other
    out += 1e-6 * (Y.mean(axis=0) - out)
    for _ in range(max_iter):
        gap = out[:, None, :] - Y[None, :, :]
        found = np.sqrt((gap**2).sum(axis=2))
        ratio = np.divide(D, found, out=np.zeros_like(found), where=found > 0)
        new = (Y[None, :, :] + ratio[:, :, None] * gap).mean(axis=1)
        moved, out = float(np.abs(new - out).max(initial=0.0)), new
        if moved <= eps * float(np.abs(Y).max(initial=1.0)):
            break
    return np.asarray(out)
