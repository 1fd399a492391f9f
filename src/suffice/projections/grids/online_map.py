"""The online rule of a self-organising map: row after row pulls its best unit, and those near it on the grid less.

w_u <- w_u + a_t h_t(u, b) (x - w_u),     a_t = a (1 - t/T),     h_t = exp(-|g_u - g_b|^2 / (2 s_t^2)),     s_t falls
from s to 1/2. (How the rate and the width fall is ours: the source leaves it open.)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.numerics.loop import available, loop
from suffice.projections.grids.unit_grid import UnitGrid

LEAST, FAR = 0.5, 3.0  # width at the end; widths beyond which nothing is pulled
WORTH = 2_000_000  # numbers looked at from which the loop pays


def train_online(X: Array, order: Array, weights: Array, grid: UnitGrid, rate: float, width: float) -> Array:
    """Weights (K, d) after rows in an order have pulled them; `weights` is changed in place."""
    X, places = np.ascontiguousarray(X, dtype=np.float64), np.ascontiguousarray(grid.places)
    if weights.size * len(order) >= WORTH and available():
        pull_rows(X, order.astype(np.int64), weights, places, rate, width)
    else:
        pull_rows_twin(X, order, weights, places, rate, width)
    return weights


def pull_rows_twin(X: Array, order: Array, W: Array, places: Array, rate: float, width: float) -> None:
    """The loop, in NumPy."""
    T = len(order)
    for t, i in enumerate(order.tolist()):
        b = int(((W - X[i]) ** 2).sum(axis=1).argmin())
        s = max(width * (1.0 - t / T), LEAST)
        squares = ((places - places[b]) ** 2).sum(axis=1)
        pull = np.where(squares <= (FAR * s) ** 2, rate * (1.0 - t / T) * np.exp(-squares / (2.0 * s * s)), 0.0)
        W += pull[:, None] * (X[i] - W)


@loop
def pull_rows(X, order, W, places, rate, width):  # type: ignore[no-untyped-def]
    """All rows of an order."""
    K, d = W.shape
    T = len(order)
    for t in range(T):
        x = X[order[t]]
        best, least = 0, np.inf
        for u in range(K):
            total = 0.0
            for c in range(d):
                gap = W[u, c] - x[c]
                total += gap * gap
            if total < least:
                best, least = u, total
        left = 1.0 - t / T
        s = width * left
        if s < LEAST:
            s = LEAST
        reach = (FAR * s) * (FAR * s)
        for u in range(K):
            a, b = places[u, 0] - places[best, 0], places[u, 1] - places[best, 1]
            square = a * a + b * b
            if square <= reach:
                h = rate * left * np.exp(-square / (2.0 * s * s))
                for c in range(d):
                    W[u, c] += h * (x[c] - W[u, c])


def visits(n: int, w: Array | None, steps: int, rng: Any) -> Array:
    """Numbers of the rows to visit: all in a random order, again and again; by weight where rows have some."""
    if w is not None:
        return np.asarray(rng.choice(n, size=steps, p=w / w.sum()))
    rounds = -(-steps // n)
    return np.concatenate([rng.permutation(n) for _ in range(rounds)])[:steps]
