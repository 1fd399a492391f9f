"""How well a cut separates classes: entropy, information gain and other scores of splits, and chi-square. NumPy alone.

Counts of classes come last: (..., K).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad

Score = Callable[[Array, Array], Array]  # counts left and right (..., K) -> how good the split is


def entropy(counts: Any) -> Array:
    """Entropy of the class shares, in bits; 0 where there are none.

    >>> float(entropy([2.0, 2.0]))
    1.0
    """
    counts = np.asarray(counts, dtype=np.float64)
    total = added(counts)
    logs = np.log2(np.where(counts > 0, counts, 1.0))
    whole = np.log2(np.where(total > 0, total, 1.0))
    safe = np.where(total > 0, total, 1.0)
    return np.asarray(np.maximum(whole - added(counts * logs) / safe, 0.0))


def added(counts: Array) -> Array:
    """Sums over classes, added one after the other, as a loop does; NumPy's own way over a short axis is slow."""
    one_by_one = (counts[..., k] for k in range(counts.shape[-1]))
    return np.asarray(reduce(np.add, one_by_one, np.zeros(counts.shape[:-1])))


def gini(counts: Any) -> Array:
    """Gini index of the class shares: 1 less the sum of their squares."""
    counts = np.asarray(counts, dtype=np.float64)
    total = counts.sum(axis=-1)
    safe = np.where(total > 0, total, 1.0)
    return np.asarray(np.where(total > 0, 1.0 - ((counts / safe[..., None]) ** 2).sum(axis=-1), 0.0))


def split_gain(left: Any, right: Any) -> Array:
    """Entropy of both sides together less the mean of theirs, in bits: 0 where both have the same class shares.

    >>> split_gain([4, 5], [0, 3]).round(4).item()
    0.175
    """
    return _gain(entropy, left, right)


def gini_gain(left: Any, right: Any) -> Array:
    """The same for the Gini index."""
    return _gain(gini, left, right)


def root_gini_gain(left: Any, right: Any) -> Array:
    """The same for the square root of the Gini index, which does not mind how frequent classes are."""
    return _gain(lambda counts: np.sqrt(gini(counts)), left, right)


def _gain(impurity: Callable[[Any], Array], left: Any, right: Any) -> Array:
    a, b = np.asarray(left, dtype=np.float64), np.asarray(right, dtype=np.float64)
    n, m = added(a), added(b)
    return np.asarray(impurity(a + b) - (n * impurity(a) + m * impurity(b)) / np.maximum(n + m, 1e-300))


def bin_chi_square(left: Any, right: Any) -> Array:
    """Pearson's chi-square of two bins, without correction; a class that neither has adds nothing.

        sum (O - E)^2 / E,     E = row total x column total / n

    >>> bin_chi_square([1, 1], [0, 3]).item()
    1.875
    """
    a, b = np.asarray(left, dtype=np.float64), np.asarray(right, dtype=np.float64)
    both = a + b
    n, m = a.sum(axis=-1, keepdims=True), b.sum(axis=-1, keepdims=True)
    total = n + m
    with np.errstate(divide="ignore", invalid="ignore"):
        term = (a * m - b * n) ** 2 / (both * n * m)  # both bins' terms of a class, with total in common
    return np.asarray(np.where(both > 0, term, 0.0).sum(axis=-1) * np.where(total[..., 0] > 0, 1.0, 0.0))


def expected_counts(left: Any, right: Any) -> Array:
    """Counts of the classes in two bins that would have the same shares (K, 2)."""
    table = np.stack([np.asarray(left, dtype=np.float64), np.asarray(right, dtype=np.float64)], axis=1)
    return np.asarray(table.sum(axis=1, keepdims=True) * table.sum(axis=0) / table.sum())


SCORES: Mapping[str, Score] = {
    "information_gain": split_gain,
    "gini": gini_gain,
    "root_gini": root_gini_gain,
    "chi_square": bin_chi_square,
}


def read_score(owner: str, score: Any) -> Score:
    """A score by name."""
    if not isinstance(score, str) or score not in SCORES:
        raise bad(owner, "score", f"one of {tuple(SCORES)}", score)
    return SCORES[score]
