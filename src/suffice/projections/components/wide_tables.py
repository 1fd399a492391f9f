"""Axes of tables with more columns than can be multiplied in pairs: the rows themselves are decomposed, in memory.

Randomised: the axes of Y = (Z Z')^q Z G, with G random and Z all the rows, not a sample of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse.linalg import LinearOperator, svds
from sklearn.utils import check_random_state
from sklearn.utils.extmath import randomized_svd

from suffice.core.block import Array
from suffice.core.errors import Said, bad

NARROW, MOST = 512, 4096  # columns up to which products are kept whatever the rows, and beyond which they never are


def is_wide(n: int, d: int) -> bool:
    """Whether products of all pairs of columns would be larger than the rows are worth."""
    return d > MOST or (d > NARROW and n < 2 * d)


def weighted_rows(owner: str, X: Any, w: Array | None) -> tuple[Any, Array, float]:
    """Rows times the roots of their weights (sparse where they are), those roots, and the weight of all."""
    cells = X.data if hasattr(X, "tocsr") else X
    if not np.isfinite(cells).all():
        rule = f"complete where columns are more than {NARROW} and rows fewer than two a column"
        raise bad(owner, "X", rule, Said("missing cells"), "Fill them, or leave columns out.")
    root = np.ones(X.shape[0]) if w is None else np.sqrt(w)
    return X, root, float((root**2).sum())


def svd_of(Z: Any, k: int, solver: str, given: dict[str, Any]) -> tuple[Array, Array]:
    """Singular values and axes (k, d) of centred rows, or of an operator that acts as such.

    Parameters
    ----------
    Z : (n, d)
    k : how many
    solver : "full", "arpack" or "randomized"
    given : tol, n_iter, n_oversamples, power_iteration_normalizer, random_state
    """
    rng = check_random_state(given["random_state"])
    if solver == "randomized":
        _, values, axes = randomized_svd(
            Z,
            k,
            n_oversamples=given["n_oversamples"],
            n_iter=given["n_iter"],
            power_iteration_normalizer=given["power_iteration_normalizer"],
            flip_sign=False,
            random_state=rng,
        )
        return values, axes
    if solver == "arpack":
        start = rng.uniform(-1, 1, size=min(Z.shape))
        _, values, axes = svds(Z, k=k, tol=given["tol"], v0=start)
        return values[::-1].copy(), axes[::-1].copy()
    _, values, axes = np.linalg.svd(Z, full_matrices=False)
    return values[:k], axes[:k]


def centred_operator(X: Any, root: Array, mean: Array) -> Any:
    """sqrt(w) (X - mean) as an operator where X is sparse, else as an array."""
    if not hasattr(X, "tocsr"):
        return (np.asarray(X, dtype=np.float64) - mean) * root[:, None]
    S = X.astype(np.float64).multiply(root[:, None]).tocsr()
    return LinearOperator(
        shape=S.shape,
        dtype=np.float64,
        matvec=lambda v: S @ v - root * (mean @ v),
        rmatvec=lambda v: S.T @ v - mean * (root @ v),
        matmat=lambda V: S @ V - np.outer(root, mean @ V),
        rmatmat=lambda V: S.T @ V - np.outer(mean, root @ V),
    )
