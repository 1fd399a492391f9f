"""Which rows are within a radius, some rows at a time: by a k-d tree where the distance is a length, else by tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.spaces.distances.distance import Distance, Embedded, measured
from suffice.spaces.distances.given_distances import Precomputed

CELLS = 1 << 22  # of distances, or pairs, held at a time
FEW = 1 << 25  # pairs that are found at once
DEEP = 20  # columns above which a tree no longer prunes
DOUBT = 1e-9  # share of a radius within which a distance from products may lie on its other side; they keep 1e-12


def near_pairs(X: Any, distance: Distance, radius: float) -> Iterator[tuple[Array, Array]]:
    """Pairs (i, j) of rows within a radius, a row and itself too, some i after the other."""
    if isinstance(distance, Precomputed) and hasattr(X, "tocsr"):
        yield _stored(X, radius)
    elif isinstance(distance, Embedded) and not hasattr(X, "tocsr") and X.shape[1] <= DEEP:
        yield from _by_tree(distance.place(X), distance, radius)
    else:
        yield from _by_tables(X, distance, radius)


def _stored(X: Any, radius: float) -> tuple[Array, Array]:
    """The stored cells of a sparse table of distances, and the diagonal."""
    table = X.tocoo()
    near = (table.data <= radius) & (table.row != table.col)
    own = np.arange(X.shape[0])
    return np.concatenate([own, table.row[near]]), np.concatenate([own, table.col[near]])


def _by_tree(places: Array, distance: Embedded, radius: float) -> Iterator[tuple[Array, Array]]:
    from scipy.spatial import cKDTree

    tree = cKDTree(places)
    length, n = distance.to_length(radius), len(places)
    length = float(np.nextafter(length, np.inf)) if length > 0 else length  # rows at the radius itself are near
    if tree.count_neighbors(tree, length, p=distance.power) <= FEW:
        i, j = tree.query_pairs(length, p=distance.power, output_type="ndarray").T
        own = np.arange(n)
        yield np.concatenate([own, i, j]), np.concatenate([own, j, i])
        return
    start, step = 0, 256
    while start < n:
        rows = slice(start, min(start + step, n))
        found = tree.query_ball_point(places[rows], length, p=distance.power)
        sizes = np.array([len(each) for each in found])
        i = np.repeat(np.arange(rows.start, rows.stop), sizes)
        j = np.fromiter((j for each in found for j in each), dtype=np.int64, count=int(sizes.sum()))
        yield i, j
        start = rows.stop
        step = int(np.clip(CELLS // max(1.0, float(sizes.mean())), 64, 65_536))


def _by_tables(X: Any, distance: Distance, radius: float) -> Iterator[tuple[Array, Array]]:
    n = int(X.shape[0])
    given = isinstance(distance, Precomputed)
    rows = X if given else X.toarray() if hasattr(X, "toarray") else X
    towards = distance.between if given else distance.towards(rows)
    step, exact = max(1, CELLS // max(1, n)), isinstance(distance, Embedded)
    for start in range(0, n, step):
        some = rows[start : start + step]
        D = measured(distance, towards(some), start) if distance.given else towards(some)
        if exact:
            _measure_doubtful(D, some, rows, distance, radius)
        i, j = np.nonzero(radius >= D)
        yield i + start, j


def _measure_doubtful(D: Array, X: Array, rows: Array, distance: Distance, radius: float) -> None:
    """Distances at the radius but for rounding, taken again from differences: matrix products cannot tell."""
    i, j = np.nonzero(np.abs(D - radius) <= DOUBT * radius)
    step = max(1, CELLS // max(1, rows.shape[1]))
    for start in range(0, len(i), step):
        at = i[start : start + step], j[start : start + step]
        D[at] = distance.paired(X[at[0]], rows[at[1]])
