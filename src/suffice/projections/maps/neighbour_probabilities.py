"""Probabilities of neighbours, as t-SNE matches them.

p(j | i) = exp(-d_ij^2 / (2 s_i^2)) / sum_{l != i} exp(-d_il^2 / (2 s_i^2)),     s_i by the perplexity: 2^H(p(. | i))
p_ij = (p(j | i) + p(i | j)) / 2n,                                               which sum to 1 over all ordered pairs
q_ij = (1 + |y_i - y_j|^2)^-1 / sum_{k != l} (1 + |y_k - y_l|^2)^-1
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csr_matrix

from suffice.core.block import Array
from suffice.core.errors import Said, bad

STEPS, NEAR = 100, 1e-10  # of the search for a width, and how near the entropy must be


def conditional_probabilities(squares: Array, perplexity: float) -> Array:
    """p(j | i) of each row (n, m) from squared distances to its neighbours, itself not among them.

    >>> conditional_probabilities(np.array([[1.0, 1.0, 9.0]]), 2.0).round(3).tolist()
    [[0.5, 0.5, 0.0]]
    """
    squares = np.asarray(squares, dtype=np.float64)
    if not perplexity > 0:
        raise bad("conditional_probabilities", "perplexity", "above 0", perplexity, "30 is usual.")
    gaps = squares - squares.min(axis=1, keepdims=True)
    wanted = np.log(min(perplexity, squares.shape[1]))
    scale = gaps.mean(axis=1)
    beta = 1.0 / np.where(scale > 0, scale, 1.0)
    low, high = np.zeros(len(gaps)), np.full(len(gaps), np.inf)
    P = np.empty_like(gaps)
    for _ in range(STEPS):
        P = np.exp(-beta[:, None] * gaps)
        total = P.sum(axis=1)
        entropy = np.log(total) + beta * (P * gaps).sum(axis=1) / total
        wide = entropy > wanted  # too many neighbours: a narrower width
        if np.abs(entropy - wanted).max() < NEAR:
            break
        low, high = np.where(wide, beta, low), np.where(wide, high, beta)
        beta = np.where(np.isinf(high), 2.0 * beta, (low + high) / 2.0)
        beta = np.minimum(beta, 1e300)
    return np.asarray(P / P.sum(axis=1, keepdims=True))


def joint_probabilities(conditional: Any) -> Any:
    """(p(j | i) + p(i | j)) / 2n of conditional ones (n, n), an array or a sparse matrix; they sum to 1."""
    n = conditional.shape[0]
    if conditional.shape != (n, n):
        got = Said(f"shape {conditional.shape}")
        raise bad("joint_probabilities", "conditional", "square", got, "One row and column a row of the table.")
    return (conditional + conditional.T) / (2.0 * n)


def map_probabilities(Y: Any) -> Array:
    """q_ij of places (n, k): Student's t over all ordered pairs, which sum to 1."""
    Y = np.asarray(Y, dtype=np.float64)
    squares = (Y**2).sum(axis=1)
    q = 1.0 / (1.0 + np.maximum(squares[:, None] + squares[None, :] - 2.0 * Y @ Y.T, 0.0))
    np.fill_diagonal(q, 0.0)
    return np.asarray(q / q.sum())


def kullback_leibler(p: Any, q: Any) -> float:
    """Sum of p log(p / q), in nats; 0 log 0 is 0, and what p allows and q does not is infinite.

    >>> round(kullback_leibler([0.5, 0.5], [0.9, 0.1]), 6)
    0.510826
    """
    p, q = np.asarray(p, dtype=np.float64), np.asarray(q, dtype=np.float64)
    if p.shape != q.shape or (p < 0).any() or (q < 0).any():
        got = Said(f"shapes {p.shape} and {q.shape}")
        raise bad("kullback_leibler", "p and q", "of one shape and at least 0", got, "Give two distributions.")
    some = p > 0
    with np.errstate(divide="ignore"):
        return float((p[some] * (np.log(p[some]) - np.log(q[some]))).sum())


def sparse_conditional(found: Array, at: Array, perplexity: float) -> Any:
    """p(j | i) of the nearest neighbours alone, as a sparse matrix (n, n)."""
    n, k = at.shape
    P = conditional_probabilities(found**2, perplexity)
    return csr_matrix((P.ravel(), at.ravel(), np.arange(0, n * k + 1, k)), shape=(n, n))
