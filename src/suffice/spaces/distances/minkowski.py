"""Minkowski distances: Euclidean, Manhattan, Chebyshev, and every p between and below.

d(x, y) = (sum_j w_j abs(x_j - y_j)^p)^(1/p)

A metric for p of at least 1. For p < 1 the triangle inequality fails, so it is a dissimilarity; without the root the
sum is a metric for p up to 1 and a dissimilarity above, as squared Euclidean distance is.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from numbers import Real
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.core.registry import saved
from suffice.spaces.distances.distance import Axioms, Embedded, number_rows
from suffice.spaces.euclidean import squared_distances


@saved
@dataclass(frozen=True)
class Euclidean(Embedded):
    """d(x, y) = sqrt(sum_j (x_j - y_j)^2): the one Minkowski distance that rotations leave as it is.

    >>> Euclidean().pair([0.0, 0.0], [3.0, 4.0])
    5.0
    """

    power = 2.0
    axioms = Axioms.METRIC


@saved
@dataclass(frozen=True)
class SquaredEuclidean(Embedded):
    """d(x, y) = sum_j (x_j - y_j)^2. A dissimilarity: from 0 to 2 it is 4, by way of 1 it is 2."""

    power = 2.0
    axioms = Axioms.DISSIMILARITY

    def between(self, X: Any, Y: Any = None) -> Array:
        """Without the root."""
        return squared_distances(number_rows(X), None if Y is None else number_rows(Y))

    def of_lengths(self, lengths: Array) -> Array:
        """Squares."""
        lengths *= lengths
        return lengths

    def to_length(self, distance: float) -> float:
        """The root."""
        return float(np.sqrt(distance))


@saved
@dataclass(frozen=True)
class Manhattan(Embedded):
    """d(x, y) = sum_j abs(x_j - y_j): also called city block.

    >>> Manhattan().pair([1.0, 2.0], [4.0, 6.0])
    7.0
    """

    power = 1.0
    axioms = Axioms.METRIC


@saved
@dataclass(frozen=True)
class Chebyshev(Embedded):
    """d(x, y) = max_j abs(x_j - y_j)."""

    power = inf
    axioms = Axioms.METRIC


@saved
@dataclass(frozen=True)
class Minkowski(Embedded):
    """d(x, y) = (sum_j w_j abs(x_j - y_j)^p)^(1/p), or the sum itself.

    Parameters
    ----------
    p : above 0, may be infinite
    weights : one a column, at least 0; None for 1. A column of weight 0 is not seen: then it is a pseudo-metric
    root : whether to take the root; without it the sum is a metric for p up to 1

    >>> [round(Minkowski(p).pair([0.0, 0.0], [1.0, 1.0]), 4) for p in (2.0, 1.0, 0.8)]
    [1.4142, 2.0, 2.3784]
    """

    p: float = 2.0
    weights: Array | None = None  # (d,)
    root: bool = True

    def __post_init__(self) -> None:
        """Check p and the weights."""
        if not isinstance(self.p, Real) or isinstance(self.p, bool) or not self.p > 0:
            raise bad(self, "p", "a number above 0, which may be infinite", self.p, "Give p=2 for Euclidean distance.")
        if not self.root and self.p == inf:
            raise bad(self, "root", "True where p is infinite", self.root, "The largest difference has no sum.")
        if self.weights is not None:
            object.__setattr__(self, "weights", read_weights(self, self.weights))

    @property
    def power(self) -> float:
        """p of the length."""
        return float(self.p)

    @property
    def axioms(self) -> Axioms:
        """A metric for p of at least 1; without the root, for p up to 1."""
        if self.p < 1 if self.root else self.p > 1:
            return Axioms.DISSIMILARITY
        return Axioms.PSEUDO if self.weights is not None and not self.weights.all() else Axioms.METRIC

    def place(self, X: Any) -> Array:
        """Columns in units of their weight."""
        rows = number_rows(X)
        if self.weights is None:
            return rows
        if rows.shape[1] != len(self.weights):
            raise bad(self, "X", f"of {len(self.weights)} columns, one a weight", rows.shape[1], "Give those columns.")
        return rows * (self.weights > 0 if self.p == inf else self.weights ** (1.0 / self.p))

    def of_lengths(self, lengths: Array) -> Array:
        """The length, or its power."""
        return lengths if self.root else np.power(lengths, self.p, out=lengths)

    def to_length(self, distance: float) -> float:
        """The length that has this distance."""
        return float(distance) if self.root else float(distance ** (1.0 / self.p))


def read_weights(owner: object, weights: Any) -> Array:
    """One weight a column, at least 0."""
    found = np.asarray(weights, dtype=np.float64)
    if found.ndim != 1 or not np.isfinite(found).all() or (found < 0).any():
        raise bad(owner, "weights", "numbers of at least 0, one a column", weights, "Leave it None for equal weights.")
    return found
