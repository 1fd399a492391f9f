"""CoverageCurve: how many positives and negatives are reached as the threshold on a score falls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.decision.curves.contingency import Contingency
from suffice.decision.curves.convex_hull import lower_hull, upper_hull
from suffice.decision.curves.ranked_scores import read_scored
from suffice.decision.curves.threshold_sweep import sweep, swept
from suffice.summaries.rankings import Rankings


@dataclass(frozen=True, eq=False)
class CoverageCurve:
    """Weight of the negatives (across) and of the positives (up) whose score reaches each threshold.

        positives(t) = sum of w over positive rows with score >= t,   negatives(t) the same over negative rows

    One point for each distinct score, from (0, 0): rows of equal score are passed together, as one diagonal. Unlike a
    ROC curve it needs no row of either class. `Rankings` of shards add, and the curve of the sum is that of all rows.

    >>> curve = CoverageCurve.of([0.1, 0.4, 0.35, 0.8], [0, 0, 1, 1])
    >>> curve.negatives, curve.positives
    (array([0., 0., 1., 1., 2.]), array([0., 1., 1., 2., 2.]))
    >>> curve.hull().thresholds
    array([ inf, 0.8 , 0.35, 0.1 ])
    """

    thresholds: Array  # (m + 1,) falling; the first is reached by no score: infinity, NaN if a score is infinite
    negatives: Array  # (m + 1,)
    positives: Array  # (m + 1,)

    @classmethod
    def of(cls, scores: Any, labels: Any, weights: Any = None, classes: Any = None) -> CoverageCurve:
        """The curve of some rows.

        Parameters
        ----------
        scores : one a row, the higher the more positive; minus and plus infinity are scores like others
        labels : 0 or 1, False or True, or one of `classes`
        weights : one a row, at least 0; a weight counts as so many rows, and a row of weight 0 is no row
        classes : the two labels, the negative one first
        """
        return cls.read("CoverageCurve", scores, labels, weights, classes)

    @classmethod
    def read(cls, owner: str, scores: Any, labels: Any, weights: Any = None, classes: Any = None) -> CoverageCurve:
        """As `of`, for another who asks."""
        rows = read_scored(owner, scores, labels, weights, classes)
        if rows.scores.shape[1] != 1:
            rule = "one column, about two classes"
            remedy = "Take the column of one class, and label its rows 1 and all others 0."
            raise bad(owner, "scores", rule, Said(f"{rows.scores.shape[1]} columns"), remedy)
        column = rows.scores[:, 0]
        refuse_nan(owner, column)
        return cls(*sweep(column, rows.codes == 1, rows.weights))

    @classmethod
    def from_rankings(cls, rankings: Rankings, positive: int = 1, column: int = 0) -> CoverageCurve:
        """The curve of rankings, which add: one component is positive, all others are negative.

        Parameters
        ----------
        rankings : as `rank_scores` keeps them, or of any column of numbers, whose missing cells are left out
        positive : number of the positive component, from 0
        column : number of the column of scores, from 0
        """
        K = len(rankings.rows)
        if isinstance(positive, bool) or not isinstance(positive, int | np.integer) or not 0 <= positive < K:
            raise bad("CoverageCurve", "positive", f"the number of a component, from 0 to {K - 1}", positive)
        values = rankings.cumulative(column).values[::-1]
        weight = rankings.weight[:, rankings.slices[column]][:, ::-1]
        sides = np.stack([np.delete(weight, positive, axis=0).sum(axis=0), weight[positive]])
        live = sides.any(axis=0)  # scores whose rows weigh something
        return cls(*swept(values[live], *sides[:, live].cumsum(axis=1)))

    @property
    def totals(self) -> tuple[float, float]:
        """Weight of all negatives and of all positives."""
        return float(self.negatives[-1]), float(self.positives[-1])

    @property
    def misranked(self) -> float:
        """Weight of the pairs of a negative and a positive in which the negative has the higher score; ties are half.

        The area above the curve; divided by that of the whole rectangle it is the ranking error, 1 - AUC.
        """
        above = self.totals[1] - 0.5 * (self.positives[1:] + self.positives[:-1])
        return float(np.diff(self.negatives) @ above)

    def at(self, threshold: float) -> Contingency:
        """The table of answers if everything with a score of at least the threshold is called positive.

        Parameters
        ----------
        threshold : any number; none of the rows is called positive at NaN
        """
        point = int(np.searchsorted(-self.thresholds[1:], -threshold, side="right")) if threshold == threshold else 0
        return self.table(point, float(threshold))

    def table(self, point: int, threshold: float | None = None) -> Contingency:
        """The table of answers at a point of the curve, by its number."""
        negatives, positives = self.totals
        reached, reached_positive = float(self.negatives[point]), float(self.positives[point])
        t = float(self.thresholds[point]) if threshold is None else threshold
        return Contingency(t, reached_positive, reached, positives - reached_positive, negatives - reached)

    def hull(self) -> CoverageCurve:
        """The vertices of the upper convex hull: the points that can be best for some prior and costs."""
        return self.take(upper_hull(self.negatives, self.positives))

    def lower_hull(self) -> CoverageCurve:
        """The vertices of the lower convex hull: the best points if low scores are for the positives."""
        return self.take(lower_hull(self.negatives, self.positives))

    def corners(self) -> CoverageCurve:
        """Without the points inside straight pieces: the same line, in as few points as it can be drawn."""
        dx, dy = np.diff(self.negatives), np.diff(self.positives)
        bends = dy[:-1] * dx[1:] != dy[1:] * dx[:-1]
        ends = np.array([True] * min(len(self.thresholds), 2))
        return self.take(np.flatnonzero(np.concatenate([ends[:1], bends, ends[1:]])))

    def take(self, points: Array) -> CoverageCurve:
        """Some of the points, by their numbers in order."""
        return CoverageCurve(self.thresholds[points], self.negatives[points], self.positives[points])


def refuse_nan(owner: str, scores: Array) -> None:
    """A score that is missing has no rank."""
    if np.isnan(scores).any():
        row = int(np.isnan(scores).argmax())
        raise bad(owner, "scores", "present in every row", Said(f"NaN in row {row}"), "Leave the row out.")
