"""Clusters from the top: one is split in two, again and again, by a helper, or by the best of all splits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.clusters.hierarchies.merging import read_rows
from suffice.core.block import Array
from suffice.core.errors import Said, bad

MOST = 16  # rows of which all 2^(n - 1) - 1 splits are tried


@dataclass(frozen=True)
class DividedTree:
    """Splits from the top: of each the rows, the two parts, and by how much the scatter fell."""

    n: int
    splits: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
    falls: tuple[float, ...]

    def cut(self, clusters: int) -> Array:
        """Labels of so many clusters (n,), in the order in which they were split off."""
        if not 1 <= clusters <= len(self.splits) + 1:
            raise bad("DividedTree", "clusters", f"from 1 to {len(self.splits) + 1}", clusters, "Split further.")
        labels = np.zeros(self.n, dtype=np.int64)
        for k, (_, right) in enumerate(self.splits[: clusters - 1], start=1):
            labels[list(right)] = k
        return labels


def divide(X: Any, clusters: int | None = None, helper: Callable[[], Any] | str = "k-means") -> DividedTree:
    """Split the cluster of the largest scatter in two, until there are so many, or all rows are alone.

    Parameters
    ----------
    X : rows
    clusters : how many; None splits until every cluster is one point
    helper : "k-means" (the best of ten starts), "exhaustive" (the best of all 2^(n - 1) - 1 splits, for up to 16
        rows), or what gives an unfitted clusterer of two clusters

    >>> divide([[0.0], [1.0], [9.0], [10.0]], 2, "exhaustive").cut(2).tolist()
    [0, 0, 1, 1]
    """
    rows = read_rows("divide", X, False)
    most = len(rows) if clusters is None else int(clusters)
    if not 1 <= most <= len(rows):
        raise bad("divide", "clusters", f"from 1 to {len(rows)}, the number of rows", clusters, "Lower it.")
    split = _splitter(helper, len(rows))
    parts, splits, falls = [np.arange(len(rows))], [], []
    while len(parts) < most:
        scatters = [_scatter(rows[part]) for part in parts]
        worst = int(np.argmax(scatters))
        if scatters[worst] <= 0.0:
            break
        part = parts[worst]
        right = split(rows[part])
        if right.all() or not right.any():
            break
        if right[0]:
            right = ~right
        left, other = part[~right], part[right]
        parts[worst : worst + 1] = [left, other]
        splits.append((tuple(left.tolist()), tuple(other.tolist())))
        falls.append(scatters[worst] - _scatter(rows[left]) - _scatter(rows[other]))
    return DividedTree(len(rows), tuple(splits), tuple(falls))


def best_split(X: Any) -> Array:
    """Of all splits in two the one of the least scatter: whether each row is in the second part (n,)."""
    rows = np.asarray(X, dtype=np.float64)
    n = len(rows)
    if n > MOST:
        rule = f"of at most {MOST} rows, as 2^(n - 1) - 1 splits are tried"
        raise bad("divide", "X", rule, Said(str(n)), "Use helper='k-means'.")
    sides = ((np.arange(1, 2 ** (n - 1))[:, None] >> np.arange(n - 1)) & 1).astype(np.float64)
    sides = np.column_stack([np.zeros(len(sides)), sides])  # the first row stays in the first part
    about = rows - rows.mean(axis=0)
    count = sides.sum(axis=1)
    sums = sides @ about
    between = (sums**2).sum(axis=1) * (1.0 / count + 1.0 / (n - count))  # sums of the two parts are opposite
    return np.asarray(sides[int(between.argmax())] > 0)


def _splitter(helper: Any, n: int) -> Callable[[Array], Array]:
    if callable(helper):
        return lambda rows: np.asarray(helper().fit(rows).labels_) == 1
    if helper == "exhaustive":
        return best_split
    if helper == "k-means":
        from suffice.clusters.centres.k_means import KMeans

        return lambda rows: KMeans(2, n_init=10, random_state=0).fit(rows).labels_ == 1
    raise bad("divide", "helper", "'k-means', 'exhaustive', or a function that gives a clusterer", helper, "")


def _scatter(rows: Array) -> float:
    return float(((rows - rows.mean(axis=0)) ** 2).sum())
