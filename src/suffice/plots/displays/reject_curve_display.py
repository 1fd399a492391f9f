"""RejectCurveDisplay: how accurate answers are if only the most certain rows are answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from suffice.decision.curves.reject_curve import RejectCurve
from suffice.evaluation.scores.classifier_answers import class_names
from suffice.plots.canvas import canvas, legend, need_matplotlib
from suffice.plots.display import Display, marked, next_place, own_label, styled
from suffice.plots.palette import colour


@dataclass(kw_only=True, eq=False, repr=False)
class RejectCurveDisplay(Display):
    """Accuracy among the answered rows against their share.

    Parameters
    ----------
    curve : the curve
    name : for the legend

    Attributes
    ----------
    line_ : the curve
    point_ : the most rows that can be answered with the wanted accuracy; None where it is not drawn
    ax_, figure_ : where it was drawn

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from suffice.plots import RejectCurveDisplay
    >>> proba = [[0.9, 0.1], [0.2, 0.8], [0.6, 0.4], [0.55, 0.45]]
    >>> display = RejectCurveDisplay.from_predictions([0, 1, 1, 0], proba, ax=Figure().subplots(), accuracy=0.9)
    >>> display.line_.get_xdata().tolist(), display.point_.get_label()
    ([0.25, 0.5, 0.75, 1.0], 'accuracy 1.00 for 50 % of the rows, at least 0.8')
    """

    curve: RejectCurve
    name: str | None = None

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
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
        sample_weight : one weight a row
        name : for the legend; None: the name of the estimator
        ax : axes to draw on; None: those of a new figure
        options : as for `plot`
        """
        need_matplotlib(cls.__name__)
        classes = class_names(cls.__name__, estimator)
        curve = RejectCurve.of(estimator.predict_proba(X), y, sample_weight, classes)
        return cls(curve=curve, name=type(estimator).__name__ if name is None else name).plot(ax=ax, **options)

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_proba: Any,
        *,
        classes: Any = None,
        sample_weight: Any = None,
        name: str | None = None,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Draw from probabilities that are there already.

        Parameters
        ----------
        y_true : the true class of each row: its number from 0, or its name where `classes` are given
        y_proba : (n, K) a column for each class; or (n,) for two, the probability of the second
        classes : the names of the classes in order
        sample_weight : one weight a row
        name : for the legend
        ax : axes to draw on; None: those of a new figure
        options : as for `plot`
        """
        need_matplotlib(cls.__name__)
        curve = RejectCurve.of(y_proba, y_true, sample_weight, classes)
        return cls(curve=curve, name=name).plot(ax=ax, **options)

    def plot(
        self,
        ax: Any = None,
        *,
        name: str | None = None,
        accuracy: float | None = None,
        curve_kwargs: Mapping[str, Any] | None = None,
    ) -> Self:
        """Draw.

        Parameters
        ----------
        ax : axes to draw on; None: those of a new figure
        name : for the legend, in place of the display's
        accuracy : mark the most rows that can be answered with at least this accuracy
        curve_kwargs : keywords of matplotlib for the curve
        """
        found = None if accuracy is None else self.curve.for_accuracy(accuracy)
        with canvas(self._owner, ax) as axes:
            told = name or self.name
            label = f"{told} (area {self.curve.area:.3f})" if told else f"area {self.curve.area:.3f}"
            style = styled({"color": colour(next_place(axes)), "label": own_label(axes, label)}, curve_kwargs)
            (self.line_,) = axes.plot(self.curve.answered, self.curve.accuracy, **style)
            self.point_ = None
            if found is not None and found.answered > 0.0:
                told = f"accuracy {found.accuracy:.2f} for {100 * found.answered:.0f} % of the rows"
                label = f"{told}, at least {found.at_least:.4g}"
                self.point_ = marked(axes, found.answered, found.accuracy, label, 1)
            low = float(np.min(self.curve.accuracy))
            axes.set(
                xlabel="Share of the rows answered",
                ylabel="Accuracy among them",
                xlim=(0.0, 1.01),
                ylim=(max(0.0, low - 0.1 * max(1.0 - low, 0.1)), 1.0 + 0.02 * max(1.0 - low, 0.1)),
            )
            legend(axes, "lower left")
            self._drawn(axes)
        return self
