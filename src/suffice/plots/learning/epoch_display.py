"""EpochDisplay: error by epoch, of one run or of several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from suffice.core.errors import Said, bad
from suffice.plots.canvas import canvas, legend, need_matplotlib
from suffice.plots.display import Display, need_reading, next_place, own_label, styled
from suffice.plots.palette import colour


@dataclass(kw_only=True, eq=False, repr=False)
class EpochDisplay(Display):
    """Lines of error by epoch.

    Parameters
    ----------
    errors : name -> errors of each epoch (e,), or of several runs (r, e), drawn thin with their mean
    what : the error, for the axis

    Attributes
    ----------
    lines_ : all lines
    ax_, figure_ : where it was drawn

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from suffice.plots import EpochDisplay
    >>> display = EpochDisplay(errors={"run": [0.5, 0.25]}).plot(ax=Figure().subplots())
    >>> display.lines_[0].get_xdata().tolist()
    [1, 2]
    """

    errors: Mapping[str, Any]
    what: str = "Error"

    def __post_init__(self) -> None:
        """Refuse nothing to draw."""
        if not self.errors or any(np.ndim(curve) not in (1, 2) or not np.size(curve) for curve in self.errors.values()):
            raise bad(self, "errors", "a curve, or a table of curves, for each name", Said(f"{len(self.errors)} names"))

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Any = None, **options: Any) -> Self:
        """Draw the losses of nets that were trained: several runs together, as far as the shortest went.

        Parameters
        ----------
        estimator : a fitted net, or a list of several
        ax : axes to draw on; None: those of a new figure
        options : as for `plot`
        """
        need_matplotlib(cls.__name__)
        nets = estimator if isinstance(estimator, Sequence) else [estimator]
        for net in nets:
            need_reading(cls.__name__, net, "loss_curve_", "net")
        curves = [np.asarray(net.loss_curve_) for net in nets]
        shortest = min(map(len, curves))
        return cls(errors={"training": np.array([c[:shortest] for c in curves])}, what="Loss").plot(ax=ax, **options)

    @classmethod
    def from_curve(cls, curve: Any, *, ax: Any = None, **options: Any) -> Self:
        """Draw the errors of folds, on rows of training and on rows held out, with the epoch to stop at.

        Parameters
        ----------
        curve : made by `suffice.neural.error_by_epoch`
        ax : axes to draw on; None: those of a new figure
        options : as for `plot`
        """
        need_matplotlib(cls.__name__)
        display = cls(errors={"training": curve.training, "held out": curve.held_out}).plot(ax=ax, **options)
        display.best_ = display.ax_.axvline(curve.best, color=colour(2), lw=0.8, label=f"stop at {curve.best}")
        legend(display.ax_, "upper right")
        return display

    def plot(self, ax: Any = None, *, curve_kwargs: Mapping[str, Any] | None = None) -> Self:
        """Draw.

        Parameters
        ----------
        ax : axes to draw on; None: those of a new figure
        curve_kwargs : keywords of matplotlib for the lines
        """
        with canvas(self._owner, ax) as axes:
            self.lines_: list[Any] = []
            self.best_: Any = None
            for k, (name, found) in enumerate(self.errors.items(), next_place(axes)):
                runs = np.atleast_2d(np.asarray(found, dtype=np.float64))
                x = np.arange(1, runs.shape[1] + 1)
                for run in runs if len(runs) > 1 else ():
                    self.lines_ += axes.plot(x, run, color=colour(k), lw=0.5, alpha=0.5)
                style = {"color": colour(k), "linewidth": 1.6, "label": own_label(axes, name)}
                self.lines_ += axes.plot(x, runs.mean(axis=0), **styled(style, curve_kwargs))
            axes.set(xlabel="Epoch", ylabel=self.what)
            legend(axes, "upper right")
            self._drawn(axes)
        return self
