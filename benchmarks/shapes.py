"""The tables of the linear benchmarks, the same in every process."""

from __future__ import annotations

from typing import Any

import numpy as np


def regression(n: int = 200_000, d: int = 50, near: float = 0.0) -> tuple[Any, Any]:
    """Normal columns, the second within `near` of the first where that is not 0, and a target."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    if near:
        X[:, 1] = X[:, 0] + near * X[:, 1]
    return X, X @ rng.normal(size=d) + rng.normal(size=n)


def classes(n: int, d: int, K: int) -> tuple[Any, Any]:
    """Normal columns, and classes whose log odds are linear."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    return X, (X @ (0.5 * rng.normal(size=(d, K))) + rng.gumbel(size=(n, K))).argmax(axis=1)


def clouds(n: int = 10_000, d: int = 50) -> Any:
    """Twenty normal groups."""
    rng = np.random.default_rng(0)
    return rng.normal(0, 4, (20, d))[rng.integers(0, 20, n)] + rng.normal(size=(n, d))
