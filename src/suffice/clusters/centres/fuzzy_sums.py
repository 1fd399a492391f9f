"""Moments of rows that are shared among centres by u^m: the pass over the rows behind `FuzzyCMeans`.

Where a table is large, a loop takes 64 rows at a time from squared distances to sums, with no table of memberships. It
sums about each centre, so that no digits are lost however far the centres are from one another.
"""

from __future__ import annotations

import numpy as np

from suffice.clusters.centres.fuzzy_partition import memberships_of
from suffice.core.block import Array
from suffice.core.double_double import exact, two_sum
from suffice.core.shares import Shares
from suffice.numerics.lanes import LANES, grouped
from suffice.numerics.loop import fma, inner, loop
from suffice.spaces.nearest_centre import distances_to_centres
from suffice.summaries.moments import Moments
from suffice.summaries.shifted_sums import move

STEP = 8192  # rows whose memberships are worked out at a time
LONG = 32_768  # rows that the loop adds plainly, before sums are added as pairs


def fuzzy_moments(X: Array, w: Array | None, centres: Array, m: float) -> Moments:
    """Weights, sums and squares of each cluster, of rows that belong to it by u^m."""
    looped = add_shared.pays(X.size * len(centres))
    step, parts = (LONG if looped else STEP), []
    for start in range(0, max(len(X), 1), step):
        some = np.ascontiguousarray(X[start : start + step], dtype=np.float64)
        mine = None if w is None else w[start : start + step]
        run = _by_loop if looped else _by_tables
        parts.append(run(some, mine, centres, m) if looped else add_shared.instead(run, some, mine, centres, m))
    return parts[0] if len(parts) == 1 else Moments.sum(parts)


def _by_tables(X: Array, w: Array | None, centres: Array, m: float) -> Moments:
    """The twin, by way of all memberships."""
    share = memberships_of(distances_to_centres(X, centres) ** 2, m) ** m
    if w is not None:
        share *= w[:, None]
    return Moments.of(X, Shares.soft(share), centres.mean(axis=0))


def _by_loop(X: Array, w: Array | None, centres: Array, m: float) -> Moments:
    K, d = centres.shape
    rows, weight = np.zeros(K, dtype=np.int64), np.zeros(K)
    first, second = np.zeros((K, d)), np.zeros((K, d))
    add_shared(*side_by_side(X, w), centres, m, rows, weight, first, second)
    shift = centres.mean(axis=0)
    held = exact(np.repeat(weight[:, None], d, axis=1))
    moved = move(held, exact(first), exact(second), two_sum(centres, -shift))
    return Moments(shift, np.repeat(rows[:, None], d, axis=1), held, *moved)


def side_by_side(X: Array, w: Array | None) -> tuple[Array, Array]:
    """Rows in groups (G, d, LANES) and what they weigh (G, LANES); behind the last row rows of weight 0."""
    return grouped(X, 0.0), grouped((np.ones(len(X)) if w is None else w)[:, None], 0.0)[:, 0]


@inner
def share_rows(C: Array, w: Array, g: int, centres: Array, m: float, D: Array, near: Array, total: Array) -> None:
    """u^m w of the rows of a group, from squared distances, into D (K, LANES)."""
    power = 1.0 / (m - 1.0)
    for r in range(LANES):
        near[r] = np.inf
        total[r] = 0.0
    for k in range(len(D)):
        _squares(C, g, centres, k, D)
        for r in range(LANES):
            near[r] = D[k, r] if D[k, r] < near[r] else near[r]
    for k in range(len(D)):
        for r in range(LANES):
            x = np.divide(near[r], D[k, r])  # of a row at a centre no number there, and 0 elsewhere
            at = 1.0 if x != x else 0.0
            D[k, r] = x if near[r] > 0.0 else at
        if power != 1.0:
            for r in range(LANES):
                D[k, r] = D[k, r] ** power
        for r in range(LANES):
            total[r] += D[k, r]
    for r in range(LANES):
        total[r] = np.divide(1.0, total[r])
    for k in range(len(D)):
        for r in range(LANES):
            x = D[k, r] * total[r]
            D[k, r] = x * x * w[g, r] if m == 2.0 else x**m * w[g, r]


@inner
def _squares(C: Array, g: int, centres: Array, k: int, D: Array) -> None:
    """Squared distances of the rows of a group to a centre, four columns at a time, as sums are fetched each turn."""
    d = C.shape[1]
    four = d - d % 4
    for r in range(LANES):
        D[k, r] = 0.0
    for j in range(0, four, 4):
        c, e, f, h = centres[k, j], centres[k, j + 1], centres[k, j + 2], centres[k, j + 3]
        for r in range(LANES):
            x, y, z, u = C[g, j, r] - c, C[g, j + 1, r] - e, C[g, j + 2, r] - f, C[g, j + 3, r] - h
            D[k, r] = fma(u, u, fma(z, z, fma(y, y, fma(x, x, D[k, r]))))
    for j in range(four, d):
        c = centres[k, j]
        for r in range(LANES):
            x = C[g, j, r] - c
            D[k, r] = fma(x, x, D[k, r])


@loop
def add_shared(
    C: Array, w: Array, centres: Array, m: float, rows: Array, weight: Array, first: Array, second: Array
) -> None:
    """Add u^m w of each cluster, and times (x - c) and its square, to sums (K,) and (K, d)."""
    K, d = centres.shape
    D, near, total = np.empty((K, LANES)), np.empty(LANES), np.empty(LANES)
    mass, sums, squares = np.zeros((K, LANES)), np.zeros((K, d, LANES)), np.zeros((K, d, LANES))
    for g in range(len(C)):
        share_rows(C, w, g, centres, m, D, near, total)
        for k in range(K):  # each row of the group has sums of its own: nothing waits for the sum before
            count = 0
            for r in range(LANES):
                mass[k, r] += D[k, r]
                count += D[k, r] != 0.0
            rows[k] += count
            for j in range(d):
                c = centres[k, j]
                for r in range(LANES):
                    t = C[g, j, r] - c
                    part = D[k, r] * t
                    sums[k, j, r] += part
                    squares[k, j, r] = fma(part, t, squares[k, j, r])
    for k in range(K):
        weight[k] += mass[k].sum()
        for j in range(d):
            first[k, j] += sums[k, j].sum()
            second[k, j] += squares[k, j].sum()
