"""Agreement of answers and true classes beyond what their frequencies alone would give.

With s the weight of all rows, c of the right ones, t_k of the true and a_k of the answered rows of class k:

    Matthews' correlation = (c s - sum t_k a_k) / sqrt((s^2 - sum a_k^2) (s^2 - sum t_k^2))
    Cohen's kappa         = (c s - sum t_k a_k) / (s^2 - sum t_k a_k)

References: J. Gorodkin, Comparing two K-category assignments by a K-category correlation coefficient (2004);
J. Cohen, A coefficient of agreement for nominal scales (1960).
"""

from __future__ import annotations

from math import nan, sqrt

import numpy as np

from suffice.core.block import Array
from suffice.evaluation.scores.delta_method import table_variance
from suffice.evaluation.scores.estimate import Estimate, between


def matthews(table: Array) -> Estimate:
    """Matthews' correlation coefficient; 0, which may be anything, where the answers or the true classes never vary.

    Parameters
    ----------
    table : (L, L) weights by true class and answer

    >>> print(matthews(np.array([[3.0, 1.0], [2.0, 4.0]])))
    0.4082 (-0.1923 to 0.7863)
    """
    s, c, true, answered = _sums(table)
    u, v = s * s - float(answered @ answered), s * s - float(true @ true)
    if not (u > 0.0 and v > 0.0):
        return Estimate(0.0 if s > 0.0 else nan, -1.0, 1.0, s)
    root = sqrt(u * v)  # exactly u where both are equal
    value = (c * s - float(true @ answered)) / root
    row = (c - answered) / root - value * (s - true) / v
    column = -true / root - value * (s - answered) / u
    return between(value, table_variance(table, row, column, np.full(len(table), s / root)), s, -1.0, 1.0)


def kappa(table: Array) -> Estimate:
    """Cohen's kappa; NaN where only one class was ever true and answered.

    Parameters
    ----------
    table : (L, L) weights by true class and answer

    >>> print(kappa(np.array([[3.0, 1.0], [2.0, 4.0]])))
    0.4000 (-0.1955 to 0.7800)
    """
    s, c, true, answered = _sums(table)
    chance = float(true @ answered)
    rest = s * s - chance
    if not rest > 0.0:
        return Estimate(nan, -1.0, 1.0, s)
    value = (c * s - chance) / rest
    row = (c - answered - value * (2.0 * s - answered)) / rest
    column = (value - 1.0) * true / rest
    return between(value, table_variance(table, row, column, np.full(len(table), s / rest)), s, -1.0, 1.0)


def _sums(table: Array) -> tuple[float, float, Array, Array]:
    return float(table.sum()), float(np.trace(table)), table.sum(axis=1), table.sum(axis=0)
