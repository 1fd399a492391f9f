"""BinnedMap: the share of positives among the scores of each bin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.registry import saved
from suffice.decision.curves.ranked_scores import Against, against, ranked, read_scored
from suffice.decision.maps.binning import Cutting, checked_bins, read_cut
from suffice.decision.maps.isotonic_map import checked_smoothing
from suffice.decision.maps.score_map import OneAgainstRest
from suffice.summaries.rankings import Rankings


@saved
@dataclass(frozen=True, eq=False)
class BinnedMap(OneAgainstRest):
    """A probability for each bin of scores: the share of positives in it, drawn towards the share of all rows.

        p(+ | bin) = (positives + m q) / (rows + m)      q = share of positives among all rows, m = smoothing

    A score at the limit of two bins belongs to the upper one; the first and the last bin have no outer limit. A bin
    without rows has the share q. Exact from `Rankings`, which add.

    Parameters
    ----------
    limits : between neighbouring bins, rising
    positive, weight : weight of the positives and of all rows in each bin
    smoothing : how many rows of the overall share are added to each bin

    Examples
    --------
    >>> map = BinnedMap.of([0.0, 1.0, 2.0, 8.0], [0, 1, 1, 1], bins=2, cut="equal_width", smoothing=0)
    >>> map([0.5, 4.0, 100.0]).round(3)
    array([0.667, 1.   , 1.   ])

    References
    ----------
    B. Zadrozny and C. Elkan, Obtaining calibrated probability estimates from decision trees and naive Bayesian
    classifiers (2001).
    """

    limits: tuple[Array, ...]  # (B_j - 1,) for each column
    positive: tuple[Array, ...]  # (B_j,)
    weight: tuple[Array, ...]  # (B_j,)
    smoothing: float = 1.0

    @classmethod
    def of(
        cls,
        scores: Any,
        labels: Any,
        weights: Any = None,
        classes: Any = None,
        *,
        bins: int = 10,
        cut: str = "equal_frequency",
        smoothing: float = 1.0,
    ) -> BinnedMap:
        """Learn from rows.

        Parameters
        ----------
        scores, labels, weights, classes : as for `rank_scores`
        bins : how many bins at most; equal scores are never parted
        cut : "equal_frequency" for as many rows in each, "equal_width" for as long a range of scores
        smoothing : how many rows of the overall share are added to each bin
        """
        scored = read_scored(cls.__name__, scores, labels, weights, classes)
        return cls.estimate(ranked(cls.__name__, scored), bins=bins, cut=cut, smoothing=smoothing)

    @classmethod
    def estimate(
        cls, rankings: Rankings, *, bins: int = 10, cut: str = "equal_frequency", smoothing: float = 1.0
    ) -> BinnedMap:
        """Learn from the rankings of scores, such as the sum of those of shards (`rank_scores`)."""
        owner = cls.__name__
        number, how = checked_bins(owner, bins), read_cut(owner, cut)
        columns = [_binned(owner, side, how, number) for side in against(owner, rankings)]
        limits, positive, weight = (tuple(parts) for parts in zip(*columns, strict=True))
        return cls(limits, positive, weight, checked_smoothing(owner, smoothing))

    @property
    def width(self) -> int:
        """Number of columns of scores."""
        return len(self.limits)

    def levels(self, j: int = 0) -> Array:
        """The probability of each bin of column j."""
        positive, weight = self.positive[j], self.weight[j]
        share, rows = positive.sum() / weight.sum(), weight + self.smoothing
        filled = np.where(rows > 0.0, rows, 1.0)
        return np.asarray(np.where(rows > 0.0, (positive + self.smoothing * share) / filled, share))

    def _column(self, j: int, s: Array) -> Array:
        place = np.searchsorted(self.limits[j], s, side="right")
        level: Array = np.where(np.isnan(s), np.nan, self.levels(j)[place])
        return level


def _binned(owner: str, side: Against, cut: Cutting, bins: int) -> tuple[Array, Array, Array]:
    limits = cut(owner, side.values, side.weight, bins)
    place = np.searchsorted(limits, side.values, side="right")
    positive, weight = (np.bincount(place, part, len(limits) + 1) for part in (side.positive, side.weight))
    return limits, positive, weight
