"""ResidualDisplay: what predicted numbers are off by, against what was predicted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.plots.canvas import canvas, need_matplotlib
from suffice.plots.display import Display
from suffice.plots.palette import FAINT, colour


@dataclass(kw_only=True, eq=False, repr=False)
class ResidualDisplay(Display):
    """A point a row: the prediction, and the truth less the prediction. Points about the line show no more to learn.

    Parameters
    ----------
    predicted : one number a row (n,)
    residuals : the truth less the prediction (n,)

    Attributes
    ----------
    points_, zero_ : the points, and the line on which predictions are right
    ax_, figure_ : where it was drawn

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from suffice.plots import ResidualDisplay
    >>> display = ResidualDisplay.from_predictions([3.0, 5.0], [2.5, 5.5], ax=Figure().subplots())
    >>> display.points_.get_offsets().tolist()
    [[2.5, 0.5], [5.5, -0.5]]
    """

    predicted: Array
    residuals: Array

    @classmethod
    def from_estimator(cls, estimator: Any, X: Any, y: Any, *, ax: Any = None, **options: Any) -> Self:
        """Ask a fitted regressor, and draw.

        Parameters
        ----------
        estimator : a fitted regressor
        X, y : rows and their numbers
        ax : axes to draw on; None: those of a new figure
        options : as for `plot`
        """
        need_matplotlib(cls.__name__)
        if not hasattr(estimator, "predict"):
            raise bad(cls.__name__, "estimator", "a fitted regressor", estimator)
        return cls.from_predictions(y, estimator.predict(X), ax=ax, **options)

    @classmethod
    def from_predictions(cls, y_true: Any, y_pred: Any, *, ax: Any = None, **options: Any) -> Self:
        """Draw from answers that are there already.

        Parameters
        ----------
        y_true, y_pred : one number a row
        ax : axes to draw on; None: those of a new figure
        options : as for `plot`
        """
        need_matplotlib(cls.__name__)
        try:
            truth, said = (np.asarray(side, dtype=np.float64) for side in (y_true, y_pred))
        except (TypeError, ValueError):
            raise bad(cls.__name__, "y_true and y_pred", "one number a row", Said("other cells")) from None
        if truth.shape != said.shape or truth.ndim != 1:
            got = Said(f"shapes {truth.shape} and {said.shape}")
            raise bad(cls.__name__, "y_true and y_pred", "one number a row", got, "Draw one target at a time.")
        return cls(predicted=said, residuals=truth - said).plot(ax=ax, **options)

    def plot(self, ax: Any = None, *, size: float = 12.0, alpha: float = 0.5) -> Self:
        """Draw.

        Parameters
        ----------
        ax : axes to draw on; None: those of a new figure
        size : of the points
        alpha : their opacity
        """
        with canvas(self._owner, ax) as axes:
            self.zero_ = axes.axhline(0.0, color=FAINT, lw=1.0)
            self.points_ = axes.scatter(self.predicted, self.residuals, s=size, alpha=alpha, color=colour(0))
            axes.set(xlabel="Predicted", ylabel="True less predicted")
            self._drawn(axes)
        return self
