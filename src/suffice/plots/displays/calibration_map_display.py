"""CalibrationMapDisplay: a map from score to probability, beside the ROC curve whose hull it follows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from suffice.core.block import Array
from suffice.decision.curves.roc_curve import RocCurve
from suffice.decision.maps.isotonic_map import IsotonicMap
from suffice.evaluation.scores.scored_rows import ScoredRows
from suffice.plots.canvas import need_matplotlib, panels
from suffice.plots.display import Display
from suffice.plots.displays.roc_display import RocDisplay
from suffice.plots.palette import colour, marker

POINTS = 501


@dataclass(kw_only=True, eq=False, repr=False)
class CalibrationMapDisplay(Display):
    """On the left the ROC curve with its hull, on the right the probability of each score: a step for each segment.

    Parameters
    ----------
    curve : the ROC curve
    map : from scores (n,) to probabilities (n,), such as `IsotonicMap` or `LogisticMap`
    scores, positive : rows to draw at height 0 or 1; None: none
    pos_label : the positive class, named on the axes

    Attributes
    ----------
    roc_ : the display of the left panel
    line_, rows_ : the map, and points of negative and positive rows
    axes_, ax_ : array of two axes
    figure_ : where it was drawn

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from suffice.plots import CalibrationMapDisplay
    >>> told = [1.0, 2.0, 3.0, 4.0, 5.0]
    >>> display = CalibrationMapDisplay.from_predictions([0, 1, 0, 1, 1], told, ax=Figure().subplots(1, 2))
    >>> np.unique(display.line_.get_ydata()).tolist()
    [0.0, 0.5, 1.0]
    """

    curve: RocCurve
    map: Callable[[Any], Array]
    scores: Array | None = None
    positive: Array | None = None
    pos_label: Any = None

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_score: Any,
        *,
        map: Callable[[Any], Array] | None = None,
        smoothing: float = 0.0,
        pos_label: Any = None,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Learn an isotonic map of the scores, unless another is given, and draw.

        Parameters
        ----------
        y_true : one label a row
        y_score : one score a row, such as the values of a feature
        map : another map, of the same scores
        smoothing : of the isotonic map: rows of each class to add at the wrong end
        pos_label : the positive class, against all others; None: 1, where labels are 0 and 1, or -1 and 1
        ax : two axes; None: those of a new figure
        options : as for `plot`
        """
        need_matplotlib(cls.__name__)
        rows = ScoredRows.told(cls.__name__, y_true, y_score, pos_label)
        curve = RocCurve.of(rows.scores, rows.positive)
        found = map or IsotonicMap.of(rows.scores, rows.positive, smoothing=smoothing, linear=False)
        display = cls(curve=curve, map=found, scores=rows.scores, positive=rows.positive, pos_label=rows.pos_label)
        return display.plot(ax=ax, **options)

    def plot(self, ax: Any = None) -> Self:
        """Draw.

        Parameters
        ----------
        ax : two axes; None: those of a new figure
        """
        with panels(self._owner, ax, (1, 2), (9.0, 4.2)) as axes:
            left, right = axes[0]
            roc = RocDisplay(curve=self.curve, pos_label=self.pos_label)
            self.roc_ = roc.plot(left, plot_hull=True, plot_chance_level=True)
            x = self._over()
            (self.line_,) = right.plot(x, np.asarray(self.map(x)), color=colour(1), label="calibration map")
            self.rows_ = [] if self.scores is None else [self._rows(right, height) for height in (0, 1)]
            what = "positive" if self.pos_label is None else self.pos_label
            right.set(xlabel="Score", ylabel=f"p({what} | score)", ylim=(-0.05, 1.05))
            right.legend(loc="lower right", bbox_to_anchor=(1.0, 0.08))
            self.axes_ = self.ax_ = axes
            self.figure_ = left.figure
        return self

    def _over(self) -> Array:
        """Scores at which the map is asked: over the range, and just beside each of the scores, where steps are."""
        seen = self.curve.thresholds[np.isfinite(self.curve.thresholds)]
        low, high = float(seen.min()), float(seen.max())
        more = 0.05 * (high - low) or 1.0
        middle = 0.5 * (seen[1:] + seen[:-1])
        sides = np.concatenate([seen, middle, np.nextafter(middle, -np.inf)])
        return np.unique(np.concatenate([np.linspace(low - more, high + more, POINTS), sides]))

    def _rows(self, axes: Any, height: int) -> Any:
        mine = np.asarray(self.scores)[np.asarray(self.positive, dtype=bool) == bool(height)]
        label = "positive rows" if height else "negative rows"
        style = {"color": colour(0 if height else 2), "marker": marker(height), "s": 18.0, "alpha": 0.7}
        return axes.scatter(mine, np.full(len(mine), float(height)), label=label, **style)
