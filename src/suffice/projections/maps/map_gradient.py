"""The gradient of t-SNE: over all pairs, or what near rows pull by and a repulsion.

dC/dy_i = 4 (sum_j p_ij q'_ij (y_i - y_j) - sum_j q'_ij^2 (y_i - y_j) / Z),     q' = (1 + |y_i - y_j|^2)^-1, Z = sum q'
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from scipy.sparse import triu

from suffice.core.block import Array
from suffice.numerics.loop import available, loop
from suffice.numerics.threads import in_threads
from suffice.projections.maps.repulsion_grid import grid_repulsion
from suffice.projections.maps.repulsion_pairs import Repulsion, pair_repulsion, runs_of
from suffice.projections.maps.repulsion_tree import tree_repulsion

LEAST_ROWS = 400  # from which a gradient of near rows alone, and the compiled loops behind it, pay
PLANE, SPACE = 2, 3  # axes of a map; a grid, and loops over all pairs, are in a plane, a tree may be in space
ALL_PAIRS = 5_000  # rows up to which all pairs push each other sooner than a grid does
SEVERAL_THREADS = 3_000  # rows from which a step takes long enough for another thread to begin
Gradient = Callable[..., tuple[float, Array]]  # places, whether the divergence is asked for -> it, or NaN; gradient


def exact_gradient(P: Array) -> Gradient:
    """Of joint probabilities (n, n), all pairs at once."""
    some = P > 0
    constant, total = float((P[some] * np.log(P[some])).sum()), float(P.sum())

    def gradient(Y: Array, asked: bool = True) -> tuple[float, Array]:
        squares = (Y**2).sum(axis=1)
        q = squares[:, None] + squares[None, :] - 2.0 * (Y @ Y.T)
        np.maximum(q, 0.0, out=q)
        q += 1.0
        np.reciprocal(q, out=q)
        np.fill_diagonal(q, 0.0)
        Z = q.sum()
        cost = constant - float((P[some] * np.log(q[some])).sum()) + total * np.log(Z) if asked else np.nan
        W = (P - q / Z) * q
        return float(cost), 4.0 * (W.sum(axis=1)[:, None] * Y - W @ Y)

    return gradient


def near_gradient(P: Any, repulsion: Repulsion, threads: int) -> Gradient:
    """Of joint probabilities of near rows alone, sparse (n, n), with what pushes all rows away from each other.

    Each pair of near rows is met once: what pulls one pulls the other back.
    """
    n, total = P.shape[0], float(P.data.sum())
    pairs = triu(P, 1).tocsr()
    values = pairs.data.astype(np.float64)
    some = values[values > 0]
    constant = 2.0 * float((some * np.log(some)).sum())
    edges = pairs.indptr.astype(np.int64), pairs.indices.astype(np.uint32), values
    runs, threads = _even_runs(edges[0], threads), threads if n >= SEVERAL_THREADS else 1

    def gradient(Y: Array, asked: bool = True) -> tuple[float, Array]:
        k = Y.shape[1]
        places = np.hstack([Y, np.zeros((n, 1))]) if k == 1 else Y
        pull, pulls = np.empty((len(runs), *places.shape)), near_forces if k > PLANE else plane_forces
        near = [partial(pulls, places, *run, *edges, *rest) for run, *rest in zip(runs, pull, strict=True)]
        logs = [partial(near_logs, places, *run, *edges) for run in runs] if asked else []
        pushing = repulsion(Y)
        work: list[Callable[[], float]] = [*pushing.work, *near, *logs]
        found = in_threads(_done, work, threads)
        Z, spread = sum(found[: len(pushing.work)]), sum(found[len(pushing.work) :])
        cost = constant + total * np.log(Z) + 2.0 * spread if asked else np.nan
        return float(cost), 4.0 * (pull.sum(axis=0)[:, :k] - pushing.push / Z)

    return gradient


def _even_runs(starts: Array, threads: int) -> list[tuple[int, int]]:
    """Rows in runs of about as many pairs each."""
    pieces = len(runs_of(len(starts) - 1, threads))
    edges = np.searchsorted(starts, np.linspace(0, starts[-1], pieces + 1)[1:-1])
    return list(itertools.pairwise([0, *(int(edge) for edge in edges), len(starts) - 1]))


def _done(piece: Callable[[], float], go_on: Any) -> float:
    return piece()


def repulsion_for(n: int, k: int, method: str, angle: float, threads: int) -> Repulsion | None:
    """How rows push each other away; None where all pairs in NumPy are best: few rows, many axes, no compiler."""
    if method == "exact" or k > SPACE or (n < LEAST_ROWS and method != "interpolation") or not available():
        return None
    best = "barnes_hut" if k > PLANE else "pairs" if n <= ALL_PAIRS else "interpolation"
    ways: dict[str, Callable[[], Repulsion]] = {
        "pairs": lambda: pair_repulsion(threads),
        "interpolation": grid_repulsion,
        "barnes_hut": lambda: tree_repulsion(angle, threads),
    }
    return ways[best if method == "auto" else method]()


def near_forces_twin(Y: Array, a: int, b: int, starts: Array, columns: Array, values: Array, pull: Array) -> float:
    """The loops in NumPy."""
    i = np.repeat(np.arange(a, b), np.diff(starts[a : b + 1]))
    j, p = columns[starts[a] : starts[b]], values[starts[a] : starts[b]]
    gap = Y[i] - Y[j]
    force = (p / (1.0 + (gap**2).sum(axis=1)))[:, None] * gap
    pull[:] = 0.0
    np.add.at(pull, i, force)
    np.subtract.at(pull, j, force)
    return 0.0


@loop
def near_forces(Y, a, b, starts, columns, values, pull):  # type: ignore[no-untyped-def]
    """What the pairs whose first row is from a to b pull both by; 0, as every piece of work gives a number."""
    k = Y.shape[1]
    pull[:] = 0.0
    for i in range(a, b):
        for e in range(starts[i], starts[i + 1]):
            j, d2 = columns[e], 0.0
            for c in range(k):
                d2 += (Y[i, c] - Y[j, c]) ** 2
            for c in range(k):
                force = values[e] / (1.0 + d2) * (Y[i, c] - Y[j, c])
                pull[i, c] += force
                pull[j, c] -= force
    return 0.0


@loop
def plane_forces(Y, a, b, starts, columns, values, pull):  # type: ignore[no-untyped-def]
    """The same in a plane, with sums of the first row in registers."""
    pull[:] = 0.0
    for i in range(a, b):
        x, y, px, py = Y[i, 0], Y[i, 1], 0.0, 0.0
        for e in range(starts[i], starts[i + 1]):
            j = columns[e]
            dx, dy = x - Y[j, 0], y - Y[j, 1]
            q = np.divide(values[e], 1.0 + dx * dx + dy * dy)
            px += q * dx
            py += q * dy
            pull[j, 0] -= q * dx
            pull[j, 1] -= q * dy
        pull[i, 0] += px
        pull[i, 1] += py
    return 0.0


@loop
def near_logs(Y, a, b, starts, columns, values):  # type: ignore[no-untyped-def]
    """Sum of p log(1 + d^2) over the same pairs."""
    total = 0.0
    for i in range(a, b):
        for e in range(starts[i], starts[i + 1]):
            d2 = 0.0
            for c in range(Y.shape[1]):
                d2 += (Y[i, c] - Y[columns[e], c]) ** 2
            total += values[e] * np.log(1.0 + d2)
    return total
