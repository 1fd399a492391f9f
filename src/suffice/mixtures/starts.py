"""Where mixtures begin: shares of rows from k-means, from single rows, or at random."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.shares import Shares
from suffice.numerics.blas_threads import one_thread_a_loop
from suffice.summaries.shifted_sums import refuse_tiny

Start = Callable[[Array, Array | None, int, Any], Shares]


def _kmeans(X: Array, w: Array | None, K: int, rng: Any) -> Shares:
    """Each row to its cluster."""
    from sklearn.cluster import KMeans

    rows = filled(X)
    refuse_tiny(rows)  # before distances vanish, and all rows pass for one
    with one_thread_a_loop():
        labels = KMeans(n_clusters=K, n_init=1, random_state=rng).fit(rows, sample_weight=w).labels_
    return Shares.hard(labels.astype(np.int32), K, w)


def _plus_plus(X: Array, w: Array | None, K: int, rng: Any) -> Shares:
    """One row for each component, far from one another."""
    from sklearn.cluster import kmeans_plusplus

    return _alone(kmeans_plusplus(filled(X), K, sample_weight=w, random_state=rng)[1], len(X), K, w)


def _from_data(X: Array, w: Array | None, K: int, rng: Any) -> Shares:
    """One row for each component."""
    chances = None if w is None else w / w.sum()
    return _alone(rng.choice(len(X), size=K, replace=False, p=chances), len(X), K, w)


def _random(X: Array, w: Array | None, K: int, rng: Any) -> Shares:
    """Every row to all components, in random shares."""
    share = rng.uniform(size=(len(X), K))
    share /= share.sum(axis=1, keepdims=True)
    return Shares.soft(share if w is None else share * w[:, None])


STARTS: Mapping[str, Start] = {
    "kmeans": _kmeans,
    "k-means++": _plus_plus,
    "random": _random,
    "random_from_data": _from_data,
}


def filled(X: Array) -> Array:
    """Missing cells at the mean of their column: where to begin is no estimate."""
    gaps = np.isnan(X)
    if not gaps.any():
        return X
    count = (~gaps).sum(axis=0)
    means = np.where(gaps, 0.0, X).sum(axis=0) / np.maximum(count, 1)
    return np.where(gaps, means, X).astype(X.dtype)


def _alone(rows: Any, n: int, K: int, w: Array | None) -> Shares:
    codes = np.full(n, -1, dtype=np.int32)
    codes[rows] = np.arange(K, dtype=np.int32)
    return Shares.hard(codes, K, w)
