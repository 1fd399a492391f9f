"""Brute force in tiles: every distance is looked at, a few are kept.

Euclidean candidates come from matrix products, norm(z)^2 - 2 x.z, about the centre; the few that are kept are measured
by their differences. A bound on the rounding of the products certifies that no other row can be nearer; where it does
not (ties, rows that nearly coincide) all rows below the bound are measured.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np

from suffice.core.block import Array
from suffice.numerics.blas_threads import one_thread_each
from suffice.numerics.loop import loop, pays, whole
from suffice.numerics.threads import in_threads, processors
from suffice.spaces.distances.distance import Distance, Embedded, check_columns, measured
from suffice.spaces.distances.given_distances import Precomputed
from suffice.spaces.euclidean import Centred
from suffice.spaces.search.found_neighbours import (
    Nearest,
    Within,
    exact_lengths,
    gathered,
    in_order,
    least_of_rows,
    read_count,
    read_radius,
)

TILE = 1 << 20  # distances at a time
MORE = 4  # candidates beyond k
FEW = 64  # candidates that are kept in order as they come
QUERIES, COLUMNS = 256, 512  # products at a time: a megabyte stays in the second-level cache
GROUP = 64  # products that are compared at once
EPS, EPS_SINGLE = float(np.finfo(np.float64).eps), float(np.finfo(np.float32).eps)
MIDDLING = 2.0**-60, 2.0**60  # squares whose products single precision neither loses nor overflows


@dataclass(frozen=True)
class BruteSearch:
    """Looks at every row. For every distance, also those that are no metrics."""

    rows: Any  # (m, d), may be sparse; m rows of any kind for functions
    distance: Distance
    threads: int | None = None

    @property
    def n(self) -> int:
        """How many rows it holds."""
        return int(self.rows.shape[0]) if hasattr(self.rows, "shape") else len(self.rows)

    @cached_property
    def _places(self) -> Centred:
        """The rows where lengths are measured, about their centre."""
        assert isinstance(self.distance, Embedded)
        return Centred.of(self.distance.place(self.rows))

    @cached_property
    def _single(self) -> Array | None:
        """The same in single precision, where no product leaves its range: half the bytes, half the time."""
        squares = self._places.squares
        least, most = MIDDLING
        return _with_squares(self._places, np.float32) if least < squares.max(initial=0.0) < most else None

    @property
    def _by_products(self) -> bool:
        return isinstance(self.distance, Embedded) and self.distance.power == 2.0

    def nearest(self, X: Any, k: int) -> Nearest:
        """The k nearest rows of each row of X."""
        k = read_count(k)
        work = self._nearest_by_products if self._by_products else self._nearest_by_tables
        found = self._in_tiles(X, self._queries(X, k), lambda some, start: work(some, k, start))
        if not found:
            return Nearest(np.empty((0, k)), np.empty((0, k), dtype=np.intp))
        return Nearest(np.concatenate([f.distance for f in found]), np.concatenate([f.numbers for f in found]))

    def within(self, X: Any, radius: Any) -> Within:
        """All rows at most `radius` away."""
        radii = np.broadcast_to(np.asarray(radius, dtype=np.float64), (_count(X),))
        pieces: list[tuple[Array, Array]] = []
        for start, some in _tiles(X, self._step):
            pieces += self._within(some, radii[start : start + _count(some)], start)
        return gathered(pieces)

    @property
    def _step(self) -> int:
        return max(1, TILE // max(1, self.n))

    def _queries(self, X: Any, k: int) -> int:
        """How many queries make a tile: many where products are looped over in tiles of their own."""
        looped = self._by_products and k + MORE <= FEW and pays(_count(X) * self.n)
        return max(self._step, QUERIES) if looped else self._step

    def _in_tiles(self, X: Any, step: int, work: Any) -> list[Nearest]:
        """Tiles of queries, by several threads where it pays; each multiplies by itself."""
        tiles = _tiles(X, step)
        threads = self.threads or processors()
        cells = _count(X) * self.n

        def part(tile: tuple[int, Any], go_on: Any = None) -> Nearest:
            with whole(cells):
                return cast(Nearest, work(tile[1], tile[0]))

        if not self._by_products:
            return [part(tile) for tile in tiles]
        if pays(cells):
            self._single  # noqa: B018  (made once, before the threads)
        with one_thread_each():
            return in_threads(part, tiles, threads)

    def _measured(self, X: Any, start: int) -> Array:
        """d of each row of X, which are those from `start` on, and each row held (n, m)."""
        given = isinstance(self.distance, Precomputed)
        return measured(self.distance, self.distance.between(X, None if given else self.rows), start)

    def _nearest_by_tables(self, X: Any, k: int, start: int) -> Nearest:
        return Nearest(*least_of_rows(self._measured(X, start), k))

    def _nearest_by_products(self, X: Any, k: int, start: int) -> Nearest:
        distance, near = self.distance, self._places
        assert isinstance(distance, Embedded)
        given = check_columns(distance, distance.place(X), near.rows)
        lengths, index = nearest_places(near, given, k, self._single if pays(len(given) * len(near.rows)) else None)
        return Nearest(distance.of_lengths(lengths), index)

    def _within(self, X: Any, radii: Array, start: int) -> list[tuple[Array, Array]]:
        if not self._by_products:
            D = self._measured(X, start)
            near = [np.flatnonzero(row <= r) for row, r in zip(D, radii, strict=True)]
            return [(at, row[at]) for at, row in zip(near, D, strict=True)]
        distance, places = self.distance, self._places
        assert isinstance(distance, Embedded)
        given = check_columns(distance, distance.place(X), places.rows)
        lengths = read_radius(distance, radii, len(given))
        about = given - places.centre
        squares = np.einsum("ij,ij->i", about, about)
        V = places.squares - 2.0 * (about @ places.rows.T)
        reach = lengths**2 - squares + _slack(squares, places) + 4.0 * EPS * lengths**2
        pieces = []
        for i in range(len(given)):
            at = np.flatnonzero(~(V[i] > reach[i]))
            d = distance.of_lengths(exact_lengths(given[i : i + 1], places.given, at[None], 2.0)[0])
            kept = d <= radii[i]
            pieces.append((at[kept], d[kept]))
        return pieces


def nearest_places(near: Centred, X: Array, k: int, single: Array | None = None) -> tuple[Array, Array]:
    """Euclidean lengths to the k nearest of some rows, and their numbers (n, k) each.

    Parameters
    ----------
    near : the rows, about their centre
    X : queries
    k : how many
    single : the rows and their squares (m, d + 1) in single precision, where candidates may come from these
    """
    m = len(near.rows)
    many = min(k + MORE, m)
    about = X - near.centre
    squares = np.einsum("ij,ij->i", about, about)
    values, index = _candidates(about, near, many, single)
    lengths, index = in_order(exact_lengths(X, near.given, index, 2.0), index)
    lengths, index = np.ascontiguousarray(lengths[:, :k]), np.ascontiguousarray(index[:, :k])
    if many == m:
        return lengths, index
    with np.errstate(over="ignore", invalid="ignore"):
        safe = lengths[:, -1] ** 2 - squares < values - _slack(squares, near, EPS if single is None else EPS_SINGLE)
    unsafe = np.flatnonzero(~safe)
    if len(unsafe) and single is not None:
        lengths[unsafe], index[unsafe] = nearest_places(near, X[unsafe], k)
        return lengths, index
    for i in unsafe:
        lengths[i], index[i] = _all_below(near, X[i], about[i], k)
    return lengths, index


def _slack(squares: Array, near: Centred, eps: float = EPS) -> Array:
    """By how much rounding may change norm(z)^2 - 2 x.z of any row z."""
    top = float(near.squares.max(initial=0.0))
    return np.asarray((2.0 * near.rows.shape[1] + 16.0) * eps * (squares + top))


def _candidates(about: Array, near: Centred, many: int, single: Array | None) -> tuple[Array, Array]:
    """The largest of the `many` least values norm(z)^2 - 2 x.z (n,), and the numbers of their rows (n, many)."""
    if many <= FEW and pays(len(about) * len(near.rows)):
        best, at = _looped(about, _with_squares(near, np.float64) if single is None else single, many)
        if np.isfinite(best[:, -1]).all():
            return best[:, -1].astype(np.float64), at
    with np.errstate(over="ignore", invalid="ignore"):
        V = about @ near.rows.T
    V *= -2.0
    V += near.squares
    V[np.isnan(V)] = np.inf
    if many == V.shape[1]:
        return V.max(axis=1), np.broadcast_to(np.arange(many), V.shape)
    at = np.argpartition(V, many - 1, axis=1)[:, :many]
    return np.take_along_axis(V, at, axis=1).max(axis=1), at


def _with_squares(near: Centred, dtype: Any) -> Array:
    """Rows and their squares (m, d + 1): what norm(z)^2 - 2 x.z is one product with."""
    return np.column_stack([near.rows, near.squares]).astype(dtype)


def _looped(about: Array, rows: Array, many: int) -> tuple[Array, Array]:
    """The least values of each row and their numbers, in small tiles: a new array of products costs more than they."""
    n, m = len(about), len(rows)
    best, at = np.full((n, many), np.inf, dtype=rows.dtype), np.zeros((n, many), dtype=np.intp)
    buffer = np.empty((min(n, QUERIES), min(m, COLUMNS)), dtype=rows.dtype)
    with np.errstate(over="ignore", invalid="ignore"):
        asked = np.column_stack([-2.0 * about, np.ones(n)]).astype(rows.dtype)
        for first in range(0, n, QUERIES):
            some = asked[first : first + QUERIES]
            for start in range(0, m, COLUMNS):
                tile = rows[start : start + COLUMNS]
                V = buffer[: len(some), : len(tile)]
                np.matmul(some, tile.T, out=V)
                _keep_least(V, start, best[first : first + QUERIES], at[first : first + QUERIES])
    return best, at


def _all_below(near: Centred, x: Array, about: Array, k: int) -> tuple[Array, Array]:
    """The k nearest of one query, from all rows that the products cannot tell apart from them."""
    with np.errstate(over="ignore", invalid="ignore"):
        V = near.squares - 2.0 * (near.rows @ about)
        last = np.partition(V, k - 1)[k - 1]
        slack = _slack(np.array([about @ about]), near)[0]
    some = np.flatnonzero(~(last + 2.0 * slack < V))
    lengths, at = least_of_rows(exact_lengths(x[None], near.given, some[None], 2.0), k)
    return lengths[0], some[at[0]]


def _count(X: Any) -> int:
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)


def _tiles(X: Any, step: int) -> list[tuple[int, Any]]:
    """Rows in pieces, with the number of the first of each."""
    n = _count(X)
    return [(start, X[start : start + step]) for start in range(0, n, step)]


@loop
def _keep_least(V: Array, start: int, best: Array, at: Array) -> None:
    """The least values of each row, sorted, and their columns, counted from `start`.

    Whether any of a group is among them is asked of all at once, in vectors, as hardly any is.
    """
    many, m = best.shape[1], V.shape[1]
    for i in range(V.shape[0]):
        worst = best[i, many - 1]
        for first in range(0, m, GROUP):
            hit = np.int32(first + GROUP > m)
            if not hit:
                group = V[i, first : first + GROUP]
                for j in range(GROUP):
                    hit |= np.int32(1) if group[j] < worst else np.int32(0)  # as wide as a product
            if hit:
                for j in range(first, min(first + GROUP, m)):
                    value = V[i, j]
                    if value < worst:
                        place = many - 1
                        while place > 0 and best[i, place - 1] > value:
                            best[i, place] = best[i, place - 1]
                            at[i, place] = at[i, place - 1]
                            place -= 1
                        best[i, place] = value
                        at[i, place] = start + j
                        worst = best[i, many - 1]
