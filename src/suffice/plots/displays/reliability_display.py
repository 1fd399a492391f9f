"""ReliabilityDisplay: do probabilities come true? Predicted against observed, with bands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from suffice.evaluation.scores.classifier_answers import class_names, place_of
from suffice.evaluation.scores.reliability import Reliability
from suffice.plots.canvas import WIDE, canvas, legend_beside, need_matplotlib
from suffice.plots.display import Display, next_place, styled
from suffice.plots.palette import FAINT, REFUSED, colour

BARS = 0.15  # of the height: the largest bin


@dataclass(kw_only=True, eq=False, repr=False)
class ReliabilityDisplay(Display):
    """The share of positives of each bin against its mean probability, with Wilson's 95 % band and the rows of each.

    Parameters
    ----------
    table : the numbers of all bins
    name : for the legend
    pos_label : the class looked at, named on the axes; None: the most probable one of each row

    Attributes
    ----------
    line_, ref_line_ : observed against predicted, and the diagonal
    bands_ : the bars of the bands, an error bar container of matplotlib
    bars_ : how many rows each bin has; None where they are not drawn
    ax_, figure_ : where it was drawn

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from suffice.plots import ReliabilityDisplay
    >>> told = [0.1, 0.2, 0.3, 0.8, 0.9]
    >>> display = ReliabilityDisplay.from_predictions([0, 0, 1, 1, 1], told, bins=2, ax=Figure().subplots())
    >>> display.line_.get_xdata().round(2).tolist(), display.line_.get_ydata().round(2).tolist()
    ([0.2, 0.85], [0.33, 1.0])
    """

    table: Reliability
    name: str | None = None
    pos_label: Any = None

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        pos_label: Any = None,
        bins: int = 10,
        cut: str = "equal_width",
        sample_weight: Any = None,
        name: str | None = None,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Ask a fitted classifier, and draw.

        Parameters
        ----------
        estimator : a fitted classifier with `predict_proba`
        X, y : rows and their labels
        pos_label : the class looked at; None: the second of two, and of more the most probable of each row
        bins, cut : number of bins; "equal_width" or "equal_frequency"
        sample_weight : one weight a row
        name : for the legend; None: the name of the estimator
        ax : axes to draw on; None: those of a new figure
        options : as for `plot`
        """
        need_matplotlib(cls.__name__)
        classes = class_names(cls.__name__, estimator)
        if pos_label is not None or len(classes) == 2:
            pos_label = classes[place_of(cls.__name__, pos_label, classes)]
        proba = np.asarray(estimator.predict_proba(X))
        table = Reliability.of(y, proba, classes, sample_weight, label=pos_label, bins=bins, cut=cut)
        told = type(estimator).__name__ if name is None else name
        return cls(table=table, name=told, pos_label=pos_label).plot(ax=ax, **options)

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_proba: Any,
        *,
        classes: Any = None,
        pos_label: Any = None,
        bins: int = 10,
        cut: str = "equal_width",
        sample_weight: Any = None,
        name: str | None = None,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Draw from probabilities that are there already.

        Parameters
        ----------
        y_true : one label a row
        y_proba : (n,) probability of 1, with y_true 0 or 1; or (n, K) with `classes`
        classes : the K labels of the columns
        pos_label : the class looked at; None: the most probable of each row
        bins, cut, sample_weight, name, ax, options : as for `from_estimator`
        """
        need_matplotlib(cls.__name__)
        table = Reliability.of(y_true, y_proba, classes, sample_weight, label=pos_label, bins=bins, cut=cut)
        return cls(table=table, name=name, pos_label=pos_label).plot(ax=ax, **options)

    def plot(
        self,
        ax: Any = None,
        *,
        name: str | None = None,
        ref_line: bool = True,
        plot_rows: bool = True,
        curve_kwargs: Mapping[str, Any] | None = None,
    ) -> Self:
        """Draw.

        Parameters
        ----------
        ax : axes to draw on; None: those of a new figure
        name : for the legend, in place of the display's
        ref_line : whether to draw the diagonal, where probabilities come true
        plot_rows : whether to draw how many rows each bin has, as bars at the bottom
        curve_kwargs : keywords of matplotlib for the curve
        """
        t = self.table
        full = t.weight > 0.0
        x, y, low, high = (side[full] for side in (t.predicted, t.observed, t.low, t.high))
        with canvas(self._owner, ax, size=WIDE) as axes:
            self.bars_ = self._rows(axes) if plot_rows else None
            self.ref_line_ = None
            if ref_line:
                (self.ref_line_,) = axes.plot((0, 1), (0, 1), color=FAINT, ls=":", label="as predicted")
            style = styled({"color": colour(next_place(axes)), "marker": "o", "label": self._told(name)}, curve_kwargs)
            self.bands_ = axes.errorbar(x, y, yerr=np.maximum([y - low, high - y], 0.0), capsize=3, **style)
            self.line_ = self.bands_.lines[0]
            what = "" if self.pos_label is None else f" of {self.pos_label}"
            axes.set(
                xlabel=f"Mean predicted probability{what}",
                ylabel="Share that came true",
                xlim=(-0.02, 1.02),
                ylim=(-0.02, 1.02),
                aspect="equal",
            )
            legend_beside(axes, ax)
            self._drawn(axes)
        return self

    def _told(self, name: str | None) -> str:
        told, error = name or self.name, f"expected error {self.table.expected_error:.3f}"
        return f"{told}\n({error})" if told else error

    def _rows(self, axes: Any) -> Any:
        t = self.table
        height = BARS * t.weight / t.weight.max()
        label = f"rows (highest bar: {t.weight.max():g})"
        return axes.bar(t.limits[:-1], height, np.diff(t.limits), align="edge", color=REFUSED, ec="white", label=label)
