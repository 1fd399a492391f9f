"""What the centres of a column say of one another: the gap of mean and median, and Chebyshev's bound."""

from __future__ import annotations

from typing import NamedTuple

from suffice.core.errors import bad

OWNER = "statistics"


class Bounds(NamedTuple):
    """What a mean, a median and a standard deviation say of one another."""

    gap: float  # |mean - median|
    sd: float  # which the gap is never above
    pearson_median: float  # mean + (mode - mean) / 3, a rule of thumb with many exceptions

    def chebyshev(self, k: float) -> float:
        """The largest share of values that may lie further than k standard deviations from the mean: 1 / k^2."""
        if not k > 0:
            raise bad(OWNER, "k", "above 0", k)
        return min(1.0, 1.0 / k**2)
