"""Sums of a pass of logistic regression by matrices: probabilities of classes, the slope of the loss, its curvature.

Classes lie along the first axis, rows along the second, so that what is done for each row runs along memory. One array
holds scores, probabilities and slopes in turn: new ones of its size would cost more than what is put into them.
"""

from __future__ import annotations

import numpy as np

from suffice.core.block import Array


def probabilities(eta: Array, truth: Array) -> tuple[Array, Array]:
    """Probabilities of the classes that have coefficients (L, n), in eta's place, and -log p of the true one (n,)."""
    if len(eta) == 1:
        score = eta[0].copy()
        tail = np.exp(-np.abs(score))
        np.divide(np.where(score >= 0.0, 1.0, tail), 1.0 + tail, out=eta[0])
        return eta, np.log1p(tail) + np.maximum(np.where(truth == 1, -score, score), 0.0)
    top = eta.max(axis=0)
    eta -= top
    loss = -eta[truth, np.arange(len(truth))]
    np.exp(eta, out=eta)
    total = eta.sum(axis=0)
    eta /= total
    return eta, np.log(total) + loss


def loss_and_slope(
    X: Array, truth: Array, w: Array | None, coef: Array, level: Array, origin: Array
) -> tuple[float, Array, Array]:
    """-sum of w log p(truth | x), and its slopes by the level (L,) and by the coefficients (L, p) about the origin."""
    X = X - origin if origin.any() else X
    eta = coef @ X.T
    eta += level[:, None]
    p, loss = probabilities(eta, truth)
    w = np.ones(len(X)) if w is None else w
    gaps = apart(p, truth, w, max(len(coef), 2))
    return float(w @ loss), gaps.sum(axis=1), gaps @ X


def apart(p: Array, truth: Array, w: Array, K: int) -> Array:
    """w (p_k - [k is true]) of each class that has coefficients and each row (L, n), in the place of p."""
    theirs = truth - (K - len(p))  # of two classes, the first has no coefficients
    at = np.flatnonzero(theirs >= 0)
    p[theirs[at], at] -= 1.0
    p *= w
    return p


def curvature(
    X: Array, w: Array | None, coef: Array, level: Array, origin: Array, centre: Array, scale: Array
) -> Array:
    """Second derivatives (L q, L q): Z' diag(w p_k ([k = l] - p_l)) Z, all pairs of classes in one product."""
    p, _ = probabilities(coef @ (X - origin).T + level[:, None], np.zeros(len(X), dtype=np.intp))
    Z = np.column_stack([np.ones(len(X)), ((X - origin) - (centre - origin)) / scale])
    w = np.ones(len(X)) if w is None else w
    q, L = Z.shape[1], len(p)
    out = np.empty((L * q, L * q))
    if L > 1:
        weighed = np.ascontiguousarray((np.sqrt(w) * p).T)[:, :, None] * Z[:, None, :]
        out = -_square(weighed.reshape(len(Z), L * q))
    for k in range(L):
        here = slice(k * q, (k + 1) * q)
        out[here, here] = _square(np.sqrt(w * p[k] * (1.0 - p[k]))[:, None] * Z)
    return out


def _square(A: Array) -> Array:
    """A'A; NumPy sees that half of the products are enough, and lets other threads go on meanwhile."""
    return np.asarray(A.T @ A)
