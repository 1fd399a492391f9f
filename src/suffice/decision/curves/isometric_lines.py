"""Isometrics to draw: through thresholds of a ROC curve, the points of ROC space where a measure is as good."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.decision.curves.isometrics import InformationGain, Measure
from suffice.decision.curves.roc_curve import RocCurve

POINTS = 201  # of a line from 0 to 1


class IsometricLine(NamedTuple):
    """A threshold, its rates, what a measure is worth there, and the line along which it is worth the same."""

    threshold: float
    fpr: float
    tpr: float
    value: float
    line_fpr: Array  # (p,)
    line_tpr: Array  # (p,) NaN outside of ROC space


def isometric_lines(curve: RocCurve, measure: Measure, thresholds: Sequence[float] = ()) -> list[IsometricLine]:
    """A line for each threshold; without any, for the threshold that is best.

    Parameters
    ----------
    curve : where the thresholds have their rates
    measure : whose values are to be equal
    thresholds : where lines shall pass

    >>> from suffice.decision.curves.isometrics import LinearMeasure
    >>> curve = RocCurve.of([0.1, 0.4, 0.35, 0.8], [0, 0, 1, 1])
    >>> (line,) = isometric_lines(curve, LinearMeasure.accuracy([0.5, 0.5]))
    >>> line.threshold, line.value, line.line_tpr[[0, 100]]
    (0.8, 0.75, array([0.5, 1. ]))
    """
    if not len(thresholds):
        best = curve.best(measure)
        return [_through(measure, *best)]
    tables = [curve.at(float(t)) for t in thresholds]
    rates = [(table.threshold, table.false_positive_rate, table.recall) for table in tables]
    return [_through(measure, t, fpr, tpr, float(measure.value(fpr, tpr))) for t, fpr, tpr in rates]


def _through(measure: Measure, threshold: float, fpr: float, tpr: float, value: float) -> IsometricLine:
    across = np.union1d(np.linspace(0.0, 1.0, POINTS), [fpr])
    if isinstance(measure, InformationGain):  # on the side of the diagonal where the point lies
        up = measure.isometric(value, across, lower=tpr < fpr)
    else:
        up = measure.isometric(value, across)
    return IsometricLine(threshold, fpr, tpr, value, across, up)
