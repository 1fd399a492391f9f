"""CostCurveDisplay: what the best threshold costs, under every prior and every pair of costs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from suffice.decision.curves.cost_curve import CostCurve
from suffice.decision.curves.roc_curve import RocCurve
from suffice.evaluation.scores.scored_rows import ScoredRows
from suffice.plots.canvas import WIDE, canvas, legend_beside
from suffice.plots.display import marked, next_place, own_label, styled
from suffice.plots.palette import FAINT, colour
from suffice.plots.score_display import ScoreDisplay


@dataclass(kw_only=True, eq=False, repr=False)
class CostCurveDisplay(ScoreDisplay):
    """Normalised expected cost against probability-cost: the lower envelope of the lines of all thresholds.

    Parameters
    ----------
    curve : the ROC curve whose thresholds are chosen from
    name : for the legend
    pos_label : the positive class, named on the axis

    Attributes
    ----------
    line_, thresholds_, trivial_ : the envelope, the lines of the thresholds on it, and those of one answer for all
    point_ : the mark of one probability-cost; None where it is not drawn
    ax_, figure_ : where it was drawn

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from suffice.plots import CostCurveDisplay
    >>> display = CostCurveDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], ax=Figure().subplots())
    >>> display.line_.get_xdata().tolist(), display.line_.get_ydata().tolist()
    ([0.0, 0.0, 0.5, 1.0, 1.0], [0.0, 0.0, 0.25, 0.0, 0.0])
    """

    curve: RocCurve
    name: str | None = None
    pos_label: Any = None

    @classmethod
    def _curve(cls, rows: ScoredRows, weights: Any) -> RocCurve:
        return RocCurve.of(rows.scores, rows.positive, weights)

    @property
    def cost(self) -> CostCurve:
        """The curve in costs."""
        return CostCurve.of(self.curve)

    def plot(
        self,
        ax: Any = None,
        *,
        name: str | None = None,
        probability_cost: float | None = None,
        curve_kwargs: Mapping[str, Any] | None = None,
    ) -> Self:
        """Draw.

        Parameters
        ----------
        ax : axes to draw on; None: those of a new figure
        name : for the legend, in place of the display's
        probability_cost : where to mark the cost and the best threshold, as `probability_cost(prior, costs)` says
        curve_kwargs : keywords of matplotlib for the curve
        """
        cost = self.cost
        with canvas(self._owner, ax, size=WIDE) as axes:
            self.trivial_ = [
                axes.plot((0, 1), ends, color=FAINT, ls=":", label=label)[0]
                for ends, label in (((0, 1), "one answer for all"), ((1, 0), None))
            ]
            hull = self.curve.hull()
            self.thresholds_ = [
                axes.plot((0, 1), (fpr, 1.0 - tpr), color=FAINT, lw=0.6)[0]
                for fpr, tpr in zip(hull.fpr[1:-1], hull.tpr[1:-1], strict=True)
            ]
            told = name or self.name
            label = f"{told}: best threshold" if told else "best threshold"
            style = styled(
                {"color": colour(next_place(axes)), "linewidth": 2.0, "label": own_label(axes, label)}, curve_kwargs
            )
            (self.line_,) = axes.plot(cost.probability_cost, cost.cost, **style)
            self.point_ = None if probability_cost is None else self._mark(axes, cost, probability_cost)
            words = "positive" if self.pos_label is None else self.pos_label
            top = max(0.5, 1.1 * float(np.max(cost.cost)))
            axes.set(
                xlabel=f"Probability-cost of {words}", ylabel="Normalised expected cost", xlim=(0, 1), ylim=(0, top)
            )
            legend_beside(axes, ax)
            self._drawn(axes)
        return self

    def _mark(self, axes: Any, cost: CostCurve, x: float) -> Any:
        value, threshold = float(cost.at(x)), float(cost.threshold(x))
        label = f"at {x:.2g}: cost {value:.3g}, threshold {threshold:.4g}"
        return marked(axes, x, value, label, 1)
