"""Distances between rows, as maps are made of: by name, by a function, or given. No scikit-learn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

from suffice.core.block import Array
from suffice.core.errors import Said, bad

GIVEN = "precomputed"
_ALIASES = {"manhattan": "cityblock", "l1": "cityblock", "l2": "euclidean", "p": "minkowski"}
NAMES = frozenset(
    {*_ALIASES, "braycurtis", "canberra", "chebyshev", "cityblock", "correlation", "cosine", "dice", "euclidean"}
    | {"hamming", "jaccard", "mahalanobis", "minkowski", "rogerstanimoto", "russellrao", "seuclidean", "sokalsneath"}
    | {"sqeuclidean", "yule", "nan_euclidean", "haversine", GIVEN}
)


def distances(
    owner: str, X: Any, Y: Any, metric: str | Callable[..., float], given: dict[str, Any] | None = None
) -> Array:
    """Distances of the rows of X from those of Y (n, m).

    Parameters
    ----------
    owner : who asks
    X, Y : rows
    metric : one of SciPy's names, or a function of two rows
    given : further arguments of the metric
    """
    X, Y = (np.asarray(some.toarray() if hasattr(some, "toarray") else some, dtype=np.float64) for some in (X, Y))
    name: Any = _ALIASES.get(metric, metric) if isinstance(metric, str) else metric
    try:
        found = cdist(X, Y, name, **(given or {}))
    except (ValueError, TypeError) as error:
        raise bad(owner, "metric", f"one that SciPy knows or a function of two rows ({error})", metric) from None
    if (found < 0).any():
        told = "All distances should be positive, the metric given is not correct"
        raise bad(owner, "metric", f"one whose distances are at least 0 ({told})", Said(f"{found.min():g}"))
    return np.asarray(found)


def given_distances(owner: str, D: Any) -> Array:
    """A square table of distances, symmetric and none below 0."""
    D = np.array(D.toarray() if hasattr(D, "toarray") else D, dtype=np.float64)
    if D.ndim != 2 or D.shape[0] != D.shape[1]:
        raise bad(
            owner,
            "X",
            "a square table of distances (array must be 2-dimensional and square: a square distance matrix)",
            Said(f"shape {D.shape}"),
            "One row and column a thing.",
        )
    if (D < 0).any():
        told = "All distances should be positive, the metric given is not correct"
        raise bad(owner, "X", f"distances of at least 0 ({told})", Said(f"{D.min():g}"), "Check the table.")
    if not np.allclose(D, D.T, rtol=1e-8, atol=1e-12):
        raise bad(
            owner,
            "X",
            "a symmetric table of distances (Array must be symmetric)",
            Said("another"),
            "Use (D + D.T) / 2.",
        )
    return np.asarray(D)
