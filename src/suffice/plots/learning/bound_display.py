"""BoundDisplay: gaps between risk and error that were observed, beside the bound of theory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from suffice.core.errors import Said, bad
from suffice.evaluation.theory.gap_curve import gap_by_rows
from suffice.plots.canvas import canvas, legend
from suffice.plots.display import Display, next_place, own_label, styled
from suffice.plots.palette import colour


@dataclass(kw_only=True, eq=False, repr=False)
class BoundDisplay(Display):
    """Observed numbers by size of sample, as points, and a bound on them, as a line.

    Parameters
    ----------
    rows : (s,) sizes of samples
    observed : (s, runs) what was observed
    bound : (s,) what theory says
    what : the number, for the axis
    name : of the bound

    Attributes
    ----------
    line_, points_, mean_ : the bound, the runs and their mean
    ax_, figure_ : where it was drawn

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from suffice.plots import BoundDisplay
    >>> display = BoundDisplay(rows=[10, 100], observed=[[0.1], [0.01]], bound=[0.4, 0.1])
    >>> display.plot(ax=Figure().subplots()).line_.get_ydata().tolist()
    [0.4, 0.1]
    """

    rows: Any
    observed: Any
    bound: Any
    what: str = "True error minus risk on the sample"
    name: str = "bound"

    def __post_init__(self) -> None:
        """Refuse curves of different lengths."""
        if np.ndim(self.observed) != 2 or not len(self.rows) == len(self.bound) == np.shape(self.observed)[0] > 0:
            raise bad(
                self, "observed", "runs for each of the rows and bounds", Said(f"shape {np.shape(self.observed)}")
            )

    @classmethod
    def from_rows(cls, space: Any, theta: Any, X: Any, y: Any, rows: Any, *, ax: Any = None, **options: Any) -> Self:
        """Draw samples of some sizes from a population, see how far risk and error of the best are apart, and draw.

        Parameters
        ----------
        space, theta, X, y, rows : as for `suffice.evaluation.gap_by_rows`
        ax : axes to draw on; None: those of a new figure
        options : as for `suffice.evaluation.gap_by_rows`
        """
        return cls.from_curve(gap_by_rows(space, theta, X, y, rows, **options), ax=ax)

    @classmethod
    def from_curve(cls, curve: Any, *, ax: Any = None, **options: Any) -> Self:
        """Draw what `suffice.evaluation.gap_by_rows` found.

        Parameters
        ----------
        curve : its answer
        ax : axes to draw on; None: those of a new figure
        options : as for `plot`
        """
        name = f"bound, passed with probability at most {curve.delta:g}"
        return cls(rows=curve.rows, observed=curve.gaps, bound=curve.bound, name=name).plot(ax=ax, **options)

    def plot(self, ax: Any = None, *, curve_kwargs: Mapping[str, Any] | None = None) -> Self:
        """Draw.

        Parameters
        ----------
        ax : axes to draw on; None: those of a new figure
        curve_kwargs : keywords of matplotlib for the bound
        """
        with canvas(self._owner, ax) as axes:
            rows, runs = np.asarray(self.rows), np.asarray(self.observed, dtype=np.float64)
            spread = np.repeat(rows, runs.shape[1])
            k = next_place(axes)
            (self.points_,) = axes.plot(spread, runs.ravel(), ls="", marker=".", ms=3, alpha=0.4, color=colour(k))
            (self.mean_,) = axes.plot(rows, runs.mean(axis=1), color=colour(k), label=own_label(axes, "observed, mean"))
            style = {"color": colour(k + 1), "label": own_label(axes, self.name)}
            (self.line_,) = axes.plot(rows, np.asarray(self.bound), **styled(style, curve_kwargs))
            axes.set(xscale="log", xlabel="Rows", ylabel=self.what)
            legend(axes, "upper right")
            self._drawn(axes)
        return self
