"""The last digits: among rows strictly between their bounds an optimum is a system of linear equations.

    sum_j K_ij d_j + b = g_i,   sum_j d_j = 0      over the free rows

Steps on pairs come near that solution, but slowly to its last digits. The move is cut at the first bound it meets; that
row is then no longer free, and the smaller system is solved.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg.lapack import dgesv

from suffice.core.block import Array
from suffice.margin.svc.box_constraints import BoxConstraints
from suffice.margin.svc.kernel_rows import KernelRows

MOST = 512  # free rows up to which the equations are cheap
CUTS = 16  # bounds that may be met


def finish(rows: KernelRows, box: BoxConstraints, again: bool = False) -> None:
    """Move free rows to the optimum that they have with all others where they are, in place.

    `again` says that the gradient will be worked out anew: a last move then leaves it as it was.
    """
    for _ in range(CUTS):
        free = ((box.beta > box.lo) & (box.beta < box.hi)).nonzero()[0]
        if not 1 < len(free) <= MOST:
            return
        K, mine = rows.square(free), box.take(free)
        delta = _solve(K, mine.g)
        if delta is None:
            return
        share, first = _room(mine, delta)
        if not share * (delta @ mine.g) >= 0.5 * share**2 * (delta @ K @ delta):  # no climb: K is not definite
            return
        moved = np.minimum(np.maximum(mine.beta + share * delta, mine.lo), mine.hi)
        if share < 1.0:
            moved[first] = mine.hi[first] if delta[first] > 0 else mine.lo[first]
        change = moved - mine.beta
        if not np.count_nonzero(change):
            return
        box.beta[free] = moved
        if share == 1.0 and again:
            return
        box.g -= rows.times(free, change)
        if share == 1.0:
            return


def _solve(K: Array, g: Array) -> Array | None:
    """The change of the free rows; of many, a short one; None where there is none."""
    f, size = len(g), float(max(np.maximum.reduce(K, axis=None), -np.minimum.reduce(K, axis=None)))
    if not 0.0 < size < np.inf:
        return None
    system, right = np.empty((f + 1, f + 1)), np.empty(f + 1)
    system[:f, :f], system[f], system[:f, f], system[f, f] = K, size, size, 0.0
    np.subtract(g, np.add.reduce(g) / f, out=right[:f])
    right[f] = 0.0
    _, _, found, singular = dgesv(system, right)
    if singular or not _solves(system, found, right):
        found = np.linalg.lstsq(system, right, rcond=None)[0]
        if not _solves(system, found, right):
            return None
    return np.asarray(found[:f])


def _solves(system: Array, found: Array, right: Array) -> bool:
    left = float(np.maximum.reduce(np.abs(system @ found - right)))  # NaN where a number that was found is not finite
    return left <= 1e-6 * float(np.maximum.reduce(np.abs(right))) + 1e-15


def _room(free: BoxConstraints, delta: Array) -> tuple[float, int]:
    """How much of the move there is room for, and which row ends it."""
    bound = np.where(delta > 0, free.hi, free.lo) - free.beta
    shares: Array = np.divide(bound, delta, out=np.full(len(delta), np.inf), where=delta != 0.0)
    first = int(shares.argmin())
    return min(1.0, float(shares[first])), first
