"""Silhouettes: how much nearer each row is to its own cluster than to the next.

s = (b - a) / max(a, b),   a = mean distance to the other rows of the own cluster,   b = least mean distance to another

The row itself is left out of a, which is divided by W - 1; a row that weighs less than 1 is left out whole, so that
weights of a sum of 1 say what their multiples do; a row alone in its cluster gets 0. Distances are made for some rows
at a time: what is held grows with n, not with n^2.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from suffice.clusters.validation.labelled_rows import LabelledRows, read_labelled
from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.numerics.lanes import LANES, PART, add_distances, grouped
from suffice.numerics.loop import loop, pays
from suffice.numerics.threads import in_threads, processors
from suffice.spaces.distances.distance import refuse_no_numbers
from suffice.spaces.distances.given_distances import Precomputed
from suffice.spaces.distances.minkowski import Euclidean, SquaredEuclidean
from suffice.spaces.distances.named_distances import as_distance

CELLS = 1 << 20  # of distances made at a time: eight megabytes


@dataclass(frozen=True)
class Silhouettes:
    """Silhouettes of rows, clusters and all.

    >>> found = silhouettes([[0.0], [1.0], [10.0], [11.0]], [0, 0, 1, 1])
    >>> found.values.round(6).tolist(), round(found.mean, 6)
    ([0.904762, 0.894737, 0.894737, 0.904762], 0.899749)
    """

    values: Array  # (n,)
    labels: Array  # (n,) as they were given
    clusters: Array  # (K,) the different labels
    by_cluster: Array  # (K,) weighted means
    mean: float
    weight: Array  # (n,)

    def sorted_values(self, cluster: Any) -> Array:
        """The values of one cluster, falling: what a silhouette plot draws."""
        return np.sort(self.values[self.labels == cluster])[::-1]


def silhouettes(
    X: Any, labels: Any, metric: Any = "euclidean", *, sample_weight: Any = None, own: bool = False, **parameters: Any
) -> Silhouettes:
    """Silhouettes of labelled rows.

    Parameters
    ----------
    X : rows, or distances (n, n) with metric="precomputed"
    labels : one a row, at least 2 different
    metric : any distance, its name, or "precomputed"
    sample_weight : one weight a row; weight w counts as w copies
    own : whether a row counts among its own cluster: the letter of some definitions, but not what is meant
    parameters : of the metric
    """
    owner = "silhouettes"
    rows = read_labelled(owner, X, labels, sample_weight, metric)
    if not 2 <= rows.K <= rows.n:
        rule = f"of 2 to {rows.n - 1} clusters (Number of labels is {rows.K}. Valid values are 2 to n_samples - 1)"
        raise bad(owner, "labels", rule, Said(str(rows.K)), "Ask of a clustering with several clusters.")
    distance = as_distance(metric, rows.X, owner=owner, **parameters)
    sums = _way(rows, distance)(rows, distance)  # (n, K) weighted sums of distances
    at, total = np.arange(rows.n), rows.totals
    with np.errstate(divide="ignore", invalid="ignore"):
        others = sums / total
        left = total[rows.codes] - (0.0 if own else np.minimum(rows.w, 1.0))
        a = sums[at, rows.codes] / left
        others[at, rows.codes] = np.inf
        b = others.min(axis=1)
        s = np.where((left > 0) & (np.maximum(a, b) > 0), (b - a) / np.maximum(a, b), 0.0)
    s = np.where(rows.w > 0, s, 0.0)
    by = np.bincount(rows.codes, rows.w * s, rows.K) / total
    return Silhouettes(s, np.asarray(labels), rows.clusters, by, float(rows.w @ s / rows.w.sum()), rows.w)


def _way(rows: LabelledRows, distance: Any) -> Any:
    """By a formula, by a loop, or by tables of some rows."""
    if isinstance(distance, SquaredEuclidean):
        return _closed
    few = 4 * rows.n >= rows.K * LANES  # clusters of a few rows would leave most lanes empty
    loops = isinstance(distance, Euclidean) and few and pays(rows.n * rows.n)
    return _looped if loops else _in_blocks


def _looped(rows: LabelledRows, distance: Any) -> Array:
    """Euclidean distances one by one, cluster after cluster, never held."""
    members = [np.flatnonzero(rows.codes == k) for k in range(rows.K)]
    C = np.concatenate([grouped(rows.X[some], fill=0.0) for some in members])
    weights = [grouped(rows.w[some][:, None], fill=0.0)[:, 0] for some in members]
    edges, w = np.cumsum([0, *(len(some) for some in weights)]), np.concatenate(weights)
    sums = np.empty((rows.n, rows.K))
    X = np.ascontiguousarray(rows.X, dtype=np.float64)
    cuts = np.linspace(0, rows.n, 4 * processors() + 1).astype(int).tolist()

    def some_rows(run: tuple[int, int], go_on: Any) -> None:
        _distance_sums(X, run[0], run[1], C, w, edges, np.empty((1, LANES)), sums)

    in_threads(some_rows, list(pairwise(cuts)), processors())
    return sums


def _in_blocks(rows: LabelledRows, distance: Any) -> Array:
    Z = rows.shares
    found, step = np.empty((rows.n, rows.K)), max(1, CELLS // rows.n)
    towards = distance.between if isinstance(distance, Precomputed) else distance.towards(rows.X)
    for start in range(0, rows.n, step):
        D = refuse_no_numbers("silhouettes", towards(rows.X[start : start + step]), start)
        found[start : start + step] = D @ Z
    return found


def _closed(rows: LabelledRows, distance: Any) -> Array:
    """Of squared distances: W_j norm(x - m_j)^2 + Scat_j, without any pair."""
    from suffice.spaces.euclidean import squared_distances

    means = (rows.shares.T @ (rows.X - rows.X[0])) / rows.totals[:, None] + rows.X[0]
    gap = ((rows.X - means[rows.codes]) ** 2).sum(axis=1)
    scatter = np.bincount(rows.codes, rows.w * gap, rows.K)
    return squared_distances(rows.X, means) * rows.totals + scatter


@loop
def _distance_sums(
    X: Array, first: int, last: int, C: Array, w: Array, edges: Array, total: Array, sums: Array
) -> None:
    """Weighted sums of Euclidean distances of some rows to each cluster, whose rows lie in groups of their own."""
    for i in range(first, last):
        for k in range(len(edges) - 1):
            for r in range(LANES):
                total[0, r] = 0.0
            for g in range(edges[k], edges[k + 1]):
                for r in range(0, LANES, PART):
                    add_distances(X, C, w, total, i, g, r)
            sums[i, k] = 0.0
            for r in range(LANES):
                sums[i, k] += total[0, r]
