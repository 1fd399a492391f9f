"""The interval of a share, by Wilson: where a share p is within z standard errors of its own.

|part / n - p| <= z sqrt(p (1 - p) / n)
"""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

Z = NormalDist().inv_cdf(0.975)  # of 95 %


def wilson_interval(part: float, n: float, z: float = Z) -> tuple[float, float]:
    """Both ends, where `part` of n > 0 was met.

    >>> low, high = wilson_interval(9.0, 10.0)
    >>> round(low, 4), round(high, 4)
    (0.5958, 0.9821)
    """
    rest = max(n - part, 0.0)
    middle = (part + z * z / 2.0) / (n + z * z)
    half = z / (n + z * z) * sqrt(part * rest / n + z * z / 4.0)
    return (middle - half if part > 0.0 else 0.0), (middle + half if rest > 0.0 else 1.0)
