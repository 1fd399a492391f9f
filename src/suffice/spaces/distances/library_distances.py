"""Distances that SciPy computes under its own names, and the great-circle distance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import BadInput, Said, bad, quoted
from suffice.core.registry import saved
from suffice.spaces.distances.distance import Axioms, Distance, number_rows

BOOLEAN = "dice", "jaccard", "rogerstanimoto", "russellrao", "sokalsneath", "yule"

LIBRARY: Mapping[str, Axioms] = {
    "braycurtis": Axioms.DISSIMILARITY,
    "canberra": Axioms.METRIC,
    "correlation": Axioms.DISSIMILARITY,
    "dice": Axioms.DISSIMILARITY,
    "haversine": Axioms.METRIC,
    "jaccard": Axioms.METRIC,
    "jensenshannon": Axioms.PSEUDO,
    "rogerstanimoto": Axioms.METRIC,
    "russellrao": Axioms.DISSIMILARITY,
    "seuclidean": Axioms.METRIC,
    "sokalsneath": Axioms.DISSIMILARITY,
    "yule": Axioms.DISSIMILARITY,
}


@saved
@dataclass(frozen=True)
class NamedDistance(Distance):
    """A distance of SciPy's by its name, or "haversine": the angle between (latitude, longitude) in radians.

    >>> NamedDistance("canberra").pair([1.0, 0.0], [3.0, 0.0])
    0.5
    """

    name: str
    variances: Array | None = None  # (d,) of seuclidean
    weights: Array | None = None  # (d,) of the columns, where SciPy takes them

    def __post_init__(self) -> None:
        """Check the name and the variances."""
        if self.name not in LIBRARY:
            raise bad(self, "name", f"one of {', '.join(LIBRARY)}", self.name, "Choose one of these.")
        if self.variances is not None and not (np.asarray(self.variances) > 0).all():
            raise bad(self.name, "V", "numbers above 0, one a column", self.variances, "Give the variances.")

    @classmethod
    def of(cls, name: str, X: Any, parameters: Mapping[str, Any]) -> NamedDistance:
        """With its parameters: V of seuclidean, w where SciPy takes weights."""
        given = dict(parameters)
        V, w = given.pop("V", None), given.pop("w", None)
        if given:
            raise bad(name, "metric_params", "V or w", Said(str(sorted(given))), "Leave the others out.")
        if name == "seuclidean" and V is None and X is not None:
            V = _variances(number_rows(X, name))
        both = [None if a is None else np.asarray(a, dtype=np.float64) for a in (V, w)]
        return cls(name, *both)

    @property
    def axioms(self) -> Axioms:
        """As the table says."""
        return LIBRARY[self.name]

    def between(self, X: Any, Y: Any = None) -> Array:
        """By SciPy's loops."""
        A = number_rows(X)
        B = A if Y is None else number_rows(Y)
        if self.name == "haversine":
            return _haversine(A, B)
        from scipy.spatial.distance import cdist

        if self.name in BOOLEAN:
            A, B = A != 0, B != 0
        given = {key: value for key, value in (("V", self.variances), ("w", self.weights)) if value is not None}
        try:
            with np.errstate(divide="ignore", invalid="ignore"):
                found = np.asarray(cdist(A, B, self.name, **given))
        except (TypeError, ValueError) as error:
            raise quoted(BadInput, self.name, f"{error}.") from None
        return DIVIDED[self.name](found, A, B) if self.name in DIVIDED else found


def _alike(found: Array, A: Array, B: Array) -> Array:
    """Two rows of zeros: 0 / 0, but they are equal."""
    found[np.ix_(~A.any(axis=1), ~B.any(axis=1))] = 0.0
    return found


def _uncorrelated(found: Array, A: Array, B: Array) -> Array:
    """A constant row correlates with no other: at 1 from them, as a row of zeros by cosine, and at 0 from its like."""
    a, b = ((X[:, :1] == X).all(axis=1) for X in (A, B))
    found[a], found[:, b] = 1.0, 1.0
    found[np.ix_(a, b)] = 0.0
    return found


def _of_shares(found: Array, A: Array, B: Array) -> Array:
    """Rows are divided by their sums."""
    for rows in (A, B):
        if (rows < 0).any() or not (rows > 0).any(axis=1).all():
            rule, got = "rows of shares or counts, at least 0 and some above", Said("another row")
            raise bad("jensenshannon", "X", rule, got, "Leave it out.")
    return found


# what is done about divisions by 0
DIVIDED: Mapping[str, Callable[[Array, Array, Array], Array]] = {
    "braycurtis": _alike,
    "correlation": _uncorrelated,
    "dice": _alike,
    "jensenshannon": _of_shares,
    "sokalsneath": _alike,
}


def _variances(X: Array) -> Array:
    """Of the columns; infinite for a constant one, which tells nothing."""
    if len(X) < 2:
        return np.full(X.shape[1], np.inf)
    found = np.var(X, axis=0, ddof=1)
    return np.asarray(np.where((found > 0) & (X[0] != X).any(axis=0), found, np.inf))


def _haversine(A: Array, B: Array) -> Array:
    """2 arcsin sqrt(sin^2(a/2) + cos cos sin^2(b/2)): right for near places too."""
    for table in (A, B):
        if table.shape[1] != 2:
            rule = "of 2 columns: latitude and longitude in radians (Haversine distance only valid in 2 dimensions)"
            raise bad("haversine", "X", rule, Said(str(table.shape[1])), "Give those two.")
    up = np.sin(np.subtract.outer(A[:, 0], B[:, 0]) / 2.0) ** 2
    along = np.sin(np.subtract.outer(A[:, 1], B[:, 1]) / 2.0) ** 2
    inside = up + np.multiply.outer(np.cos(A[:, 0]), np.cos(B[:, 0])) * along
    return np.asarray(2.0 * np.arcsin(np.sqrt(np.minimum(inside, 1.0))))
