"""What a search finds. Of rows at one distance, the one of the lowest number comes first, whoever searched."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.spaces.distances.distance import Embedded, comparable
from suffice.spaces.distances.lengths import lengths_of

CELLS = 1 << 21  # of differences worked on at a time


class Nearest(NamedTuple):
    """The k nearest rows of each query, the nearest first."""

    distance: Array  # (n, k)
    numbers: Array  # (n, k) of the rows


class Within(NamedTuple):
    """All rows within a radius of each query, as one list cut in pieces; in the order of their numbers."""

    starts: Array  # (n + 1,) where the piece of each query begins
    numbers: Array  # of the rows
    distance: Array

    def by_distance(self) -> Within:
        """The nearest of each query first."""
        query = np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))
        order = np.lexsort((self.numbers, self.distance, query))
        return Within(self.starts, self.numbers[order], self.distance[order])

    def where(self, kept: Array) -> Within:
        """Some of them."""
        query = np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))
        counts = np.bincount(query[kept], minlength=len(self.starts) - 1)
        starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.intp)
        return Within(starts, self.numbers[kept], self.distance[kept])

    def split(self, values: Array) -> list[Array]:
        """Values of the list by query."""
        return np.split(values, self.starts[1:-1])


class Search(Protocol):
    """Finds near rows among those it holds."""

    @property
    def n(self) -> int:
        """How many rows it holds."""

    def nearest(self, X: Any, k: int) -> Nearest:
        """The k nearest rows of each row of X."""

    def within(self, X: Any, radius: Any) -> Within:
        """All rows at most `radius` away from each row of X; one radius, or one a row."""


def gathered(pieces: list[tuple[Array, Array]]) -> Within:
    """Numbers and distances of each query as one list."""
    starts = np.concatenate([[0], np.cumsum([len(index) for index, _ in pieces])]).astype(np.intp)
    index = np.concatenate([index for index, _ in pieces]) if pieces else np.empty(0)
    distance = np.concatenate([d for _, d in pieces]) if pieces else np.empty(0)
    return Within(starts, index.astype(np.intp), distance.astype(np.float64))


def least_of_rows(D: Array, k: int) -> tuple[Array, Array]:
    """The k least of each row and their columns, the least first; of equals, the lowest column.

    >>> [a.tolist() for a in least_of_rows(np.array([[3.0, 1.0, 1.0, 0.0, 1.0]]), 3)]
    [[[0.0, 1.0, 1.0]], [[3, 1, 2]]]
    """
    D = comparable(D)
    m = D.shape[1]
    if k >= m:
        index = np.argsort(D, axis=1, kind="stable")
        return np.take_along_axis(D, index, axis=1), index
    index = np.argpartition(D, k - 1, axis=1)[:, :k]
    last = np.take_along_axis(D, index[:, -1:], axis=1)
    tied = np.flatnonzero((last >= D).sum(axis=1) > k)  # more rows at the last distance than places
    for i in tied:
        below = np.flatnonzero(D[i] < last[i])
        index[i] = np.concatenate([below, np.flatnonzero(D[i] == last[i])[: k - len(below)]])
    return in_order(np.take_along_axis(D, index, axis=1), index)


def read_count(k: Any) -> int:
    """How many rows are asked for."""
    if isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 1:
        raise bad("nearest", "k", "a whole number of at least 1", k, "Give 1 for the nearest row.")
    return int(k)


def in_order(D: Array, index: Array) -> tuple[Array, Array]:
    """Rows of distances and numbers, sorted by distance and then by number."""
    by_number = np.argsort(index, axis=1)
    D, index = np.take_along_axis(D, by_number, axis=1), np.take_along_axis(index, by_number, axis=1)
    order = np.argsort(D, axis=1, kind="stable")
    return np.take_along_axis(D, order, axis=1), np.take_along_axis(index, order, axis=1)


def exact_lengths(X: Array, rows: Array, index: Array, p: float) -> Array:
    """Lengths of row i of X and the rows of numbers index[i] (n, k), from their differences."""
    n, k = index.shape
    found = np.empty((n, k))
    step = max(1, CELLS // max(1, k * X.shape[1]))
    for start in range(0, n, step):
        some = index[start : start + step]
        apart = X[start : start + step, None] - rows[some]
        found[start : start + step] = lengths_of(apart.reshape(-1, X.shape[1]), p).reshape(some.shape)
    return found


def read_radius(distance: Any, radius: Any, n: int) -> Array:
    """One radius a query, as a length where the distance is embedded."""
    radii = np.broadcast_to(np.asarray(radius, dtype=np.float64), (n,))
    if not isinstance(distance, Embedded):
        return radii
    known: dict[float, float] = {}
    return np.array([known.setdefault(r, distance.to_length(r)) for r in radii.tolist()], dtype=np.float64)
