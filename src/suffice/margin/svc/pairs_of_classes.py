"""Many classes from machines that each know two: the pairs, their votes, and the score of a class from all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import combinations

import numpy as np

from suffice.core.block import Array


def pairs(K: int) -> list[tuple[int, int]]:
    """The pairs (0, 1), (0, 2), ..., (K - 2, K - 1)."""
    return list(combinations(range(K), 2))


def votes(values: Array, K: int) -> Array:
    """Votes for each class (n, K): a value above 0 is one for the first of its pair, else it is for the second."""
    return _counted(values > 0, K)


def by_class(values: Array, K: int) -> Array:
    """Votes (n, K), and less than a third more or less by the sum of the values: a score of each class.

    A value of 0 counts for the first of its pair, as in scikit-learn.
    """
    sums = values @ _sides(K)
    return np.asarray(_counted(values >= 0, K) + sums / (3.0 * (np.abs(sums) + 1.0)))


def _counted(first: Array, K: int) -> Array:
    """Votes (n, K), where it is known which of them are for the first of their pair (n, P)."""
    return np.asarray(first.astype(np.float64) @ _sides(K) + np.arange(float(K)))  # class k is second of k pairs


@lru_cache(maxsize=8)
def _sides(K: int) -> Array:
    """1 for the first class of each pair and -1 for the second (P, K)."""
    sides = np.zeros((K * (K - 1) // 2, K))
    for row, (i, j) in zip(sides, pairs(K), strict=True):
        row[i], row[j] = 1.0, -1.0
    sides.flags.writeable = False
    return sides


SHAPES: Mapping[str, Callable[[Array, int], Array]] = {"ovr": by_class, "ovo": lambda values, K: values}
