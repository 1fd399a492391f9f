"""Percentiles: the empirical cumulative distribution of a column, with its quartiles and its mean."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.core.shares import Shares
from suffice.estimators.boundary.targets import read_weights
from suffice.plots.numbers.number_columns import read_columns
from suffice.summaries.moments import Moments
from suffice.summaries.rankings import Rankings

QUARTERS = (0.25, 0.5, 0.75)
OWNER = "Percentiles"


class Percentiles(NamedTuple):
    """P(X <= x) at each distinct value of a column; missing cells are left out.

    The mean cannot be read from the curve; it is that of the values.

    >>> found = Percentiles.of([3.0, 1.0, 2.0, 2.0])
    >>> found.values, found.share, found.quartiles, found.mean
    (array([1., 2., 3.]), array([0.25, 0.75, 1.  ]), array([1.75, 2.  , 2.25]), 2.0)
    """

    values: Array  # (m,) rising
    share: Array  # (m,) of the rows with at most this value, from above 0 to 1
    quartiles: Array  # (3,)
    mean: float

    @classmethod
    def of(cls, x: Any, sample_weight: Any = None, method: str | None = None) -> Percentiles:
        """Of one column.

        Parameters
        ----------
        x : one number a row, NaN where missing
        sample_weight : one weight a row, at least 0; weight w counts as w copies
        method : how quartiles fall between values, as in `Rankings.quantile`; None: "linear", and "inverted_cdf" where
            weights are not whole
        """
        column = read_columns(OWNER, x, 1).values
        w = read_weights(OWNER, sample_weight, len(column))
        R = Shares.hard(np.zeros(len(column), dtype=np.int32), 1, w)
        finite = np.where(np.isfinite(column), column, np.nan)
        return cls.estimate(Rankings.of(finite, R), float(Moments.of(finite, R).mean.value[0, 0]), method)

    @classmethod
    def estimate(cls, rankings: Rankings, mean: float, method: str | None = None) -> Percentiles:
        """Of the rankings of one column, such as the sum of those of shards, and its mean."""
        one = rankings.pooled()
        met = one.cumulative(0)
        if not (len(met.values) and met.weight[0, -1] > 0.0):
            raise bad(OWNER, "x", "of at least one number that weighs something", Said("none"))
        whole = bool((one.weight == np.rint(one.weight)).all())
        how = method if method is not None else ("linear" if whole else "inverted_cdf")
        quartiles = one.quantile(QUARTERS, how)[:, 0, 0]
        return cls(met.values, met.weight[0] / met.weight[0, -1], quartiles, mean)

    def at(self, x: Any) -> Array:
        """P(X <= x) at any numbers."""
        place = np.searchsorted(self.values, np.asarray(x, dtype=np.float64), side="right")
        return np.concatenate([[0.0], self.share])[place]
