"""Matrices of low rank: the best approximation, its error, and the sum of hidden variables that it is.

X ~ sum_i s_i u_i v_i'          one term a hidden variable, such as a genre or a topic; terms need not be orthogonal
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.core.registry import saved
from suffice.projections.components.principal_axes import turned


@saved
@dataclass(frozen=True)
class LowRank:
    """A product of factors, left diag(weights) right.

    >>> kept = low_rank([[3.0, 0.0], [0.0, 2.0], [0.0, 0.0]], 1)
    >>> kept.weights.tolist(), float(kept.error)
    ([3.0], 4.0)
    >>> kept.matrix().round(6).tolist()
    [[3.0, 0.0], [0.0, 0.0], [0.0, 0.0]]
    """

    left: Array  # (n, r)
    weights: Array  # (r,)
    right: Array  # (r, d)
    error: float = 0.0  # sum of squared differences to the matrix it stands for

    def matrix(self) -> Array:
        """The product."""
        return np.asarray((self.left * self.weights) @ self.right)

    def terms(self) -> Array:
        """The matrices of rank 1 (r, n, d) whose sum is the product: what each hidden variable adds."""
        return np.asarray(self.weights[:, None, None] * self.left.T[:, :, None] * self.right[:, None, :])

    @property
    def rank(self) -> int:
        """Number of terms."""
        return len(self.weights)


def low_rank(X: Any, rank: int) -> LowRank:
    """The matrix of a rank nearest to X, by the sum of squared differences: none of that rank is nearer.

    Its error is the sum of the squares of the singular values that are left out.
    """
    X = np.asarray(X, dtype=np.float64)
    if X.ndim != 2 or not np.isfinite(X).all():
        raise bad("low_rank", "X", "a matrix of finite numbers", Said(f"shape {X.shape}"), "Use MatrixCompletion.")
    if not 0 <= rank <= min(X.shape):
        raise bad("low_rank", "rank", f"from 0 to {min(X.shape)}", rank, "It cannot be more.")
    U, s, V = np.linalg.svd(X, full_matrices=False)
    axes = turned(V)
    signs = np.where((axes * V).sum(axis=1) < 0, -1.0, 1.0)
    return LowRank((U * signs)[:, :rank], s[:rank], axes[:rank], float((s[rank:] ** 2).sum()))
