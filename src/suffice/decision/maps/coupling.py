"""Probabilities of many classes from those of pairs.

r_ij is the probability of class i where only i and j come into question. The shares p that fit all pairs best have

    the least of  sum over i and j != i of (r_ji p_i - r_ij p_j)^2,    sum of p = 1

which is one linear system a row: Q p = b for all classes, with Q_ii = sum_j r_ji^2, Q_ij = -r_ji r_ij and one number b.

T.-F. Wu, C.-J. Lin and R. Weng, Probability estimates for multi-class classification by pairwise coupling (2004).
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from suffice.core.block import Array

SURE = 1e-7  # distance of r from 0 and 1: pairs that are sure of opposite things have no shares otherwise
ROWS = 4096  # solved at a time


def couple(first: Array, K: int) -> Array:
    """Probabilities (n, K) from those of the first class of each pair (n, P), in the order (0, 1), (0, 2), ..."""
    parts = [first[start : start + ROWS] for start in range(0, len(first), ROWS)]
    return np.concatenate([_coupled(_table(part, K)) for part in parts]) if parts else np.empty((0, K))


def _table(first: Array, K: int) -> Array:
    """r (n, K, K), 0 on the diagonal."""
    r = np.zeros((len(first), K, K))
    sure = np.clip(first, SURE, 1.0 - SURE)
    for column, (i, j) in enumerate(combinations(range(K), 2)):
        r[:, i, j], r[:, j, i] = sure[:, column], 1.0 - sure[:, column]
    return r


def _coupled(r: Array) -> Array:
    """The shares of each row (n, K): none is below SURE / K."""
    n, K, _ = r.shape
    system, right = np.zeros((n, K + 1, K + 1)), np.zeros((n, K + 1, 1))
    system[:, :K, :K] = -r * r.transpose(0, 2, 1)
    system[:, np.arange(K), np.arange(K)] = (r**2).sum(axis=1)
    system[:, :K, K] = system[:, K, :K] = 1.0  # the last unknown is -b, the last equation sum p = 1
    right[:, K] = 1.0
    return np.asarray(np.linalg.solve(system, right)[:, :K, 0])
