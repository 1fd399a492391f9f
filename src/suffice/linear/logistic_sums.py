"""Sums of a pass of logistic regression: probabilities of classes, the slope of the loss and its curvature.

Classes lie along the first axis, rows along the second, so that what is done for each row runs along memory. One array
holds scores, probabilities and slopes in turn: new ones of its size would cost more than what is put into them.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg.blas import dsyrk

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


def apart(p: Array, truth: Array, w: Array, K: int) -> Array:
    """w (p_k - [k is true]) of each class that has coefficients and each row (L, n), in the place of p."""
    theirs = truth - (K - len(p))  # of two classes, the first has no coefficients
    at = np.flatnonzero(theirs >= 0)
    p[theirs[at], at] -= 1.0
    p *= w
    return p


def curvature(Z: Array, p: Array, w: Array) -> Array:
    """Second derivatives (L q, L q): Z' diag(w p_k ([k = l] - p_l)) Z, all pairs of classes in one product."""
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
    """A'A, whole; half of the products are enough."""
    upper = dsyrk(1.0, A.T)  # A.T lies in columns, as BLAS wants it
    return np.asarray(np.triu(upper) + np.triu(upper, 1).T)
