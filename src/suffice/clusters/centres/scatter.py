"""Scatter and its parts: S = sum_j S_j + B, as matrices and as traces; and partitions that k-means leaves alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.clusters.validation.labelled_rows import read_labelled
from suffice.core.block import Array
from suffice.core.errors import Said, bad


@dataclass(frozen=True)
class ScatterParts:
    """The scatter of rows, within clusters and between them. The traces add too: `scatter == within + between`.

    >>> parts = scatter_parts([[0, 3], [3, 3], [3, 0], [-2, -4], [-4, -2]], [0, 0, 0, 1, 1])
    >>> parts.total.tolist(), parts.traces, parts.between_trace
    ([[38.0, 25.0], [25.0, 38.0]], (12.0, 4.0), 60.0)
    """

    total: Array  # (d, d)
    within: Array  # (K, d, d)
    between: Array  # (d, d) that of rows replaced by the mean of their cluster
    mean: Array  # (d,)
    means: Array  # (K, d)
    weight: Array  # (K,)

    @property
    def scatter(self) -> float:
        """The trace of the total: squared distances to the mean."""
        return float(np.trace(self.total))

    @property
    def traces(self) -> tuple[float, ...]:
        """The scatter of each cluster."""
        return tuple(float(np.trace(S)) for S in self.within)

    @property
    def between_trace(self) -> float:
        """sum_j W_j norm(m_j - m)^2."""
        return float(np.trace(self.between))


def scatter_parts(X: Any, labels: Any, sample_weight: Any = None) -> ScatterParts:
    """The scatter matrix of labelled rows and its parts."""
    rows = read_labelled("scatter_parts", X, labels, sample_weight)
    means, weight = rows.means, rows.totals
    mean = weight @ (means - means[0]) / weight.sum() + means[0]
    total = _about(rows.X, mean, rows.w)
    within = np.stack([_about(rows.X[rows.codes == k], means[k], rows.w[rows.codes == k]) for k in range(rows.K)])
    return ScatterParts(total, within, _about(means, mean, weight), mean, means, weight)


def scatter_matrix(X: Any, sample_weight: Any = None) -> Array:
    """sum_i w_i (x_i - m)(x_i - m)^T (d, d)."""
    return scatter_parts(X, np.zeros(len(np.asarray(X))), sample_weight).total


def is_stationary(X: Any, labels: Any, sample_weight: Any = None) -> bool:
    """Whether one step of k-means leaves a partition alone: no row is nearer to the mean of another cluster.

    >>> is_stationary([[8.0], [44.0], [50.0], [58.0], [84.0]], [0, 0, 1, 1, 1])
    True
    """
    rows = read_labelled("is_stationary", X, labels, sample_weight)
    far = ((rows.X[:, None] - rows.means) ** 2).sum(axis=2)
    own = far[np.arange(rows.n), rows.codes]
    return bool((own <= far.min(axis=1) * (1 + 1e-12))[rows.w > 0].all())


def stationary_partitions(X: Any, K: int = 2) -> list[tuple[Array, float]]:
    """All partitions in K clusters that k-means leaves alone, with their scatter, the best first: for few rows."""
    rows = np.asarray(X, dtype=np.float64)
    if len(rows) > 14:
        raise bad("stationary_partitions", "X", "of at most 14 rows", Said(str(len(rows))), "Use is_stationary.")
    found = [
        (labels, float(sum(scatter_parts(rows, labels).traces)))
        for labels in set_partitions(len(rows), K)
        if is_stationary(rows, labels)
    ]
    return sorted(found, key=lambda each: each[1])


def set_partitions(n: int, K: int) -> Iterator[Array]:
    """All ways to part n rows into K clusters, each once."""

    def grow(labels: list[int], used: int) -> Iterator[Array]:
        if len(labels) == n:
            if used == K:
                yield np.array(labels)
            return
        for k in range(min(used + 1, K)):
            yield from grow([*labels, k], max(used, k + 1))

    yield from grow([], 0)


def _about(X: Array, centre: Array, w: Array) -> Array:
    gap = X - centre
    return np.asarray((gap * w[:, None]).T @ gap)
