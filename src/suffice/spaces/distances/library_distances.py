"""Distances that SciPy computes under its own names, and the great-circle distance."""

from __future__ import annotations

from collections.abc import Mapping
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
        """Check the name."""
        if self.name not in LIBRARY:
            raise bad(self, "name", f"one of {', '.join(LIBRARY)}", self.name, "Choose one of these.")

    @classmethod
    def of(cls, name: str, X: Any, parameters: Mapping[str, Any]) -> NamedDistance:
        """With its parameters: V of seuclidean, w where SciPy takes weights."""
        given = dict(parameters)
        V, w = given.pop("V", None), given.pop("w", None)
        if given:
            raise bad(name, "metric_params", "V or w", Said(str(sorted(given))), "Leave the others out.")
        if name == "seuclidean" and V is None and X is not None:
            V = np.var(number_rows(X), axis=0, ddof=1)
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
        return np.nan_to_num(found, copy=False) if self.name == "braycurtis" else found  # 0 / 0 of two rows of zeros


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
