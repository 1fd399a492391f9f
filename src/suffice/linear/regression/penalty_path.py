"""Coefficients along a path of penalties, without an estimator: what scikit-learn calls `enet_path`."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.linear.regression.coordinate_descent import Quadratic, descend

OWNER = "path"


def penalty_path(
    X: Any,
    y: Any,
    *,
    l1_ratio: float = 0.5,
    eps: float = 1e-3,
    alphas: Any = 100,
    coef_init: Any = None,
    positive: bool = False,
    tol: float = 1e-4,
    max_iter: int = 1000,
    return_n_iter: bool = False,
) -> Any:
    """Penalties (m,), coefficients (p, m) or (t, p, m), dual gaps (m,) or (t, m), and sweeps if asked for.

    >>> penalties, coef, _ = penalty_path([[1.0], [-1.0]], [2.0, -2.0], l1_ratio=1.0, alphas=[1.0, 0.5])
    >>> penalties.tolist(), coef.round(6).tolist()
    ([1.0, 0.5], [[1.0, 1.5]])
    """
    rows, Y = _numbers(X), _numbers(y)
    flat = Y.ndim == 1
    Y = Y[:, None] if flat else Y
    if rows.ndim != 2 or len(rows) != len(Y) or not len(rows):
        got = Said(f"{rows.shape} and {Y.shape}")
        raise bad(OWNER, "X and y", "a table and as many targets, at least one", got, "Give one target a row.")
    n = len(rows)
    problems = [Quadratic(rows.T @ rows / n, rows.T @ each / n, float(each @ each) / n) for each in Y.T]
    grid = _penalties(problems, l1_ratio, eps, alphas, positive)
    starts = [None] * len(problems) if coef_init is None else list(np.atleast_2d(coef_init))
    found = [
        descend(each, grid, l1_ratio, tol=tol, max_iter=max_iter, positive=positive, start=start)
        for each, start in zip(problems, starts, strict=True)
    ]
    coef, gap = np.stack([path.coef.T for path in found]), np.stack([path.gap for path in found])
    out = (grid, coef[0], gap[0]) if flat else (grid, coef, gap)
    return (*out, found[0].sweeps.tolist()) if return_n_iter else out


def _numbers(values: Any) -> Array:
    try:
        read = values.toarray() if hasattr(values, "tocsr") else values
        found = np.asarray(read, dtype=np.float64)
    except (TypeError, ValueError):
        raise bad(OWNER, "X and y", "numbers", Said("something else"), "Turn symbols into numbers first.") from None
    if not np.isfinite(found).all():
        raise bad(OWNER, "X and y", "finite", Said("NaN or infinity"), "Correct the cell.")
    return found


def _penalties(problems: list[Quadratic], l1_ratio: float, eps: float, alphas: Any, positive: bool) -> Array:
    """From the largest to the smallest."""
    if not 0.0 < l1_ratio <= 1.0:
        raise bad(OWNER, "l1_ratio", "above 0 and at most 1", l1_ratio, "Use Ridge for 0.")
    if np.ndim(alphas) > 0:
        return np.sort(np.asarray(alphas, dtype=np.float64))[::-1]
    largest = max(problem.largest(l1_ratio, positive) for problem in problems)
    if largest == 0.0:
        return np.full(int(alphas), np.finfo(np.float64).resolution)
    return np.geomspace(largest, largest * eps, int(alphas))
