"""Operating points and isometrics on curves of rates: drawn in the same way over ROC and coverage curves."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.errors import Said, bad
from suffice.decision.curves.isometric_lines import isometric_lines
from suffice.decision.curves.roc_curve import RocCurve
from suffice.decision.decide.read_wishes import as_numbers
from suffice.plots.display import marked
from suffice.plots.palette import INK


def draw_points(
    owner: str,
    ax: Any,
    curve: RocCurve,
    measure: Any,
    thresholds: Any,
    unit: tuple[float, float] = (1.0, 1.0),
) -> tuple[list[Any], list[Any]]:
    """Mark thresholds and draw the isometric of a measure through each; artists of both.

    Parameters
    ----------
    owner : who draws, for the messages
    ax : the axes
    curve : where thresholds have their rates
    measure : whose isometrics are drawn; None marks thresholds only
    thresholds : to mark; none: that which the measure finds best
    unit : weight of all negatives and positives, where these are counted
    """
    if measure is not None and not hasattr(measure, "isometric"):
        raise bad(owner, "measure", "LinearMeasure, InformationGain, or None", Said(type(measure).__name__))
    thresholds = as_numbers(owner, "thresholds", "numbers", np.atleast_1d(thresholds)).tolist()
    if measure is None:
        tables = [curve.at(float(t)) for t in thresholds]
        places = [(t.threshold, t.false_positive_rate, t.recall) for t in tables]
        return [_mark(ax, k, *place, unit) for k, place in enumerate(places)], []
    points, lines = [], []
    for k, line in enumerate(isometric_lines(curve, measure, thresholds)):
        points.append(_mark(ax, k, line.threshold, line.fpr, line.tpr, unit, line.value))
        (drawn,) = ax.plot(line.line_fpr * unit[0], line.line_tpr * unit[1], color=INK, lw=0.8, ls=(0, (4, 2)))
        lines.append(drawn)
    return points, lines


def _mark(
    ax: Any, k: int, threshold: float, fpr: float, tpr: float, unit: tuple[float, float], value: float | None = None
) -> Any:
    told = f"threshold {threshold:.4g}" if np.isfinite(threshold) else "nothing called positive"
    label = told if value is None else f"{told} (value {value:.4g})"
    return marked(ax, fpr * unit[0], tpr * unit[1], label, k + 2)
