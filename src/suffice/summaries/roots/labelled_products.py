"""Classes as targets: products of columns with codes of the classes, from the products of each class alone."""

from __future__ import annotations

import numpy as np
from scipy.linalg.lapack import dtrtrs

from suffice.core.block import Array
from suffice.core.double_double import Pair, exact
from suffice.summaries.full_moments import FullMoments
from suffice.summaries.roots.correlation_root import CorrelationRoot, correlation_root
from suffice.summaries.roots.paired_root import paired_root
from suffice.summaries.roots.product_roots import SAFE_ROOT, nearest_root


def labelled_products(moments: FullMoments, Y: Array, weight: Array) -> FullMoments:
    """Products of the columns (1, x - shift, y) of all components as one."""
    K, m, t = len(Y), len(moments.shift), Y.shape[1]
    halves = zip(moments.weight, moments.first, moments.second, strict=True)
    G = Pair(*(np.zeros((K, 1 + m, 1 + m)) for _ in range(2)))
    for whole, (W, S, Q) in zip(G, halves, strict=True):
        whole[:, 0, 0], whole[:, 0, 1:], whole[:, 1:, 0], whole[:, 1:, 1:] = W, S, S, Q
    G = _by(G, weight[:, None, None])
    ones = Pair(*(half[:, :, :1] for half in G))
    with_y = _by(ones, Y[:, None, :])  # (K, 1 + m, t)
    y_y = Pair(*(half[:, :1, :1] for half in G)) * (exact(Y[:, :, None]) * exact(Y[:, None, :]))
    side, cross, corner = G.sum(0), with_y.sum(0), y_y.sum(0)
    first = Pair(*(np.append(a[0, 1:], b[0])[None] for a, b in zip(side, cross, strict=True)))
    second = Pair(
        *(np.block([[a[1:, 1:], b[1:]], [b[1:].T, c]])[None] for a, b, c in zip(side, cross, corner, strict=True))
    )
    shift = np.append(moments.shift, np.zeros(t))
    noise = np.append(weight @ moments.noise, np.zeros(t))[None]
    rows, total = moments.rows.sum(keepdims=True), Pair(*(a[0, :1] for a in side))
    return FullMoments(shift, rows, total, first, second, noise=noise, sharp=moments.sharp)


def _by(some: Pair, factors: Array) -> Pair:
    """Products with plain numbers; those with 1 and -1, as most codes and weights are, do not round."""
    if (np.abs(factors) != 1.0).any():
        return some.by(factors)
    return some if (factors == 1.0).all() and factors.size == len(factors) else Pair(*(half * factors for half in some))


def labelled_root(moments: FullMoments, m: int) -> CorrelationRoot | None:
    """The triangle of one component whose last columns are targets that may depend on one another, from m others.

    The condition number is that of the others, infinite where it was not asked for.
    """
    S = Pair(*(half[0] for half in moments.scatter))
    others = Pair(*(half[:m, :m] for half in S))
    safe = correlation_root(others.value)
    A = safe.T if safe is not None and safe.condition < SAFE_ROOT else paired_root(others)
    root = np.sqrt(moments.weight.value[0])
    if A is None or not root > 0.0 or not (live := np.diagonal(A) > 0.0).any():
        return None
    T = np.zeros((len(S.high) + 1,) * 2)
    T[0, 0], T[0, 1:] = root, moments.first.value[0] / root
    Y = np.zeros((m, len(S.high) - m))
    Y[live] = dtrtrs(A[np.ix_(live, live)], S.value[:m, m:][live], trans=1)[0]
    T[1 : m + 1, 1 : m + 1], T[1 : m + 1, m + 1 :] = A, Y
    rest = S.value[m:, m:] - Y.T @ Y
    np.fill_diagonal(rest, np.maximum(np.diagonal(rest), 0.0))
    T[m + 1 :, m + 1 :] = nearest_root(rest)
    return CorrelationRoot(T, np.inf if safe is None else safe.condition)
