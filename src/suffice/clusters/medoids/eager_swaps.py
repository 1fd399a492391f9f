"""FasterPAM: each row in turn takes at once the place of the medoid by which it lowers Q most.

Q(x for k) - Q = sum_i w_i min(d(x, i) - first_i, 0)
                 + sum over i of cluster k of w_i min(max(d(x, i) - first_i, 0), second_i - first_i)

first_i and second_i are the distances to the two nearest medoids. Rows not nearer to x than to their second medoid add
w_i (second_i - first_i), whichever x is: their sums are known before x is looked at, and only the others are visited.

E. Schubert and P. Rousseeuw, Fast and eager k-medoids clustering (2021).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.numerics.loop import inner, loop

VISITS = 512  # rows that are visited before anybody may interrupt


class TwoNearest(NamedTuple):
    """The two nearest medoids of each row."""

    near: Array  # (n,) place of the nearest medoid
    first: Array  # (n,) the distance to it
    second: Array  # (n,) to the second, infinite where there is one medoid
    spare: Array  # (n,) second - first, 0 where that is not finite
    known: Array  # (K,) what each cluster loses without its medoid

    @classmethod
    def of(cls, D: Array, w: Array, medoids: Array) -> TwoNearest:
        """From the distances of all rows to each."""
        near, first, second = two_nearest(D, medoids)
        with np.errstate(invalid="ignore"):
            gap = second - first
        spare = np.where(np.isfinite(gap), gap, 0.0)
        return cls(near, first, second, spare, np.bincount(near, w * spare, len(medoids)))

    def losses(self, d: Array, w: Array) -> Array:
        """By how much Q changes if a row at distances d takes the place of each medoid (K,)."""
        K, some = len(self.known), np.flatnonzero(d < self.second)
        near, gap = self.near[some], d[some] - self.first[some]
        gain = np.bincount(np.zeros(len(some), dtype=np.int64), w[some] * np.minimum(gap, 0.0), 1)
        loss = np.bincount(near, w[some] * (np.maximum(gap, 0.0) - self.spare[some]), K)
        return np.asarray(gain + (self.known + loss))


def two_nearest(D: Array, medoids: Array) -> tuple[Array, Array, Array]:
    """Place of the nearest medoid, the distance to it, and to the second (infinite where there is one)."""
    to = D[medoids]
    near = to.argmin(axis=0)
    first = to[near, np.arange(to.shape[1])]
    if len(medoids) == 1:
        return near, first, np.full(len(first), np.inf)
    to[near, np.arange(to.shape[1])] = np.inf
    return near, first, to.min(axis=0)


def swap_eagerly(D: Array, w: Array, medoids: Array, most: int) -> tuple[int, bool]:
    """Swap in place, for at most so many visits, until all rows were visited in vain; how many, and whether so."""
    n, x, idle, visited = len(D), 0, 0, 0
    held, nearest = np.zeros(n, dtype=bool), TwoNearest.of(D, w, medoids)
    held[medoids] = True
    slack, places = 1e-12 * float(w @ nearest.first), np.empty(n, dtype=np.int64)
    looped = _visit.pays(D.size)
    while idle < n and visited < most:
        limit = min(VISITS, most - visited)
        if looped:
            seen, idle = _visit(D, w, medoids, held, tuple(nearest), places, (x, idle, limit, slack))
        else:
            seen, idle = _visit.instead(visit_twin, D, w, medoids, held, nearest, (x, idle, limit, slack))
        visited, x = visited + seen, (x + seen) % n
    return visited, idle >= n


def visit_twin(D: Array, w: Array, medoids: Array, held: Array, nearest: TwoNearest, told: Any) -> tuple[int, int]:
    """Visit rows from x on; how many were visited, and how many since the last swap."""
    x, idle, limit, slack = told
    for seen in range(limit):
        if idle >= len(D):
            return seen, idle
        if not held[x]:
            losses = nearest.losses(D[x], w)
            k = int(losses.argmin())
            if losses[k] < -slack:
                held[medoids[k]], held[x] = False, True
                medoids[k], idle = x, 0
                for old, new in zip(nearest, TwoNearest.of(D, w, medoids), strict=True):
                    old[:] = new
        idle, x = idle + 1, (x + 1) % len(D)
    return limit, idle


@inner
def _find_nearest(D: Any, w: Any, medoids: Any, nearest: Any) -> None:
    """The two nearest medoids of all rows anew."""
    near, first, second, spare, known = nearest
    for i in range(len(D)):
        near[i], first[i], second[i] = 0, D[medoids[0], i], np.inf
    for k in range(1, len(known)):
        m = medoids[k]
        for i in range(len(D)):
            d = D[m, i]
            closer = d < first[i]
            second[i] = min(second[i], max(first[i], d))
            near[i] = k if closer else near[i]
            first[i] = d if closer else first[i]
    for k in range(len(known)):
        known[k] = 0.0
    for i in range(len(D)):
        gap = second[i] - first[i]
        spare[i] = gap if gap < np.inf else 0.0
        known[near[i]] += w[i] * spare[i]


@loop
def _visit(D: Any, w: Any, medoids: Any, held: Any, nearest: Any, places: Any, told: Any) -> Any:
    """The same, row by row."""
    near, first, second, spare, known = nearest
    x, idle, limit, slack = told
    n, K, loss = len(D), len(known), np.empty_like(known)
    for seen in range(limit):
        if idle >= n:
            return seen, idle
        if not held[x]:
            count, gain = 0, 0.0
            for i in range(n):  # without a branch, which nobody could predict
                places[count] = i
                count += D[x, i] < second[i]
            for k in range(K):
                loss[k] = 0.0
            for at in range(count):
                i = places[at]
                gap = D[x, i] - first[i]
                gain += w[i] * min(gap, 0.0)
                loss[near[i]] += w[i] * (max(gap, 0.0) - spare[i])
            best = 0
            for k in range(K):
                loss[k] = gain + (known[k] + loss[k])
                best = k if loss[k] < loss[best] else best
            if loss[best] < -slack:
                held[medoids[best]], held[x] = False, True
                medoids[best], idle = x, 0
                _find_nearest(D, w, medoids, nearest)
        idle, x = idle + 1, (x + 1) % n
    return limit, idle
