"""Significance: what a test says about a difference that may be chance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad
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


def holm(p: Sequence[float] | Array) -> Array:
    """Probabilities of several tests, adjusted by Holm's steps: the chance of any false alarm among them is kept.

        adjusted p of rank i (from 0) among m = max over ranks j <= i of min(1, (m - j) p_j)

    Parameters
    ----------
    p : one probability a test; NaN, where there was no test, stays and is not counted

    >>> holm([0.01, 0.04, 0.03]).round(3).tolist()
    [0.03, 0.06, 0.06]

    References
    ----------
    S. Holm, A simple sequentially rejective multiple test procedure (1979).
    """
    given = np.asarray(p, dtype=np.float64)
    if given.ndim != 1 or (given < 0.0).any() or (given > 1.0).any():
        raise bad("holm", "p", "one number from 0 to 1 a test, or NaN", p, "Give each test its probability.")
    out = np.full(given.shape, np.nan)
    order = np.argsort(given, kind="stable")[: int((~np.isnan(given)).sum())]
    factors = np.arange(len(order), 0, -1)
    out[order] = np.maximum.accumulate(np.minimum(factors * given[order], 1.0))
    return out
