"""What a table of classes by values says about a column: chi-square, information gain, gain ratio. No scikit-learn.

chi^2 = sum (O - E)^2 / E,  E = row sum x column sum / n,  (K - 1)(V - 1) degrees of freedom
gain = H(class) - sum_v p(v) H(class | v),     gain ratio = gain / H(values)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import chdtrc, xlogy

from suffice.core.block import Array


class ChiSquare(NamedTuple):
    """A test of independence."""

    statistic: float
    freedom: int
    p_value: float


def chi_square(table: Array) -> ChiSquare:
    """Pearson's test of a table (K, V); rows and columns without weight do not count.

    >>> chi_square(np.array([[10.0, 0.0], [0.0, 10.0]])).statistic
    20.0
    """
    table = _live(table)
    n = table.sum()
    freedom = max(0, (table.shape[0] - 1) * (table.shape[1] - 1))
    if not n or not freedom:
        return ChiSquare(0.0, freedom, 1.0)
    expected = table.sum(axis=1)[:, None] * table.sum(axis=0) / n
    statistic = float(((table - expected) ** 2 / expected).sum())
    return ChiSquare(statistic, freedom, float(chdtrc(freedom, statistic)))


def entropy(weights: Array) -> float:
    """In bits.

    >>> entropy(np.array([1.0, 1.0]))
    1.0
    """
    total = weights.sum()
    return float(-xlogy(weights / total, weights / total).sum() / np.log(2.0)) if total else 0.0


def information_gain(table: Array) -> float:
    """How many bits about the class a value tells, which is the mutual information of the two.

    >>> information_gain(np.array([[5.0, 0.0], [0.0, 5.0]]))
    1.0
    """
    table = _live(table)
    n = table.sum()
    if not n:
        return 0.0
    parts = table.sum(axis=0)
    left = sum(part / n * entropy(column) for part, column in zip(parts, table.T, strict=True))
    return max(0.0, entropy(table.sum(axis=1)) - float(left))


def gain_ratio(table: Array) -> float:
    """The gain as a share of what the values themselves tell: many values alone are no merit.

    >>> gain_ratio(np.array([[1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]]))
    0.5
    """
    own = entropy(_live(table).sum(axis=0))
    return information_gain(table) / own if own else 0.0


def value_departures(table: Array) -> Array:
    """How far the class given each value is from the class prior: KL(p(class | v), p(class)) (V,), in bits.

    It is the class *given the value* that is compared with the class prior: the feature given the class is a
    distribution of values, and cannot be (C.E44). The mean over values, by share, is the information gain.

    >>> value_departures(np.array([[3.0, 0.0], [0.0, 1.0]])).round(3).tolist()
    [0.415, 2.0]
    """
    n, parts = table.sum(), table.sum(axis=0)
    prior = table.sum(axis=1) / n
    with np.errstate(divide="ignore", invalid="ignore"):
        given = np.where(parts > 0, table / parts, 0.0)
        ratio = np.where((given > 0) & (prior[:, None] > 0), given / prior[:, None], 1.0)
    return np.asarray(xlogy(given, ratio).sum(axis=0) / np.log(2.0))


def _live(table: Array) -> Array:
    table = np.asarray(table, dtype=np.float64)
    return np.asarray(table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0])
