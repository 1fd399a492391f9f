"""Rows with labels of clusters, checked once for all measures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.estimators.boundary.targets import read_weights


@dataclass(frozen=True)
class LabelledRows:
    """Rows (n, d) or distances (n, n), the number of the cluster of each, and weights."""

    X: Array
    codes: Array  # (n,)
    clusters: Array  # (K,) labels
    w: Array  # (n,)

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.codes)

    @property
    def K(self) -> int:
        """Number of clusters."""
        return len(self.clusters)

    @property
    def totals(self) -> Array:
        """Weight of each cluster (K,)."""
        return np.bincount(self.codes, self.w, self.K)

    @property
    def shares(self) -> Array:
        """Weights in the column of their cluster (n, K)."""
        found = np.zeros((self.n, self.K))
        found[np.arange(self.n), self.codes] = self.w
        return found

    @property
    def means(self) -> Array:
        """Mean of each cluster (K, d), by way of a first row, so that an offset costs no digits."""
        first = self.X[0]
        return np.asarray((self.shares.T @ (self.X - first)) / self.totals[:, None] + first)


def read_labelled(owner: str, X: Any, labels: Any, sample_weight: Any = None, metric: Any = None) -> LabelledRows:
    """Check rows, labels and weights; rows of weight 0 make no cluster of their own."""
    try:
        rows = np.asarray(X.toarray() if hasattr(X, "toarray") else X, dtype=np.float64)
    except (TypeError, ValueError):
        raise bad(owner, "X", "rows of numbers", Said("others"), "Give metric='precomputed' and distances.") from None
    if rows.ndim != 2 or not len(rows):
        raise bad(owner, "X", "a table with rows", Said(f"shape {rows.shape}"), "One row is [[...]].")
    if not np.isfinite(rows).all() and metric != "nan_euclidean":
        raise bad(owner, "X", "finite", Said("NaN or infinity"), "Fill the missing cells first.")
    if isinstance(metric, str) and metric == "precomputed" and rows.shape[0] != rows.shape[1]:
        raise bad(owner, "X", "a square of distances", Said(f"shape {rows.shape}"), "Give each row and each row.")
    given = np.asarray(labels)
    if given.shape != (len(rows),):
        raise bad(owner, "labels", f"one a row ({len(rows)})", Said(f"shape {given.shape}"), "Give one label a row.")
    w = read_weights(owner, sample_weight, len(rows))
    w = np.ones(len(rows)) if w is None else w
    clusters, codes = different(owner, "labels", given)
    full = np.bincount(codes, w, len(clusters)) > 0
    if not full.all():  # a row that weighs nothing goes to the first cluster, where it counts for nothing
        codes = np.where(full[codes], np.cumsum(full)[codes] - 1, 0)
        clusters = clusters[full]
    return LabelledRows(rows, codes, clusters, w)


def different(owner: str, name: str, labels: Array) -> tuple[Array, Array]:
    """The different labels in order, and the number of the label of each row (n,)."""
    try:
        found, codes = np.unique(labels, return_inverse=True)
    except TypeError:  # None, or numbers beside words: they have no order
        kinds = sorted({type(label).__name__ for label in labels})
        raise bad(owner, name, "of one type", Said(" and ".join(kinds)), "Turn them into strings.") from None
    return found, codes.reshape(-1)
