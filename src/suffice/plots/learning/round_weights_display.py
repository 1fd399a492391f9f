"""RoundWeightsDisplay: the weights of rows, round by round of boosting."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from suffice.core.errors import Said, bad
from suffice.plots.canvas import canvas, need_matplotlib
from suffice.plots.display import Display
from suffice.plots.palette import RISING


@dataclass(kw_only=True, eq=False, repr=False)
class RoundWeightsDisplay(Display):
    """One line a round, one cell a row, the darker the less it weighs: rows that are hard grow heavy.

    Parameters
    ----------
    weights : (rounds, n)

    Attributes
    ----------
    image_ : what was drawn
    ax_, figure_ : where it was drawn

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from suffice.plots import RoundWeightsDisplay
    >>> display = RoundWeightsDisplay(weights=[[0.5, 0.5], [0.2, 0.8]]).plot(ax=Figure().subplots())
    >>> display.image_.get_array().shape
    (2, 2)
    """

    weights: Any

    def __post_init__(self) -> None:
        """Refuse what are no weights by round."""
        shape = np.shape(self.weights)
        if len(shape) != 2 or 0 in shape:
            raise bad(self, "weights", "one line a round, one number a row", Said(f"shape {shape}"))

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Any = None, **options: Any) -> Self:
        """Draw what a boosted model has kept.

        Parameters
        ----------
        estimator : fitted with `keep_weights=True`
        ax : axes to draw on; None: those of a new figure
        options : as for `plot`
        """
        need_matplotlib(cls.__name__)
        weights = getattr(estimator, "weights_by_round_", None)
        if weights is None:
            remedy = "Use AdaBoostClassifier(keep_weights=True)."
            raise bad(cls.__name__, "estimator", "one that kept the weights of its rounds", estimator, remedy)
        return cls(weights=weights).plot(ax=ax, **options)

    def plot(self, ax: Any = None, *, cmap: Any = RISING) -> Self:
        """Draw.

        Parameters
        ----------
        ax : axes to draw on; None: those of a new figure
        cmap : colours from little to much
        """
        with canvas(self._owner, ax) as axes:
            self.image_ = axes.imshow(np.asarray(self.weights, dtype=np.float64), cmap=cmap, aspect="auto")
            axes.figure.colorbar(self.image_, ax=axes, label="Weight")
            axes.set(xlabel="Row", ylabel="Round")
            self._drawn(axes)
        return self
