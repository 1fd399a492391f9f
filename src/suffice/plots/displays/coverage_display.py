"""CoverageDisplay: a coverage curve, with its hulls, split markers, and isometrics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from suffice.decision.curves.coverage_curve import CoverageCurve
from suffice.decision.curves.roc_curve import RocCurve
from suffice.evaluation.scores.scored_rows import ScoredRows
from suffice.plots.canvas import canvas, legend
from suffice.plots.display import next_place, own_label, styled
from suffice.plots.isometrics import draw_points
from suffice.plots.palette import FAINT, colour
from suffice.plots.score_display import ScoreDisplay


@dataclass(kw_only=True, eq=False, repr=False)
class CoverageDisplay(ScoreDisplay):
    """Positives (up) against negatives (across) that reach each threshold, counted.

    Any column can be a score: the vertices of the hull are the thresholds worth to split at.

    Parameters
    ----------
    curve : the curve
    name : for the legend
    pos_label : the positive class, named on the axes

    Attributes
    ----------
    line_, hull_, lower_hull_, chance_level_ : lines; None where they are not drawn
    points_, isometrics_ : marks of thresholds, and lines along which a measure is equal
    ax_, figure_ : where it was drawn

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from suffice.plots import CoverageDisplay
    >>> display = CoverageDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], ax=Figure().subplots())
    >>> display.line_.get_ydata().tolist(), display.ax_.get_xlabel()
    ([0.0, 1.0, 1.0, 2.0, 2.0], 'Negatives')
    """

    curve: CoverageCurve
    name: str | None = None
    pos_label: Any = None

    @classmethod
    def _curve(cls, rows: ScoredRows, weights: Any) -> CoverageCurve:
        return CoverageCurve.of(rows.scores, rows.positive, weights)

    def plot(
        self,
        ax: Any = None,
        *,
        name: str | None = None,
        plot_hull: bool = False,
        plot_lower_hull: bool = False,
        plot_chance_level: bool = False,
        drop_intermediate: bool = True,
        measure: Any = None,
        thresholds: Any = (),
        curve_kwargs: Mapping[str, Any] | None = None,
    ) -> Self:
        """Draw.

        Parameters
        ----------
        ax : axes to draw on; None: those of a new figure
        name : for the legend, in place of the display's
        plot_hull, plot_lower_hull : whether to draw the hulls; the lower one is for columns whose low values are for
            the positives
        plot_chance_level : whether to draw the diagonal
        drop_intermediate, measure, thresholds : as for `RocDisplay`
        curve_kwargs : keywords of matplotlib for the curve
        """
        with canvas(self._owner, ax) as axes:
            label = own_label(axes, name or self.name or "coverage")
            style = styled({"color": colour(next_place(axes)), "label": label}, curve_kwargs)
            drawn = self.curve.corners() if drop_intermediate else self.curve
            (self.line_,) = axes.plot(drawn.negatives, drawn.positives, **style)
            self.hull_ = self._hull(axes, self.curve.hull(), "upper hull") if plot_hull else None
            self.lower_hull_ = self._hull(axes, self.curve.lower_hull(), "lower hull") if plot_lower_hull else None
            across, up = self.curve.totals
            self.chance_level_ = None
            if plot_chance_level:
                (self.chance_level_,) = axes.plot((0, across), (0, up), color=FAINT, ls=":", label="chance")
            self.points_: list[Any] = []
            self.isometrics_: list[Any] = []
            if measure is not None or np.size(thresholds):
                roc = RocCurve(self.curve)
                self.points_, self.isometrics_ = draw_points(self._owner, axes, roc, measure, thresholds, (across, up))
            self._label(axes, across, up)
            self._drawn(axes)
        return self

    def _label(self, axes: Any, across: float, up: float) -> None:
        axes.set(
            xlabel="Negatives",
            ylabel="Positives" if self.pos_label is None or self.pos_label == 1 else f"Positives ({self.pos_label})",
            xlim=(-0.01 * max(across, 1.0), 1.01 * max(across, 1.0)),
            ylim=(-0.01 * max(up, 1.0), 1.01 * max(up, 1.0)),
        )
        legend(axes, "lower right")

    def _hull(self, axes: Any, hull: CoverageCurve, label: str) -> Any:
        (line,) = axes.plot(
            hull.negatives, hull.positives, color=colour(next_place(axes)), ls="--", marker=".", label=label
        )
        return line
