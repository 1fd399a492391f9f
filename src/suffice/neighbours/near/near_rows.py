"""Rows that are kept to be searched, as a value: it answers on NumPy and SciPy alone.

A row of weight w counts as w copies of it, next to one another: the k nearest are those whose weight adds to k, the
last of them with what is left of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.core.registry import saved
from suffice.spaces.distances.distance import Distance
from suffice.spaces.distances.given_distances import Precomputed
from suffice.spaces.search.found_neighbours import Nearest, Search, Within
from suffice.spaces.search.search_choice import neighbour_search


class Near(NamedTuple):
    """Neighbours of each query, the nearest first, and how many copies of each count."""

    distance: Array  # (n, m)
    numbers: Array  # (n, m)
    copies: Array | None  # (n, m); None: one each


@saved
@dataclass(frozen=True)
class SparseRows:
    """A sparse matrix by rows, as its three arrays."""

    data: Array
    indices: Array
    starts: Array
    columns: int

    @classmethod
    def of(cls, X: Any) -> SparseRows:
        """From SciPy's."""
        return cls(np.asarray(X.data), np.asarray(X.indices), np.asarray(X.indptr), int(X.shape[1]))

    def matrix(self) -> Any:
        """As SciPy's."""
        from scipy.sparse import csr_array

        return csr_array((self.data, self.indices, self.starts), shape=(len(self.starts) - 1, self.columns))


@saved
@dataclass(frozen=True)
class NearRows:
    """Rows, their weights, and how they are measured and searched."""

    owner: str
    kept: Array | SparseRows  # (n, d); of a table of distances, the numbers 0 .. n-1
    weight: Array | None  # (n,) above 0
    distance: Distance
    algorithm: str = "auto"
    leaf_size: int = 30
    threads: int | None = None

    @cached_property
    def rows(self) -> Any:
        """The rows, dense or sparse."""
        return self.kept.matrix() if isinstance(self.kept, SparseRows) else self.kept

    @property
    def n(self) -> int:
        """How many rows there are."""
        return int(self.rows.shape[0])

    @property
    def total(self) -> float:
        """Their weight."""
        return float(self.n if self.weight is None else self.weight.sum())

    @cached_property
    def search(self) -> Search:
        """What finds them."""
        return neighbour_search(
            self.rows, self.distance, self.algorithm, leaf_size=self.leaf_size, threads=self.threads
        )

    @property
    def given(self) -> bool:
        """Whether queries are rows of a table of distances."""
        return isinstance(self.distance, Precomputed)

    def nearest(self, X: Any, k: int) -> Nearest:
        """The k nearest rows, whatever they weigh."""
        self._check_number(k, self.n, "n_samples_fit", X)
        return self._checked(self.search.nearest(X, k))

    def _checked(self, found: Nearest) -> Nearest:
        """Of a sparse table of distances, cells that are not there are no neighbours."""
        if self.given and np.isinf(found.distance).any():
            k, least = found.distance.shape[1], int(np.isfinite(found.distance).sum(axis=1).min())
            rule = f"as many in every row as are asked for ({k} neighbors per samples are required, but some samples "
            raise bad(self.owner, "distances", f"{rule}have only {least})", Said(str(least)), "Give more of them.")
        return found

    def within(self, X: Any, radius: Any) -> Within:
        """All rows within a radius."""
        found = self.search.within(X, radius)
        if not (self.given and np.isinf(found.distance).any()):
            return found
        return found.where(np.isfinite(found.distance))

    def copies(self, X: Any, k: int, but_itself: bool = False) -> Near:
        """The k nearest copies; X are the rows themselves where each leaves out one copy of itself."""
        if self.weight is None and not but_itself:
            return Near(*self.nearest(X, k), None)
        self._check_number(k + but_itself, self.total, "the weight of the rows", X)
        asked = min(k + but_itself, self.n)
        while True:
            found = self._checked(self.search.nearest(X, asked))
            w = np.ones(found.numbers.shape) if self.weight is None else self.weight[found.numbers]
            if but_itself:
                w = np.maximum(w - (found.numbers == np.arange(len(w))[:, None]), 0.0)
            reached = np.cumsum(w, axis=1)
            if asked == self.n or (reached[:, -1] >= k).all():
                break
            asked = min(2 * asked, self.n)
        return Near(found.distance, found.numbers, first_copies(w, k))

    def others(self, k: int, X: Any = None) -> Nearest:
        """The k nearest rows of each row but itself; of a table of distances, X is that table."""
        if k + 1 > self.n:
            rule = f"below the number of rows (Expected n_neighbors < n_samples_fit, n_samples_fit = {self.n})"
            raise bad(self.owner, "n_neighbors", rule, Said(f"n_neighbors = {k}"), "Ask for fewer.")
        found = self._checked(self.search.nearest(self.rows if X is None else X, k + 1))
        itself = found.numbers == np.arange(self.n)[:, None]
        itself[~itself.any(axis=1), 0] = True  # more rows at its place than were asked for: any of them will do
        kept = ~itself
        return Nearest(found.distance[kept].reshape(self.n, k), found.numbers[kept].reshape(self.n, k))

    def _check_number(self, k: int, most: float, what: str, X: Any) -> None:
        if k > most:
            n = X.shape[0] if hasattr(X, "shape") else len(X)
            rule = f"at most {what} ({most:g}; Expected n_neighbors <= n_samples_fit, n_samples = {n})"
            raise bad(self.owner, "n_neighbors", rule, Said(f"n_neighbors = {k}"), "Ask for fewer.")


def first_copies(w: Array, k: float) -> Array:
    """How much of each weight lies among the first k (n, m).

    >>> first_copies(np.array([[2.0, 2.0, 2.0]]), 3).tolist()
    [[2.0, 1.0, 0.0]]
    """
    return np.asarray(np.clip(k - (np.cumsum(w, axis=1) - w), 0.0, w))
