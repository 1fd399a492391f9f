"""Where non-negative factors begin: from the signs of singular vectors, or at random."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.utils.extmath import randomized_svd

from suffice.core.block import Array
from suffice.core.errors import bad

SMALL = 1e-6


def start(owner: str, X: Any, k: int, init: str | None, rng: Any) -> tuple[Array, Array]:
    """Factors W (n, k) and H (k, d) to begin with."""
    if init not in (None, "random") and k > min(X.shape):
        told = f"init = '{init}' can only be used when n_components <= min(n_samples, n_features)"
        raise bad(owner, "init", f"random where components are more than rows or columns ({told})", init, "Use random.")
    if init is None:
        init = "nndsvda" if k <= min(X.shape) else "random"
    average = float(np.sqrt(X.mean() / k))
    if init == "random":
        H = average * rng.standard_normal(size=(k, X.shape[1]))
        W = average * rng.standard_normal(size=(X.shape[0], k))
        return np.abs(W), np.abs(H)
    W, H = _by_signs(X, k, rng)
    W[W < SMALL], H[H < SMALL] = 0.0, 0.0
    return _FILLED[init](X, W, H, rng)


def _by_signs(X: Any, k: int, rng: Any) -> tuple[Array, Array]:
    """Each pair of singular vectors gives the larger of its positive and its negative part."""
    with warnings.catch_warnings():  # under the array API scikit-learn says that it takes another normalizer
        warnings.filterwarnings("ignore", "Array API does not support LU")
        U, S, V = randomized_svd(X, k, random_state=rng)
    W, H = np.zeros_like(U), np.zeros_like(V)
    W[:, 0], H[0] = np.sqrt(S[0]) * np.abs(U[:, 0]), np.sqrt(S[0]) * np.abs(V[0])
    for j in range(1, k):
        parts = [(np.maximum(s * U[:, j], 0.0), np.maximum(s * V[j], 0.0)) for s in (1.0, -1.0)]
        sizes = [np.linalg.norm(u) * np.linalg.norm(v) for u, v in parts]
        (u, v), size = (parts[0], sizes[0]) if sizes[0] > sizes[1] else (parts[1], sizes[1])
        if size > 0.0:
            root = np.sqrt(S[j] * size)
            W[:, j], H[j] = root * u / np.linalg.norm(u), root * v / np.linalg.norm(v)
    return W, H


def _zeros_kept(X: Any, W: Array, H: Array, rng: Any) -> tuple[Array, Array]:
    return W, H


def _by_mean(X: Any, W: Array, H: Array, rng: Any) -> tuple[Array, Array]:
    average = X.mean()
    return np.where(W == 0.0, average, W), np.where(H == 0.0, average, H)


def _at_random(X: Any, W: Array, H: Array, rng: Any) -> tuple[Array, Array]:
    average = X.mean()
    W[W == 0.0] = np.abs(average * rng.standard_normal(size=int((W == 0.0).sum())) / 100)
    H[H == 0.0] = np.abs(average * rng.standard_normal(size=int((H == 0.0).sum())) / 100)
    return W, H


_FILLED = {"nndsvd": _zeros_kept, "nndsvda": _by_mean, "nndsvdar": _at_random}
