"""Where k-means begins: rows (Forgy), random partitions, k-means++ and k-means||, or centres that are given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.spaces.nearest_centre import nearest_centre, row_chunks, squared_to_own

Start = Callable[[Any, Array, int, Any], Array]  # rows, weights, number of centres, RandomState -> centres (K, d)
ROUNDS = 5  # of k-means||, each of which draws about 2 K rows


def dense_rows(X: Any, rows: Any) -> Array:
    """Some rows as float64."""
    some = X[rows]
    return np.array(some.toarray() if hasattr(some, "toarray") else some, dtype=np.float64)


def forgy(X: Any, w: Array, K: int, rng: Any) -> Array:
    """K different rows, drawn by their weight; copies, so that nothing learned changes the rows."""
    return dense_rows(X, rng.choice(len(w), size=K, replace=False, p=w / w.sum()))


def random_partition(X: Any, w: Array, K: int, rng: Any) -> Array:
    """The means of clusters whose rows were drawn at random; a cluster without rows begins at a row."""
    labels, sums, weight = rng.randint(K, size=len(w)), np.zeros((K, int(X.shape[1]))), np.zeros(K)
    for rows, some in row_chunks(X, K):
        np.add.at(sums, labels[rows], some * w[rows, None])
    np.add.at(weight, labels, w)
    empty = weight == 0.0
    if empty.any():
        sums[empty], weight[empty] = forgy(X, w, int(empty.sum()), rng), 1.0
    return sums / weight[:, None]


def plus_plus(X: Any, w: Array, K: int, rng: Any) -> Array:
    """k-means++: the next centre is a row drawn by its squared distance to the nearest so far, the best of some."""
    return dense_rows(X, plus_plus_rows(X, w, K, rng))


def plus_plus_rows(X: Any, w: Array, K: int, rng: Any, trials: int | None = None) -> Array:
    """The numbers of the rows that k-means++ draws (K,)."""
    trials = 2 + int(np.log(K)) if trials is None else trials
    chosen = np.empty(K, dtype=np.intp)
    chosen[0] = rng.choice(len(w), p=w / w.sum())
    near = _squared(X, dense_rows(X, chosen[:1]))[0]
    for k in range(1, K):
        reached = np.cumsum(w * near)
        at = np.searchsorted(reached, rng.uniform(size=trials) * reached[-1])
        at = np.minimum(at, np.flatnonzero(w)[-1])
        closer = np.minimum(near, _squared(X, dense_rows(X, at)))
        best = int((closer @ w).argmin())
        chosen[k], near = at[best], closer[best]
    return chosen


def parallel_start(X: Any, w: Array, K: int, rng: Any) -> Array:
    """k-means||: rounds that draw many rows at once by squared distance, then k-means++ among these by their weight."""
    drawn = dense_rows(X, [rng.choice(len(w), p=w / w.sum())])
    near = _squared(X, drawn)[0]
    for _ in range(ROUNDS):
        cost = float(w @ near)
        if cost <= 0.0:
            break
        fresh = np.flatnonzero(rng.uniform(size=len(w)) * cost < 2.0 * K * w * near)
        if len(fresh):
            rows = dense_rows(X, fresh)
            near = np.minimum(near, squared_to_own(X, rows, nearest_centre(X, rows)))
            drawn = np.concatenate([drawn, rows])
    if len(drawn) < K:  # few different rows
        return np.concatenate([drawn, forgy(X, w, K - len(drawn), rng)])
    weight = np.bincount(nearest_centre(X, drawn), w, len(drawn))
    weight = weight if (weight > 0).sum() >= K else weight + w.sum() * 1e-12
    return plus_plus(drawn, weight, K, rng)


def _squared(X: Any, rows: Array) -> Array:
    """Squared distances (m, n) of a few rows to all."""
    found = np.empty((len(rows), int(X.shape[0])))
    middle = rows.mean(axis=0)
    about = rows - middle
    squares = np.einsum("ij,ij->i", about, about)
    for part, some in row_chunks(X, len(rows)):
        gap = some - middle
        products = about @ gap.T
        products *= -2.0
        products += np.einsum("ij,ij->i", gap, gap)
        products += squares[:, None]
        found[:, part] = np.maximum(products, 0.0, out=products)
    return found


STARTS: Mapping[str, Start] = {
    "k-means++": plus_plus,
    "k-means||": parallel_start,
    "random": forgy,
    "random-partition": random_partition,
}
