"""RejectCurve: how accurate the answers are if only the most certain rows are answered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.decision.curves.coverage_curve import CoverageCurve
from suffice.decision.curves.ranked_scores import read_scored
from suffice.decision.decide.read_wishes import as_real
from suffice.summaries.rankings import Rankings


class Answering(NamedTuple):
    """A limit on the certainty of answers, and what it leads to."""

    at_least: float  # refuse below this; NaN answers nothing
    answered: float  # share of the rows
    accuracy: float  # among them


@dataclass(frozen=True, eq=False)
class RejectCurve:
    """Share of the rows that are answered, and accuracy among them, at each limit on the certainty of an answer.

        answered(t) = P(certainty >= t),   accuracy(t) = P(right | certainty >= t)

    It is the coverage curve of the certainties, with right answers as positives: rows of equal certainty are answered
    or refused together, and `Rankings` of certainties (0 wrong, 1 right) of shards add.

    >>> curve = RejectCurve.of([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4], [0.55, 0.45]], [0, 1, 1, 0])
    >>> curve.at_least, curve.answered, curve.accuracy.round(4)
    (array([0.9 , 0.8 , 0.6 , 0.55]), array([0.25, 0.5 , 0.75, 1.  ]), array([1.    , 1.    , 0.6667, 0.75  ]))
    >>> curve.for_accuracy(0.9)
    Answering(at_least=0.8, answered=0.5, accuracy=1.0)
    """

    at_least: Array  # (m,) falling
    answered: Array  # (m,) share of the rows, rising to 1
    accuracy: Array  # (m,)

    @classmethod
    def of(cls, proba: Any, labels: Any, weights: Any = None, classes: Any = None) -> RejectCurve:
        """From probabilities: answered is the most probable class (the first of several), certain is its probability.

        Parameters
        ----------
        proba : (n, K) a column for each class; or (n,) for two, the probability of the second
        labels : the true class of each row: its number from 0, or its name where `classes` are given
        weights : one a row, at least 0; a weight counts as so many rows
        classes : the names of the classes in order
        """
        rows = read_scored("RejectCurve", proba, labels, weights, classes)
        p = np.column_stack([1.0 - rows.scores, rows.scores]) if rows.scores.shape[1] == 1 else rows.scores
        outside = ~((p >= 0.0) & (p <= 1.0)).all(axis=1)
        if outside.any():
            row = int(outside.argmax())
            raise bad("RejectCurve", "proba", "probabilities from 0 to 1", Said(f"{p[row].tolist()} in row {row}"))
        return cls.of_certainty(p.max(axis=1), p.argmax(axis=1) == rows.codes, rows.weights)

    @classmethod
    def of_certainty(cls, certainty: Any, right: Any, weights: Any = None) -> RejectCurve:
        """From any number that tells how certain an answer is, and whether it is right.

        Parameters
        ----------
        certainty : one a row, the higher the more certain
        right : False or True, one a row
        weights : one a row, at least 0
        """
        return cls.read(CoverageCurve.read("RejectCurve", certainty, right, weights))

    @classmethod
    def from_rankings(cls, rankings: Rankings, column: int = 0) -> RejectCurve:
        """From rankings of certainties, whose components are wrong (0) and right (1) answers; they add.

        Parameters
        ----------
        rankings : as `rank_scores(certainty, right)` keeps them
        column : number of the column, from 0
        """
        return cls.read(CoverageCurve.from_rankings(rankings, 1, column))

    @classmethod
    def read(cls, curve: CoverageCurve) -> RejectCurve:
        """The reading of a coverage curve of certainties."""
        if len(curve.thresholds) < 2:
            raise bad("RejectCurve", "rows", "at least one that weighs something", Said("none"))
        reached = (curve.negatives + curve.positives)[1:]
        return cls(curve.thresholds[1:], reached / reached[-1], curve.positives[1:] / reached)

    @property
    def area(self) -> float:
        """The error among the answers given, averaged over all shares of rows that might be answered."""
        return float(np.diff(self.answered, prepend=0.0) @ (1.0 - self.accuracy))

    def for_accuracy(self, accuracy: float) -> Answering:
        """The most rows that can be answered with at least this accuracy; none, where no limit reaches it.

        Parameters
        ----------
        accuracy : from 0 to 1
        """
        good = np.flatnonzero(self.accuracy >= _share("accuracy", accuracy))
        return self._point(int(good[-1])) if len(good) else Answering(np.nan, 0.0, np.nan)

    def for_share(self, answered: float) -> Answering:
        """The highest limit that answers at least this share of the rows.

        Parameters
        ----------
        answered : from 0 to 1
        """
        reached = self.answered >= _share("answered", answered)
        return self._point(int(reached.argmax()))

    def _point(self, i: int) -> Answering:
        return Answering(*(float(side[i]) for side in (self.at_least, self.answered, self.accuracy)))


def _share(name: str, value: Any) -> float:
    share = as_real("RejectCurve", name, "a number from 0 to 1", value)
    if not 0.0 <= share <= 1.0:
        raise bad("RejectCurve", name, "a number from 0 to 1", value)
    return share
