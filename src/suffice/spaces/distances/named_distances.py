"""Distances by the names that scikit-learn and SciPy give them.

| name | distance |
|---|---|
| euclidean, l2 | `Euclidean` |
| sqeuclidean | `SquaredEuclidean` |
| manhattan, cityblock, l1 | `Manhattan` |
| chebyshev, infinity | `Chebyshev` |
| minkowski, p | `Minkowski(p, w)` |
| hamming | `Hamming(share=True)`, as both have it |
| cosine | `Cosine` |
| angle | `Angle` |
| mahalanobis | `Mahalanobis(V)` of the covariance V, or of that of the rows; `Elliptical(VI)` of its inverse VI |
| precomputed | `Precomputed` |
| nan_euclidean | `PresentEuclidean`: over the cells that are present |
| mixed | `MixedDistance` with the ranges of the rows, and `weights` of the columns |
| others of SciPy, haversine | `NamedDistance` |
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from suffice.core.errors import Said, bad
from suffice.spaces.distances.angular import Angle, Cosine
from suffice.spaces.distances.distance import Axioms, Distance
from suffice.spaces.distances.elliptical import Elliptical, Mahalanobis
from suffice.spaces.distances.given_distances import DistanceFunction, Precomputed
from suffice.spaces.distances.library_distances import LIBRARY, NamedDistance
from suffice.spaces.distances.matching import Hamming
from suffice.spaces.distances.minkowski import Chebyshev, Euclidean, Manhattan, Minkowski, SquaredEuclidean
from suffice.spaces.distances.mixed_kinds import MixedDistance
from suffice.spaces.distances.present_cells import PresentEuclidean


def _minkowski(X: Any, p: float = 2.0, w: Any = None) -> Distance:
    plain: Mapping[float, type[Distance]] = {1.0: Manhattan, 2.0: Euclidean, np.inf: Chebyshev}
    return plain[p]() if w is None and p in plain else Minkowski(p, w)


def _mahalanobis(X: Any, V: Any = None, VI: Any = None) -> Distance:
    if V is not None:
        return Mahalanobis(V)
    if VI is not None:
        return Elliptical(VI)
    if X is None:
        raise bad("as_distance", "V", "given where there are no rows", Said("None"), "Give V=np.cov(X, rowvar=False).")
    return Mahalanobis.of(X)


def _mixed(X: Any, weights: Any = None) -> Distance:
    if X is None:
        raise bad("as_distance", "X", "given, for its ranges", Said("None"), "Use MixedDistance(ranges).")
    return MixedDistance.of(X, weights)


DISTANCES: Mapping[str, Callable[..., Distance]] = {
    "euclidean": lambda X: Euclidean(),
    "l2": lambda X: Euclidean(),
    "sqeuclidean": lambda X: SquaredEuclidean(),
    "manhattan": lambda X: Manhattan(),
    "cityblock": lambda X: Manhattan(),
    "l1": lambda X: Manhattan(),
    "chebyshev": lambda X: Chebyshev(),
    "infinity": lambda X: Chebyshev(),
    "minkowski": _minkowski,
    "p": _minkowski,
    "hamming": lambda X: Hamming(share=True),
    "cosine": lambda X: Cosine(),
    "angle": lambda X: Angle(),
    "mahalanobis": _mahalanobis,
    "precomputed": lambda X: Precomputed(),
    "nan_euclidean": lambda X: PresentEuclidean(),
    "mixed": _mixed,
}  # of the rows, where a distance takes something from them, and its own parameters


def as_distance(distance: Any, X: Any = None, *, owner: object = "as_distance", **parameters: Any) -> Distance:
    """A `Distance`, one by its name, or a function d(x, y) of two rows.

    Parameters
    ----------
    distance : a value, a name of the table above, or a function
    X : rows from which a distance takes what it was not given: the covariance of Mahalanobis
    owner : who asks, for messages
    parameters : of the named distance, or keyword arguments of the function

    >>> as_distance("minkowski", p=1)
    Manhattan()
    >>> as_distance(Euclidean())
    Euclidean()
    """
    if isinstance(distance, Distance):
        return distance
    if isinstance(distance, str) and distance in DISTANCES:
        return _made(owner, distance, X, parameters)
    if isinstance(distance, str) and distance in LIBRARY:
        return NamedDistance.of(distance, X, parameters)
    if callable(distance):
        who = owner if isinstance(owner, str) else type(owner).__name__
        return DistanceFunction(distance, arguments=parameters, known=Axioms.UNKNOWN, owner=who)
    rule = f"one of {', '.join([*DISTANCES, *LIBRARY])}, a Distance, or a function of two rows"
    raise bad(owner, "metric", rule, distance, "Choose one of these.")


def _made(owner: object, name: str, X: Any, parameters: dict[str, Any]) -> Distance:
    try:
        return DISTANCES[name](X, **parameters)
    except TypeError:
        rule = f"those that {name} takes"
        raise bad(owner, "metric_params", rule, sorted(parameters), "Leave the others out.") from None
