"""What a flat prior is and is not: flat in one parameter is not flat in another.

    slope = tan(angle):   flat in the angle is density 1 / (pi (1 + slope^2)) in the slope

A flat prior over slopes puts nearly all lines nearly upright. The Cauchy density over slopes favours no direction.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad


@dataclass(frozen=True)
class FlatSlope:
    """Every slope from -limit to limit alike.

    >>> FlatSlope(100.0).steeper(45.0)
    0.99
    """

    limit: float = 100.0

    def __post_init__(self) -> None:
        """Refuse what is no limit."""
        if not (np.isfinite(self.limit) and self.limit > 0):
            raise bad(self, "limit", "finite and above 0", self.limit, "A flat density needs an end.")

    def log_density(self, slope: Any) -> Array:
        """Log density over slopes."""
        return np.where(np.abs(slope) <= self.limit, -np.log(2.0 * self.limit), -np.inf)

    def steeper(self, degrees: float) -> float:
        """The probability that a line is steeper than so many degrees."""
        return float(max(1.0 - np.tan(np.radians(_angle(self, degrees))) / self.limit, 0.0))


@dataclass(frozen=True)
class FlatAngle:
    """Every direction alike: a Cauchy density over slopes.

    >>> FlatAngle().steeper(45.0)
    0.5
    """

    def log_density(self, slope: Any) -> Array:
        """Log density over slopes."""
        return np.asarray(-np.log(np.pi) - np.log1p(np.square(np.asarray(slope, dtype=np.float64))))

    def steeper(self, degrees: float) -> float:
        """The probability that a line is steeper than so many degrees."""
        return 1.0 - _angle(self, degrees) / 90.0


def _angle(owner: object, degrees: float) -> float:
    if not 0 <= degrees < 90:
        raise bad(owner, "degrees", "from 0 to below 90", degrees, "45 is a slope of 1.")
    return degrees
