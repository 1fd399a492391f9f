"""What places of a map push each other away by, over all pairs: the shortest way for up to some thousand rows.

Z = sum_{i != j} q'_ij,     push_i = sum_j q'_ij^2 (y_i - y_j),     q'_ij = (1 + |y_i - y_j|^2)^-1

Differences and sums are in single precision, eight pairs at once: 0.3 ns a pair, where a tree takes 10 ns a cell and
sees some hundred cells a row. In units of a
map some hundred wide a place is off by 1e-5, and q' is flat below 1.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.numerics.loop import loop

TOGETHER = 128  # rows whose sums are made together
PIECES = 2  # of work for each thread, as one may begin late


class Pushing(NamedTuple):
    """Work that fills an array, in pieces for threads."""

    work: list[Callable[[], float]]  # each gives its part of Z
    push: Array  # (n, k), full when all is done


Repulsion = Callable[[Array], Pushing]  # of places (n, k)


def runs_of(n: int, threads: int) -> list[tuple[int, int]]:
    """Rows in runs, some for each thread.

    >>> runs_of(8, 2)
    [(0, 2), (2, 4), (4, 6), (6, 8)]
    """
    edges = np.linspace(0, n, PIECES * max(threads, 1) + 1).astype(int)
    return [(int(a), int(b)) for a, b in itertools.pairwise(edges)]


def pair_repulsion(threads: int) -> Repulsion:
    """Over all pairs of rows; of maps with one or two axes."""

    def repulsion(Y: Array) -> Pushing:
        n, k = Y.shape
        places, push = np.zeros((2, n), dtype=np.float32), np.empty((2, n))
        places[:k] = Y.T
        return Pushing([partial(all_pairs, places, a, b, push) for a, b in runs_of(n, threads)], push[:k].T)

    return repulsion


def all_pairs_twin(Y: Array, a: int, b: int, push: Array) -> float:
    """The loop in NumPy."""
    gap = Y[:, a:b, None].astype(np.float64) - Y[:, None, :]
    q = 1.0 / (1.0 + (gap**2).sum(axis=0))
    push[:, a:b] = (q**2 * gap).sum(axis=2)
    return float(q.sum() - (b - a))


@loop
def all_pairs(Y, a, b, push):  # type: ignore[no-untyped-def]
    """Push of the rows from a to b, and their sum of q'; np.divide, as under `/` numba looks for zeros, one by one."""
    n, one = Y.shape[1], np.float32(1.0)
    here = np.empty((2, TOGETHER), dtype=np.float32)
    sums = np.empty((3, TOGETHER), dtype=np.float32)
    x, y, px, py, s = here[0], here[1], sums[0], sums[1], sums[2]
    whole = 0.0
    for i in range(a, b, TOGETHER):
        m = min(TOGETHER, b - i)
        sums[:] = np.float32(0.0)
        for t in range(TOGETHER):
            x[t], y[t] = Y[0, i + min(t, m - 1)], Y[1, i + min(t, m - 1)]
        for j in range(n):
            xj, yj = Y[0, j], Y[1, j]
            for t in range(TOGETHER):
                dx, dy = x[t] - xj, y[t] - yj
                q = np.divide(one, one + dx * dx + dy * dy)
                s[t] += q
                q = q * q
                px[t] += q * dx
                py[t] += q * dy
        for t in range(m):
            whole += s[t] - 1.0  # itself
            push[0, i + t], push[1, i + t] = px[t], py[t]
    return whole
