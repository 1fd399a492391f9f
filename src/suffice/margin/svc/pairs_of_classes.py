"""Many classes from machines that each know two: the pairs, their votes, and the score of a class from all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations

import numpy as np

from suffice.core.block import Array


def pairs(K: int) -> list[tuple[int, int]]:
    """The pairs (0, 1), (0, 2), ..., (K - 2, K - 1)."""
    return list(combinations(range(K), 2))


def votes(values: Array, K: int) -> Array:
    """Votes for each class (n, K): a value above 0 is one for the first of its pair, else it is for the second."""
    counts = np.zeros((len(values), K))
    for column, (i, j) in zip(values.T, pairs(K), strict=True):
        first = column > 0
        counts[:, i] += first
        counts[:, j] += ~first
    return counts


def by_class(values: Array, K: int) -> Array:
    """Votes (n, K), and less than a third more or less by the sum of the values: a score of each class.

    A value of 0 counts for the first of its pair, as in scikit-learn.
    """
    counts, sums = np.zeros((len(values), K)), np.zeros((len(values), K))
    for column, (i, j) in zip(values.T, pairs(K), strict=True):
        first = column >= 0
        counts[:, i] += first
        counts[:, j] += ~first
        sums[:, i] += column
        sums[:, j] -= column
    return counts + sums / (3.0 * (np.abs(sums) + 1.0))


SHAPES: Mapping[str, Callable[[Array, int], Array]] = {"ovr": by_class, "ovo": lambda values, K: values}
