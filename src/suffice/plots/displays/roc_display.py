"""RocDisplay: a ROC curve, with its hull, the best operating point, and isometrics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from suffice.core.block import Array
from suffice.decision.curves.roc_curve import RocCurve
from suffice.evaluation.scores.scored_rows import ScoredRows
from suffice.plots.canvas import canvas, hide_spines, legend
from suffice.plots.display import next_place, own_label, scored, styled
from suffice.plots.isometrics import draw_points
from suffice.plots.palette import FAINT, colour
from suffice.plots.score_display import ScoreDisplay


@dataclass(kw_only=True, eq=False, repr=False)
class RocDisplay(ScoreDisplay):
    """True positive rate against false positive rate.

    Parameters
    ----------
    curve : the curve; that of merged shards is `RocCurve.from_rankings(a + b)`
    name : for the legend
    pos_label : the positive class, named on the axes

    Attributes
    ----------
    line_, hull_, chance_level_ : lines; None where they are not drawn
    points_, isometrics_ : marks of thresholds, and lines along which a measure is equal
    ax_, figure_ : where it was drawn

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from suffice.plots import RocDisplay
    >>> display = RocDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], ax=Figure().subplots())
    >>> display.line_.get_label(), display.line_.get_ydata().tolist()
    ('AUC = 0.75', [0.0, 0.5, 0.5, 1.0, 1.0])
    """

    curve: RocCurve
    name: str | None = None
    pos_label: Any = None

    @classmethod
    def _curve(cls, rows: ScoredRows, weights: Any) -> RocCurve:
        return RocCurve.of(rows.scores, rows.positive, weights)

    @property
    def fpr(self) -> Array:
        """False positive rates."""
        return self.curve.fpr

    @property
    def tpr(self) -> Array:
        """True positive rates."""
        return self.curve.tpr

    @property
    def roc_auc(self) -> float:
        """Area under the curve."""
        return self.curve.auc

    def plot(
        self,
        ax: Any = None,
        *,
        name: str | None = None,
        plot_hull: bool = False,
        plot_chance_level: bool = False,
        drop_intermediate: bool = True,
        measure: Any = None,
        thresholds: Any = (),
        curve_kwargs: Mapping[str, Any] | None = None,
        despine: bool = False,
    ) -> Self:
        """Draw.

        Parameters
        ----------
        ax : axes to draw on; None: those of a new figure
        name : for the legend, in place of the display's
        plot_hull : whether to draw the upper convex hull
        plot_chance_level : whether to draw the diagonal
        drop_intermediate : whether to leave out points inside straight pieces, which change nothing to be seen
        measure : `LinearMeasure` or `InformationGain`: its isometric is drawn through each threshold, or, where none is
            given, through the best
        thresholds : points to mark
        curve_kwargs : keywords of matplotlib for the curve
        despine : whether to leave out the lines on top and on the right
        """
        with canvas(self._owner, ax) as axes:
            label = scored(name or self.name, "AUC", self.curve.auc)
            style = styled({"color": colour(next_place(axes)), "label": own_label(axes, label)}, curve_kwargs)
            drawn = self.curve.corners() if drop_intermediate else self.curve
            (self.line_,) = axes.plot(drawn.fpr, drawn.tpr, **style)
            self.hull_ = self._hull(axes) if plot_hull else None
            self.chance_level_ = self._chance(axes) if plot_chance_level else None
            self.points_: list[Any] = []
            self.isometrics_: list[Any] = []
            if measure is not None or np.size(thresholds):
                self.points_, self.isometrics_ = draw_points(self._owner, axes, self.curve, measure, thresholds)
            axes.set(
                xlabel="False positive rate" + self._positive_text,
                ylabel="True positive rate" + self._positive_text,
                xlim=(-0.01, 1.01),
                ylim=(-0.01, 1.01),
                aspect="equal",
            )
            if despine:
                hide_spines(axes)
            legend(axes, "lower right")
            self._drawn(axes)
        return self

    def _hull(self, axes: Any) -> Any:
        hull = self.curve.hull()
        (line,) = axes.plot(
            hull.fpr, hull.tpr, color=colour(next_place(axes)), ls="--", marker=".", label="convex hull"
        )
        return line

    def _chance(self, axes: Any) -> Any:
        (line,) = axes.plot((0, 1), (0, 1), color=FAINT, ls=":", label="chance (AUC = 0.5)")
        return line
