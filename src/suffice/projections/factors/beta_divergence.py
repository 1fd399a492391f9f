"""Beta divergences of a matrix from a product of two, and the steps that lessen them.

d(x | y) = (x - y)^2 / 2 (beta 2),   x log(x / y) - x + y (beta 1),   x / y - log(x / y) - 1 (beta 0)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad

NAMED = {"frobenius": 2.0, "kullback-leibler": 1.0, "itakura-saito": 0.0}
TINY = float(np.finfo(np.float32).eps)


def beta_of(loss: Any) -> float:
    """The power that a loss stands for."""
    return NAMED[loss] if isinstance(loss, str) else float(loss)


def divergence(X: Any, W: Array, H: Array, beta: float) -> float:
    """Sum over the entries of X; where X is sparse only its stored entries are multiplied out, if beta is 1 or 2."""
    if beta == 2.0:
        if hasattr(X, "tocsr"):
            cross = float((X @ H.T * W).sum())
            return (float((X.data**2).sum()) - 2.0 * cross + float(((W.T @ W) * (H @ H.T)).sum())) / 2.0
        return float(((X - W @ H) ** 2).sum()) / 2.0
    x, y, total = _entries(X, W, H)
    some = x > TINY
    x, y = x[some], np.maximum(y[some], TINY)
    if beta == 1.0:
        return float((x * np.log(x / y)).sum() - x.sum() + total)
    if beta == 0.0:
        return float((x / y).sum() - np.log(x / y).sum() - X.shape[0] * X.shape[1])
    full = np.maximum(W @ H, TINY)
    whole = (x**beta).sum() - beta * (x * y ** (beta - 1.0)).sum() + (beta - 1.0) * (full**beta).sum()
    return float(whole / (beta * (beta - 1.0)))


def _entries(X: Any, W: Array, H: Array) -> tuple[Array, Array, float]:
    """Entries of X and of the product there, and the sum of all of the product."""
    total = float(W.sum(axis=0) @ H.sum(axis=1))
    if not hasattr(X, "tocsr"):
        return X.ravel(), (W @ H).ravel(), total
    rows = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))
    return X.data, _products(W, H, rows, X.indices), total


def _products(W: Array, H: Array, rows: Array, columns: Array) -> Array:
    """Entries of the product at some places, some at a time."""
    out, turned = np.empty(len(rows)), np.ascontiguousarray(H.T)
    for a in range(0, len(rows), 1 << 16):
        some = slice(a, a + (1 << 16))
        out[some] = np.einsum("ij,ij->i", W[rows[some]], turned[columns[some]])
    return out


def multiplied(X: Any, W: Array, H: Array, beta: float, l1: float, l2: float) -> Array:
    """W after one multiplicative step, which never raises the divergence."""
    if beta == 2.0:
        top, below = np.asarray(X @ H.T), W @ (H @ H.T)
    elif beta == 1.0:
        ratio = _ratio(X, W, H)
        top, below = np.asarray(ratio @ H.T), np.broadcast_to(H.sum(axis=1), W.shape)
    else:
        full = np.maximum(W @ H, TINY)
        top, below = (full ** (beta - 2.0) * X) @ H.T, full ** (beta - 1.0) @ H.T
    below = below + l1 + l2 * W
    step = top / np.where(below == 0.0, TINY, below)
    power = 1.0 / (2.0 - beta) if beta < 1.0 else 1.0 / (beta - 1.0) if beta > 2.0 else 1.0
    return np.asarray(W * (step if power == 1.0 else step**power))


def _ratio(X: Any, W: Array, H: Array) -> Any:
    """X over the product, at the entries that X stores."""
    if not hasattr(X, "tocsr"):
        return X / np.maximum(W @ H, TINY)
    rows = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))
    ratio = X.copy()
    ratio.data = X.data / np.maximum(_products(W, H, rows, X.indices), TINY)
    return ratio


def check_loss(owner: str, X: Any, beta: float) -> None:
    """Refuse zeros where the divergence of 0 is infinite."""
    zeros = X.nnz < X.shape[0] * X.shape[1] if hasattr(X, "tocsr") else bool((X == 0).any())
    if beta <= 0.0 and zeros:
        told = "When beta_loss <= 0 and X contains zeros, the solver may diverge."
        raise bad(owner, "X", f"above 0 for this loss ({told})", "zeros", "Add small values to X.")
