"""The area under a ROC curve, and how certain it is.

    AUC = P(score of a positive > score of a negative) + 1/2 P(they are equal)

The variance is that of DeLong, from the placement of each row among the rows of the other class. A weight counts as so
many rows. At an area of exactly 0 or 1 no placement varies: the interval has no width there, and says too little.
Reference: E. DeLong, D. DeLong and D. Clarke-Pearson, Comparing the areas under two or more correlated receiver
operating characteristic curves (1988).
"""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.decision.curves.coverage_curve import CoverageCurve
from suffice.decision.decide.read_wishes import as_real


def area(curve: CoverageCurve) -> float:
    """The share of the pairs of a negative and a positive in which the positive has the higher score; ties are half."""
    negatives, positives = curve.totals
    return (
        float(np.diff(curve.negatives) @ (0.5 * (curve.positives[1:] + curve.positives[:-1]))) / negatives / positives
    )


def area_variance(curve: CoverageCurve) -> float:
    """The variance of the area by DeLong's method; infinite where a class weighs no more than one row."""
    negatives, positives = curve.totals
    ranked_below = 1.0 - _middle(curve.negatives) / negatives  # share of the negatives below each positive
    ranked_above = _middle(curve.positives) / positives
    placements = ((curve.positives, ranked_below), (curve.negatives, ranked_above))
    return sum(_mean_variance(np.diff(reached), placement) for reached, placement in placements)


def area_interval(curve: CoverageCurve, level: float = 0.95) -> tuple[float, float]:
    """The normal interval of the area, cut to the values from 0 to 1.

    Parameters
    ----------
    curve : a curve with rows of both classes
    level : how often the interval is to hold, above 0 and below 1
    """
    value, half = area(curve), _quantile(level) * sqrt(area_variance(curve))
    return max(value - half, 0.0), min(value + half, 1.0)


def _middle(reached: Array) -> Array:
    """What has been reached half-way through each step."""
    return np.asarray(0.5 * (reached[1:] + reached[:-1]))


def _mean_variance(weight: Array, placement: Array) -> float:
    """The variance of a weighted mean, from its sample."""
    n = float(weight.sum())
    mean = float(weight @ placement) / n
    return float(weight @ (placement - mean) ** 2) / (n - 1.0) / n if n > 1.0 else np.inf


def _quantile(level: Any) -> float:
    rule = "a number above 0 and below 1"
    share = as_real("RocCurve", "level", rule, level)
    if not 0.0 < share < 1.0:
        raise bad("RocCurve", "level", rule, level)
    return NormalDist().inv_cdf(0.5 + share / 2.0)
