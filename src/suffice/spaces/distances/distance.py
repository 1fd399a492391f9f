"""What a distance is: a value that measures two rows, and says which axioms it keeps.

`between(X, Y)` gives the table of d over two sets of rows, `between(X)` that of one and itself: 0 on its diagonal and
exactly symmetric where the distance is. An `Embedded` distance is a Minkowski length in some place of the rows: then a
k-d tree can search it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from enum import Enum
from typing import Any, ClassVar

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.spaces.distances.lengths import minkowski_lengths, paired_lengths

ROUNDED = 1e-9  # below 0 by less, beside 1 and the largest: what rounding leaves of a difference


class Axioms(Enum):
    """Which axioms a distance keeps: 0 to itself, above 0 otherwise, symmetric, no longer than by way of a third."""

    METRIC = "metric"  # all four
    PSEUDO = "pseudo-metric"  # all but: distinct rows may be at 0
    DISSIMILARITY = "dissimilarity"  # the triangle inequality fails, or symmetry
    UNKNOWN = "unknown"  # a function of the user's: see `check_metric`


class Distance(ABC):
    """d(x, y), a number of at least 0 for two rows."""

    given: ClassVar[bool] = False  # whether the user says what it is: nobody knows that it is a number of at least 0

    @property
    @abstractmethod
    def axioms(self) -> Axioms:
        """Which axioms it keeps."""

    @abstractmethod
    def between(self, X: Any, Y: Any = None) -> Array:
        """d of each row of X and each of Y (n, m); without Y, of X and itself."""

    def pair(self, x: Any, y: Any) -> float:
        """d of two rows."""
        return float(self.between(_alone(x), _alone(y))[0, 0])

    def paired(self, X: Any, Y: Any) -> Array:
        """d of row i of X and row i of Y (n,)."""
        return np.array([self.pair(x, y) for x, y in zip(X, Y, strict=True)], dtype=np.float64)

    def towards(self, Y: Any) -> Callable[[Any], Array]:
        """`between(X, Y)` as a function of X; what depends on Y alone is worked out once."""
        return lambda X: self.between(X, Y)


class Embedded(Distance):
    """A distance that grows with a Minkowski length: d(x, y) = g(norm_p(place(x) - place(y)))."""

    @property
    @abstractmethod
    def power(self) -> float:
        """p of the length."""

    def place(self, X: Any) -> Array:
        """Where the rows lie for the length (n, e)."""
        return number_rows(X, self)

    def of_lengths(self, lengths: Array) -> Array:
        """d from lengths, which may be written into."""
        return lengths

    def to_length(self, distance: float) -> float:
        """The length that has this distance."""
        return distance

    def between(self, X: Any, Y: Any = None) -> Array:
        """From the lengths between the places."""
        places = self.place(X)
        others = None if Y is None else self.place(Y)
        if others is not None:
            check_columns(self, places, others)
        return self.of_lengths(minkowski_lengths(places, others, self.power))

    def paired(self, X: Any, Y: Any) -> Array:
        """Row by row, without a table."""
        others = self.place(Y)
        return self.of_lengths(paired_lengths(check_columns(self, self.place(X), others), others, self.power))

    def towards(self, Y: Any) -> Callable[[Any], Array]:
        """Y is placed once."""
        others = self.place(Y)

        def of(X: Any) -> Array:
            places = check_columns(self, self.place(X), others)
            return self.of_lengths(minkowski_lengths(places, others, self.power))

        return of


def number_rows(X: Any, owner: object = "distance") -> Array:
    """A table of numbers as rows of floats; sparse rows are made dense."""
    if hasattr(X, "toarray"):
        X = X.toarray()
    try:
        rows = np.asarray(X, dtype=np.float64)
    except (TypeError, ValueError):
        remedy = "MixedDistance and Hamming take symbols, EditDistance strings."
        raise bad(owner, "X", "rows of numbers, all of one length", Said("others"), remedy) from None
    if rows.ndim == 0:
        raise bad(owner, "X", "rows of numbers", Said("no table"), "One row is [[...]].")
    return rows if rows.ndim == 2 else rows.reshape(len(rows), -1)


def comparable(D: Array) -> Array:
    """The same distances; those of rows that share no present cell, which are no numbers, infinite."""
    return np.where(np.isnan(D), np.inf, D) if np.isnan(D).any() else D


def refuse_unknown(owner: object, D: Array) -> Array:
    """The same distances, if all are known."""
    gap = np.argwhere(np.isnan(D))
    if len(gap):
        rule = "rows of which each two share a cell that is present"
        pair = Said(f"rows {gap[0][0]} and {gap[0][1]}, which share none")
        raise bad(owner, "X", rule, pair, "Leave rows of few cells out.")
    return D


def refuse_no_numbers(owner: object, D: Array, first: int = 0) -> Array:
    """The same distances, of rows from `first` on to all, if all are numbers of at least 0."""
    if not D.size or D.min() >= 0.0:
        return D
    if np.isnan(D).any():
        i, j = np.argwhere(np.isnan(D))[0].tolist()
        pair = Said(f"rows {i + first} and {j}, between which it is not a number")
        raise bad(owner, "metric", "a number between each two rows", pair, "Leave such rows out.")
    least = -ROUNDED * max(1.0, float(np.max(D, where=np.inf > D, initial=0.0)))
    if D.min() < least:
        i, j = np.argwhere(least > D)[0].tolist()
        pair = Said(f"rows {i + first} and {j}, between which it is {D[i, j]:g}")
        raise bad(owner, "metric", "at least 0 between each two rows", pair, "Correct the distances.")
    return D


def measured(distance: Distance, D: Array, first: int = 0) -> Array:
    """Distances that compare: those that the user gives, if they are some; else as in `comparable`."""
    if not distance.given:
        return comparable(D)
    return refuse_no_numbers(getattr(distance, "owner", distance), D, first)


def _alone(x: Any) -> Any:
    """One row as a table."""
    if isinstance(x, str):
        return [x]
    return np.asarray(x)[None] if not hasattr(x, "toarray") else x


def check_columns(owner: object, X: Array, Y: Array) -> Array:
    """Rows X, if they have as many columns as Y."""
    if X.shape[1] != Y.shape[1]:
        rule = f"of as many columns as the other rows ({Y.shape[1]})"
        raise bad(owner, "X", rule, X.shape[1], "Give both tables the same columns.")
    return X
