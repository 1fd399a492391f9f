"""Estimate: a number read from some rows, and the interval in which the number for all rows is expected.

The intervals hold 95 % of the time if rows are drawn independently. A weight counts as so many rows: where weights mean
something else, such as how rows were sampled, the value is right, but the interval is not.
"""

from __future__ import annotations

from math import inf, nan, sqrt
from statistics import NormalDist
from typing import NamedTuple

from suffice.numerics.wilson_interval import wilson_interval

LEVEL = 0.95
ROUNDING = 1e-14  # of a share or its variance: less is nothing
Z = NormalDist().inv_cdf(0.5 + LEVEL / 2.0)


class Estimate(NamedTuple):
    """A value, its 95 % interval, and the weight of the rows it was read from (their number, if none is weighted).

    >>> print(share(9.0, 10.0))
    0.9000 (0.5958 to 0.9821)
    """

    value: float  # NaN without rows
    low: float
    high: float
    n: float

    def __str__(self) -> str:
        """The value, and the interval if there is one."""
        return f"{self.value:.4f} ({self.interval})" if self.interval else f"{self.value:.4f}"

    @property
    def interval(self) -> str:
        """The interval in words; nothing if there is none."""
        return f"{self.low:.4f} to {self.high:.4f}" if self.low <= self.high else ""


def share(part: float, n: float, z: float = Z) -> Estimate:
    """The share of n that `part` is, with Wilson's interval."""
    if not n > 0.0:
        return Estimate(nan, 0.0, 1.0, 0.0)
    return Estimate(min(part / n, 1.0), *wilson_interval(part, n, z), n)


def mean(value: float, scatter: float, n: float, least: float = -inf, most: float = inf) -> Estimate:
    """A mean, with the normal interval of its standard error, cut to the values that are possible.

        value +- z sqrt(scatter / (n - 1) / n)      scatter = sum of w (x - mean)^2

    One row says nothing about the spread, so that anything possible is in its interval.
    """
    if not n > 0.0:
        return Estimate(nan, least, most, 0.0)
    half = Z * sqrt(scatter / (n - 1.0) / n) if n > 1.0 else inf
    return Estimate(value, max(value - half, least), min(value + half, most), n)


def between(value: float, variance: float, rows: float, least: float = 0.0, most: float = 1.0) -> Estimate:
    """A number between two limits, with Wilson's interval of as many rows as would give a share the same variance.

        p = (value - least) / (most - least),   effective rows = p (1 - p) / variance of p

    For a share this is Wilson's interval itself, and like it, it never leaves the limits and has some width even where
    nothing varied in the rows at hand, as at a perfect score: there, `rows` stand in for the effective ones.
    """
    if not rows > 0.0:
        return Estimate(nan, least, most, 0.0)
    width = most - least
    p = min(max((value - least) / width, 0.0), 1.0)
    varies = p * (1.0 - p) > ROUNDING and variance > ROUNDING * width * width / rows
    n = p * (1.0 - p) * width * width / variance if varies else rows
    found = share(p * n, n)
    return Estimate(value, least + width * found.low, least + width * found.high, rows)
