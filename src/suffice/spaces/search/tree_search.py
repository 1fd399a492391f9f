"""A k-d tree, SciPy's: for distances that are Minkowski lengths of few columns."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.spaces.distances.distance import Embedded, check_columns
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
from suffice.spaces.search.grid_order import neighbours_together, sort_by_cell

MANY = 2_000  # rows from which those that ask are put in order
LARGE = 100_000  # rows from which a tree of rows in order is built sooner, order included
CLOSE = 1e-10  # lengths within this share of one another are measured again before they are called equal or not


@dataclass(frozen=True)
class KdTreeSearch:
    """Halves the rows along one column after another; p of at least 1."""

    rows: Any  # (m, d)
    distance: Embedded
    leaf_size: int = 30
    threads: int | None = None

    @property
    def n(self) -> int:
        """How many rows it holds."""
        return int(self.rows.shape[0])

    @cached_property
    def _places(self) -> Array:
        return np.ascontiguousarray(self.distance.place(self.rows))

    @cached_property
    def _order(self) -> Array | None:
        """The numbers of the rows as the tree holds them; none where they are as they came."""
        places = self._places
        return neighbours_together(places) if len(places) >= LARGE and sort_by_cell.pays(places.size) else None

    @cached_property
    def _tree(self) -> Any:
        from scipy.spatial import cKDTree

        places = self._places if self._order is None else self._places[self._order]
        return cKDTree(places, leafsize=max(1, int(self.leaf_size)), balanced_tree=False)

    def nearest(self, X: Any, k: int) -> Nearest:
        """The k nearest rows; one more is asked for, to see ties. What is close is measured again, by differences."""
        k, p = read_count(k), self.distance.power
        places = check_columns(self.distance, self.distance.place(X), self._places)
        asked = min(k + 1, self.n)
        lengths, index = self._query(places, asked)
        close = lengths[:, 1:] <= lengths[:, :-1] * (1.0 + CLOSE)
        odd = np.flatnonzero(close[:, : k - 1].any(axis=1))
        found, index = np.ascontiguousarray(lengths[:, :k]), np.ascontiguousarray(index[:, :k])
        found[odd], index[odd] = in_order(exact_lengths(places[odd], self._places, index[odd], p), index[odd])
        for i in np.flatnonzero(close[:, k - 1]) if asked > k else ():
            found[i], index[i] = self._tied(places[i], float(lengths[i, k - 1]), k)
        return Nearest(self.distance.of_lengths(found), index.astype(np.intp, copy=False))

    def _query(self, places: Array, asked: int) -> tuple[Array, Array]:
        """What the tree says; of many rows, neighbours one after the other, as they meet the same leaves."""
        order = neighbours_together(places) if len(places) >= MANY and self.n >= MANY else None
        some = places if order is None else places[order]
        k, p = np.arange(1, asked + 1), self.distance.power
        lengths, index = self._tree.query(some, k=k, p=p, workers=self.threads or -1)
        index = index if self._order is None else self._order[index]
        if order is None:
            return lengths, index
        back = np.empty_like(order)
        back[order] = np.arange(len(order))
        return lengths[back], index[back]

    def within(self, X: Any, radius: Any) -> Within:
        """All rows at most `radius` away; a little farther in the tree, as lengths are then measured again."""
        places, p = check_columns(self.distance, self.distance.place(X), self._places), self.distance.power
        radii = np.broadcast_to(np.asarray(radius, dtype=np.float64), (len(places),))
        lengths = read_radius(self.distance, radii, len(places)) * (1.0 + CLOSE)
        if not len(places):
            return gathered([])
        near = self._tree.query_ball_point(places, lengths, p=p, workers=self.threads or -1, return_sorted=True)
        pieces = []
        for i, numbers in enumerate(near):
            at = self._numbers(numbers)
            d = self.distance.of_lengths(exact_lengths(places[i : i + 1], self._places, at[None], p)[0])
            kept = d <= radii[i]
            pieces.append((at[kept], d[kept]))
        return gathered(pieces)

    def _numbers(self, found: list[int]) -> Array:
        """The numbers of rows that the tree names, in order."""
        at = np.asarray(found, dtype=np.intp)
        return at if self._order is None else np.sort(self._order[at])

    def _tied(self, x: Array, reach: float, k: int) -> tuple[Array, Array]:
        """The k nearest among all rows at about the last distance."""
        numbers = self._tree.query_ball_point(x, reach * (1.0 + 2.0 * CLOSE), p=self.distance.power, return_sorted=True)
        some = self._numbers(numbers)
        lengths, at = least_of_rows(exact_lengths(x[None], self._places, some[None], self.distance.power), k)
        return lengths[0], some[at[0]]
