"""Significance: what a test says about a difference that may be chance."""

from __future__ import annotations

from typing import NamedTuple

from suffice.evaluation.resampling.resampling_options import read_level
from suffice.evaluation.scores.estimate import LEVEL


class Significance(NamedTuple):
    """A statistic, and how often chance alone would give one as extreme.

    >>> result = Significance("McNemar", 64 / 9, 0.00766)
    >>> print(result)
    McNemar: statistic 7.1111, p = 0.0077
    >>> result.at(0.95)
    True
    """

    test: str
    statistic: float
    p: float

    def at(self, level: float = LEVEL) -> bool:
        """Whether the difference is significant: p is at most 1 - level."""
        return self.p <= 1.0 - read_level(self, level)

    def __str__(self) -> str:
        """The statistic and the probability."""
        return f"{self.test}: statistic {self.statistic:.4f}, p = {self.p:.4f}"
