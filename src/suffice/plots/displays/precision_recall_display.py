"""PrecisionRecallDisplay: how pure against how complete."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from suffice.core.block import Array
from suffice.decision.curves.precision_recall import PrecisionRecallCurve
from suffice.evaluation.scores.scored_rows import ScoredRows
from suffice.plots.canvas import canvas, hide_spines, legend
from suffice.plots.display import marked, next_place, own_label, scored, styled
from suffice.plots.palette import FAINT, colour
from suffice.plots.score_display import ScoreDisplay


@dataclass(kw_only=True, eq=False, repr=False)
class PrecisionRecallDisplay(ScoreDisplay):
    """Precision against recall, in steps: the area under the drawn line is the average precision.

    Parameters
    ----------
    curve : the curve
    name : for the legend
    pos_label : the positive class, named on the axes

    Attributes
    ----------
    line_, chance_level_ : lines; None where they are not drawn
    best_ : the mark of the best F score; None where it is not drawn
    ax_, figure_ : where it was drawn

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from suffice.plots import PrecisionRecallDisplay
    >>> display = PrecisionRecallDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], ax=Figure().subplots())
    >>> display.line_.get_label(), display.line_.get_xdata().tolist()
    ('AP = 0.83', [0.0, 0.5, 0.5, 1.0, 1.0])
    """

    curve: PrecisionRecallCurve
    name: str | None = None
    pos_label: Any = None

    @classmethod
    def _curve(cls, rows: ScoredRows, weights: Any) -> PrecisionRecallCurve:
        return PrecisionRecallCurve.of(rows.scores, rows.positive, weights)

    @property
    def precision(self) -> Array:
        """Precisions."""
        return self.curve.precision

    @property
    def recall(self) -> Array:
        """Recalls."""
        return self.curve.recall

    @property
    def average_precision(self) -> float:
        """Area under the steps."""
        return self.curve.average_precision

    def plot(
        self,
        ax: Any = None,
        *,
        name: str | None = None,
        plot_chance_level: bool = False,
        beta: float | None = None,
        curve_kwargs: Mapping[str, Any] | None = None,
        despine: bool = False,
    ) -> Self:
        """Draw.

        Parameters
        ----------
        ax : axes to draw on; None: those of a new figure
        name : for the legend, in place of the display's
        plot_chance_level : whether to draw the share of the positives, which is the precision of calling all positive
        beta : mark the threshold of the best F score, in which recall counts so many times as much as precision
        curve_kwargs : keywords of matplotlib for the curve
        despine : whether to leave out the lines on top and on the right
        """
        with canvas(self._owner, ax) as axes:
            label = scored(name or self.name, "AP", self.average_precision)
            style = styled(
                {"color": colour(next_place(axes)), "label": own_label(axes, label), "drawstyle": "steps-pre"},
                curve_kwargs,
            )
            (self.line_,) = axes.plot(self.recall, self.precision, **style)
            self.chance_level_ = self._chance(axes) if plot_chance_level else None
            self.best_ = self._best(axes, beta) if beta is not None else None
            axes.set(
                xlabel="Recall" + self._positive_text,
                ylabel="Precision" + self._positive_text,
                xlim=(-0.01, 1.01),
                ylim=(-0.01, 1.01),
                aspect="equal",
            )
            if despine:
                hide_spines(axes)
            legend(axes, "lower left")
            self._drawn(axes)
        return self

    def _chance(self, axes: Any) -> Any:
        negatives, positives = self.curve.coverage.totals
        share = positives / (negatives + positives)
        (line,) = axes.plot((0, 1), (share, share), color=FAINT, ls=":", label=f"chance (AP = {share:.2f})")
        return line

    def _best(self, axes: Any, beta: float) -> Any:
        scores = self.curve.f(beta)
        i = int(scores.argmax())
        label = f"best F{beta:g} = {scores[i]:.2f}, threshold {self.curve.thresholds[i]:.4g}"
        return marked(axes, self.recall[i], self.precision[i], label, 2)
