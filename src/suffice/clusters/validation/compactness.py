"""Cohesion, separation, and the measures made of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.clusters.validation.labelled_rows import LabelledRows, read_labelled
from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.spaces.distances.distance import refuse_no_numbers
from suffice.spaces.distances.given_distances import Precomputed
from suffice.spaces.distances.named_distances import as_distance

OVER = ("pairs", "prototype")
EPS = float(np.finfo(np.float64).eps)


def cohesion(
    X: Any, labels: Any, *, over: str = "pairs", metric: Any = "sqeuclidean", sample_weight: Any = None
) -> Array:
    """Within each cluster the sum of distances of its pairs, or of its rows to their mean (K,): small is close.

    >>> cohesion([[0.0], [2.0], [5.0]], [0, 0, 1], metric="euclidean").tolist()
    [2.0, 0.0]
    """
    rows = _read("cohesion", X, labels, over, metric, sample_weight)
    distance = as_distance(metric, rows.X, owner="cohesion")
    if over == "prototype":
        gap = distance.paired(rows.X, rows.means[rows.codes])
        return np.bincount(rows.codes, rows.w * gap, rows.K)
    return 0.5 * np.diagonal(_pair_sums("cohesion", rows, distance))


def separation(
    X: Any, labels: Any, *, over: str = "pairs", metric: Any = "sqeuclidean", sample_weight: Any = None
) -> Array:
    """Between each two clusters the sum of distances of all cross pairs, or the distance of their means (K, K).

    >>> separation([[0.0], [2.0], [5.0]], [0, 0, 1], metric="euclidean").tolist()
    [[0.0, 8.0], [8.0, 0.0]]
    """
    rows = _read("separation", X, labels, over, metric, sample_weight)
    distance = as_distance(metric, rows.X, owner="separation")
    found = distance.between(rows.means) if over == "prototype" else _pair_sums("separation", rows, distance)
    np.fill_diagonal(found, 0.0)
    return found


def sum_of_squares(X: Any, labels: Any, *, sample_weight: Any = None) -> float:
    """SSE: squared distances of rows to the mean of their cluster, all together."""
    return float(cohesion(X, labels, over="prototype", sample_weight=sample_weight).sum())


def calinski_harabasz(X: Any, labels: Any, *, sample_weight: Any = None) -> float:
    """(scatter between / (K - 1)) / (scatter within / (W - K)): large is good."""
    rows = _several("calinski_harabasz", X, labels, sample_weight)
    means, total = rows.means, rows.w.sum()
    if total <= rows.K:
        rule = f"of more than {rows.K} in all, as there are {rows.K} clusters and a row of weight w is w copies"
        raise bad("calinski_harabasz", "sample_weight", rule, float(total), "Multiply all of them by a constant.")
    within = float(rows.w @ ((rows.X - means[rows.codes]) ** 2).sum(axis=1))
    middle = rows.totals @ (means - means[0]) / total + means[0]
    between = float(rows.totals @ ((means - middle) ** 2).sum(axis=1))
    if within == 0.0:
        return 1.0
    return float(between * (total - rows.K) / (within * (rows.K - 1.0)))


def davies_bouldin(X: Any, labels: Any, *, sample_weight: Any = None) -> float:
    """The mean of the worst (s_i + s_j) / norm(m_i - m_j), s the mean distance to the mean: small is good."""
    rows = _several("davies_bouldin", X, labels, sample_weight)
    means = rows.means
    gap = np.sqrt(((rows.X - means[rows.codes]) ** 2).sum(axis=1))
    spread = np.bincount(rows.codes, rows.w * gap, rows.K) / rows.totals
    apart = as_distance("euclidean").between(means)
    least = 1e-13 * np.abs(rows.X - rows.X[0]).max() + EPS * np.abs(rows.X).max()  # what rounding leaves of 0
    if spread.max() <= least or apart.max() <= least:
        return 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.add.outer(spread, spread) / np.where(apart > 0, apart, np.inf)
    np.fill_diagonal(ratio, -np.inf)
    return float(ratio.max(axis=1).mean())


@dataclass(frozen=True)
class SeparationCheck:
    """Whether every row is nearer to all of its own cluster than to any other row; if not, a row that shows it."""

    holds: bool
    row: int | None = None  # a row that has
    inside: int | None = None  # a row of its own cluster farther away than
    outside: int | None = None  # a row of another


def check_separated(X: Any, labels: Any, metric: Any = "euclidean") -> SeparationCheck:
    """Whether clusters are well separated: no row is nearer to an outside row than to any row of its own cluster.

    >>> check_separated([[0.0], [1.0], [1.5]], [0, 0, 1])
    SeparationCheck(holds=False, row=1, inside=0, outside=2)
    """
    rows = read_labelled("check_separated", X, labels, None, metric)
    distance = as_distance(metric, rows.X, owner="check_separated")
    step = max(1, (1 << 20) // rows.n)
    towards = distance.between if isinstance(distance, Precomputed) else distance.towards(rows.X)
    for start in range(0, rows.n, step):
        D = refuse_no_numbers("check_separated", towards(rows.X[start : start + step]), start)
        same = rows.codes[start : start + step, None] == rows.codes
        inside, outside = np.where(same, D, -np.inf), np.where(same, np.inf, D)
        wrong = np.flatnonzero(outside.min(axis=1) < inside.max(axis=1))
        if len(wrong):
            i = int(wrong[0])
            return SeparationCheck(False, start + i, int(inside[i].argmax()), int(outside[i].argmin()))
    return SeparationCheck(True)


def _read(owner: str, X: Any, labels: Any, over: str, metric: Any, w: Any) -> LabelledRows:
    if over not in OVER:
        raise bad(owner, "over", "'pairs' or 'prototype'", over, "Choose one of these.")
    if over == "prototype" and isinstance(metric, str) and metric == "precomputed":
        raise bad(owner, "over", "'pairs' where distances are given", over, "Distances have no means.")
    return read_labelled(owner, X, labels, w, metric)


def _several(owner: str, X: Any, labels: Any, w: Any) -> LabelledRows:
    rows = read_labelled(owner, X, labels, w)
    if not 2 <= rows.K <= rows.n - 1:
        told = f"Number of labels is {rows.K}. Valid values are 2 to n_samples - 1 (inclusive)"
        raise bad(owner, "labels", f"of 2 to {rows.n - 1} clusters ({told})", Said(str(rows.K)), "Ask of several.")
    return rows


def _pair_sums(owner: str, rows: LabelledRows, distance: Any) -> Array:
    """Weighted sums of distances over ordered pairs of clusters (K, K)."""
    Z, found = rows.shares, np.zeros((rows.K, rows.K))
    step = max(1, (1 << 20) // rows.n)
    towards = distance.between if isinstance(distance, Precomputed) else distance.towards(rows.X)
    for start in range(0, rows.n, step):
        D = refuse_no_numbers(owner, towards(rows.X[start : start + step]), start)
        found += Z[start : start + step].T @ (D @ Z)
    return found
