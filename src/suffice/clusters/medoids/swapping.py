"""Medoids: rows with the least total distance to the rows nearest to them, found from a table of distances.

Q = sum_i w_i min over medoids m of d(m, i)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.clusters.medoids.eager_swaps import swap_eagerly, two_nearest
from suffice.core.block import Array

Search = Callable[[Array, Array, Array, int], "MedoidSearch"]


@dataclass(frozen=True)
class MedoidSearch:
    """Medoids, and how they were found."""

    medoids: Array  # (K,) numbers of rows
    cost: float
    steps: int
    settled: bool


def total_cost(D: Array, w: Array, medoids: Array) -> float:
    """Q of some medoids."""
    return float(w @ D[medoids].min(axis=0))


def build(D: Array, w: Array, K: int, rng: Any = None) -> Array:
    """BUILD: the row of least total distance, then again and again the row that lowers Q most."""
    chosen = [int((D @ w).argmin())]
    near = D[chosen[0]].copy()
    while len(chosen) < K:
        gain = np.maximum(near - D, 0.0) @ w
        gain[chosen] = -1.0
        chosen.append(int(gain.argmax()))
        near = np.minimum(near, D[chosen[-1]])
    return np.array(chosen)


def random_rows(D: Array, w: Array, K: int, rng: Any) -> Array:
    """Different rows that weigh something."""
    live = np.flatnonzero(w > 0)
    return np.asarray(rng.choice(live, size=K, replace=False))


BEGINNINGS: Mapping[str, Callable[[Array, Array, int, Any], Array]] = {"build": build, "random": random_rows}


def alternate(D: Array, w: Array, medoids: Array, max_iter: int) -> MedoidSearch:
    """Rows to the nearest medoid, then each medoid to the row of its cluster of least total distance, until stable."""
    medoids = medoids.copy()
    for step in range(1, max_iter + 1):
        label, old = D[medoids].argmin(axis=0), medoids.copy()
        for k in range(len(medoids)):
            members = np.flatnonzero(label == k)
            if len(members):
                costs = D[np.ix_(members, members)] @ w[members]
                best = int(costs.argmin())
                held = np.flatnonzero(members == medoids[k])
                if not (len(held) and costs[held[0]] <= costs[best]):
                    medoids[k] = members[best]
        if (medoids == old).all():
            return MedoidSearch(medoids, total_cost(D, w, medoids), step, True)
    return MedoidSearch(medoids, total_cost(D, w, medoids), max_iter, False)


def swap_gains(D: Array, w: Array, medoids: Array) -> Array:
    """By how much Q changes if row x takes the place of medoid k (n, K): all K (n - K) swaps at once."""
    near, first, second = two_nearest(D, medoids)
    K, n = len(medoids), len(first)
    spare = np.zeros((n, K))
    spare[np.arange(n), near] = w
    gap = D - first
    shared = np.minimum(gap, 0.0) @ w
    np.clip(gap, 0.0, np.where(np.isfinite(second), second - first, np.inf), out=gap)
    return np.asarray(shared[:, None] + gap @ spare)


def pam(D: Array, w: Array, medoids: Array, max_iter: int) -> MedoidSearch:
    """SWAP: of all swaps the one that lowers Q most, until none does."""
    medoids = medoids.copy()
    for step in range(1, max_iter + 1):
        gains = swap_gains(D, w, medoids)
        gains[medoids] = np.inf
        x, k = np.unravel_index(int(gains.argmin()), gains.shape)
        if not gains[x, k] < -1e-12 * total_cost(D, w, medoids):
            return MedoidSearch(medoids, total_cost(D, w, medoids), step, True)
        medoids[k] = x
    return MedoidSearch(medoids, total_cost(D, w, medoids), max_iter, False)


def faster_pam(D: Array, w: Array, medoids: Array, max_iter: int) -> MedoidSearch:
    """Eager swaps: each row in turn takes at once the place whose loss it lowers Q most by."""
    medoids, n = medoids.copy(), len(D)
    visited, settled = swap_eagerly(D, w, medoids, max_iter * n)
    return MedoidSearch(medoids, total_cost(D, w, medoids), visited // n + 1, settled)


SEARCHES: Mapping[str, Search] = {"alternate": alternate, "fasterpam": faster_pam, "pam": pam}
