"""Peers of logistic regression at the loosest tolerance whose loss is near enough to the best."""

from __future__ import annotations

from typing import Any

import numpy as np

NEAR = 1e-8


def near(kind: Any, X: Any, y: Any, best: float | None = None, **options: Any) -> Any:
    """The loosest tolerance whose loss is near the best: that given, or that of the tightest tolerance."""
    tightest = kind(tol=1e-9, max_iter=1000, **options)
    best = loss(tightest.fit(X, y), X, y) if best is None else best
    for tol in 10.0 ** np.arange(-3, -9, -1):
        model = kind(tol=tol, max_iter=1000, **options)
        if loss(model.fit(X, y), X, y) <= best * (1 + NEAR):
            return model
    return tightest


def loss(model: object, X: np.ndarray, y: np.ndarray) -> float:
    """The objective."""
    eta = X @ model.coef_.T + model.intercept_  # type: ignore[attr-defined]
    eta = np.column_stack([np.zeros(len(eta)), eta[:, 0]]) if eta.shape[1] == 1 else eta
    top = eta.max(axis=1)
    each = np.log(np.exp(eta - top[:, None]).sum(axis=1)) + top - eta[np.arange(len(y)), y]
    return float(each.sum() + 0.5 * (model.coef_**2).sum())  # type: ignore[attr-defined]
