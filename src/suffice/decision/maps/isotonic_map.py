"""IsotonicMap: probabilities that rise with the score, in steps: the segments of the convex hull of the ROC curve."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.core.registry import saved
from suffice.decision.curves.ranked_scores import Against, against, ranked, read_scored
from suffice.decision.maps.pool_adjacent import pool
from suffice.decision.maps.score_map import OneAgainstRest
from suffice.summaries.rankings import Rankings

LOWEST = float(np.finfo(np.float64).min)


@saved
@dataclass(frozen=True, eq=False)
class IsotonicMap(OneAgainstRest):
    """The rising map of least squared error: a plateau for each segment of the ROC hull.

        p(+ | s) = positives / all, among the rows of the plateau of s

    Neighbouring scores whose shares do not rise are pooled, which removes the concavities of the ROC curve. Rows of
    equal score stay together (a diagonal of the curve). From the last score of a plateau to the first of the next the
    map is a straight line; with `linear=False` it is a step half-way. Beyond the scores it was learned from it is
    constant. Smoothing adds `smoothing` positives below all scores and as many negatives above them, so that no
    probability is 0 or 1 and the order is kept. Exact from `Rankings`, which add.

    Parameters
    ----------
    low, high : first and last score of each plateau
    positive, weight : weight of the positives and of all rows on it
    linear : whether there is a line from plateau to plateau, or a step

    Examples
    --------
    >>> map = IsotonicMap.of([1.0, 2.0, 3.0, 4.0, 5.0], [0, 1, 0, 1, 1])
    >>> map([0.0, 2.5, 3.5, 9.0])
    array([0.  , 0.5 , 0.75, 1.  ])

    References
    ----------
    T. Fawcett and A. Niculescu-Mizil, PAV and the ROC convex hull (2007).
    """

    low: tuple[Array, ...]  # (S_j,) for each column
    high: tuple[Array, ...]
    positive: tuple[Array, ...]
    weight: tuple[Array, ...]
    linear: bool = True

    @classmethod
    def of(
        cls,
        scores: Any,
        labels: Any,
        weights: Any = None,
        classes: Any = None,
        *,
        smoothing: float = 0.0,
        linear: bool = True,
    ) -> IsotonicMap:
        """Learn from rows.

        Parameters
        ----------
        scores, labels, weights, classes : as for `rank_scores`
        smoothing : number of rows of each class to add at the wrong end
        linear : a line from plateau to plateau, or a step
        """
        scored = read_scored(cls.__name__, scores, labels, weights, classes)
        return cls.estimate(ranked(cls.__name__, scored), smoothing=smoothing, linear=linear)

    @classmethod
    def estimate(cls, rankings: Rankings, *, smoothing: float = 0.0, linear: bool = True) -> IsotonicMap:
        """Learn from the rankings of scores, such as the sum of those of shards (`rank_scores`)."""
        extra = checked_smoothing(cls.__name__, smoothing)
        columns = [_plateaus(side, extra) for side in against(cls.__name__, rankings)]
        low, high, positive, weight = (tuple(parts) for parts in zip(*columns, strict=True))
        return cls(low, high, positive, weight, bool(linear))

    @property
    def width(self) -> int:
        """Number of columns of scores."""
        return len(self.low)

    def levels(self, j: int = 0) -> Array:
        """The probability of each plateau of column j, rising."""
        return np.asarray(self.positive[j] / self.weight[j])

    def _column(self, j: int, s: Array) -> Array:
        low, high, level = self.low[j], self.high[j], self.levels(j)
        if self.linear:
            return _lines(s, np.column_stack([low, high]).ravel(), np.repeat(level, 2))
        place = np.searchsorted(half_way(high[:-1], low[1:]), s, side="right")
        return np.where(np.isnan(s), np.nan, level[place])


def _lines(s: Array, knots: Array, levels: Array) -> Array:
    """Straight lines from knot to knot; those at infinity hold there only."""
    finite = np.isfinite(knots)
    if finite.all():
        return np.asarray(np.interp(s, knots, levels))
    middle = (knots[finite], levels[finite]) if finite.any() else ([0.0], [(levels[0] + levels[-1]) / 2.0])
    p = np.interp(s, *middle)
    return np.asarray(np.where(np.isneginf(s), levels[0], np.where(np.isposinf(s), levels[-1], p)))


def checked_smoothing(owner: str, smoothing: Any) -> float:
    """A number of rows."""
    if isinstance(smoothing, bool) or not isinstance(smoothing, (int, float, np.number)) or not 0 <= smoothing < np.inf:
        raise bad(owner, "smoothing", "a finite number of at least 0", smoothing)
    return float(smoothing)


def half_way(below: Array, above: Array) -> Array:
    """Limits between neighbouring values: half-way, or the upper one where no number lies between."""
    with np.errstate(invalid="ignore"):  # between infinities there is no half-way
        middle = np.where(np.isneginf(below), LOWEST, below + (above / 2.0 - below / 2.0))
    return np.where((middle > below) & (middle <= above), middle, above)


def _plateaus(side: Against, extra: float) -> tuple[Array, Array, Array, Array]:
    values, positive, weight = side
    if extra:
        positive, weight = np.concatenate([[extra], positive, [0.0]]), np.concatenate([[extra], weight, [extra]])
    start = pool(positive, weight)
    sums = np.add.reduceat(positive, start), np.add.reduceat(weight, start)
    place = np.maximum(start - bool(extra), 0)  # of the first score: the added rows have none
    return values[place], values[np.append(place[1:], len(values)) - 1], *sums
