"""Fuzzy partitions: memberships in [0, 1] that add to 1 row by row; checked, measured, and made hard."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.spaces.distances.distance import number_rows


@dataclass(frozen=True)
class PartitionCheck:
    """What holds of a table of memberships."""

    within: bool  # all in [0, 1]
    rows: bool  # each row adds to 1
    clusters: bool  # each cluster has more than nothing and less than all: in the open interval (0, n)

    @property
    def holds(self) -> bool:
        """Whether it is a fuzzy partition with no empty cluster."""
        return self.within and self.rows and self.clusters


def check_partition(U: Any, tolerance: float = 1e-9) -> PartitionCheck:
    """Whether memberships (n, K) are a fuzzy partition.

    >>> check_partition([[0.2, 0.8], [1.0, 0.0]]).holds
    True
    """
    U = _memberships("check_partition", U, checked=False)
    total = U.sum(axis=0)
    within = bool((-tolerance <= U).all() and (1 + tolerance >= U).all())
    clusters = bool((total > tolerance).all() and (total < len(U) - tolerance).all()) if U.shape[1] > 1 else True
    return PartitionCheck(within, bool(np.abs(U.sum(axis=1) - 1.0).max(initial=0.0) <= tolerance), clusters)


def partition_entropy(U: Any) -> float:
    """- 1/n sum u log u: 0 where all is hard, log K where nothing is."""
    U = _memberships("partition_entropy", U)
    return float(-(U * np.log(np.where(U > 0, U, 1.0))).sum() / len(U))


def partition_coefficient(U: Any) -> float:
    """1/n sum u^2: 1 where all is hard, 1 / K where nothing is."""
    U = _memberships("partition_coefficient", U)
    return float((U**2).sum() / len(U))


def defuzzify(U: Any) -> Array:
    """The cluster of the largest membership (n,), the first of equals: the nearest centre, for fuzzy c-means."""
    return np.asarray(_memberships("defuzzify", U).argmax(axis=1))


def memberships_of(squares: Array, m: float) -> Array:
    """u_k = 1 / sum_l (d_k^2 / d_l^2)^(1 / (m - 1)), from squared distances (n, K): a row at a centre is all of it."""
    nearest = squares.min(axis=1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(nearest > 0, nearest / squares, squares == 0.0)
    share = ratio ** (1.0 / (m - 1.0))
    return np.asarray(share / share.sum(axis=1, keepdims=True))


def _memberships(owner: str, U: Any, checked: bool = True) -> Array:
    found = number_rows(U, owner)
    if np.ndim(U) != 2 or not found.size:
        raise bad(owner, "U", "a table of memberships", Said(f"shape {np.shape(U)}"), "Give one row a row.")
    if checked and np.isnan(found).any():
        raise bad(owner, "U", "a table of memberships", Said("NaN"), "Leave such rows out.")
    return found
