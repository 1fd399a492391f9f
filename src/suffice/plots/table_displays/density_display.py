"""DensityDisplay: the density of a column as a line: windows at its values, or any estimator of densities."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.plots.canvas import canvas, legend, need_matplotlib
from suffice.plots.display import Display, class_text, next_place, styled
from suffice.plots.numbers.classed_columns import ClassedColumns, read_classed
from suffice.plots.numbers.window_lines import POINTS, DensityLines, density_lines
from suffice.plots.palette import colour, line

RUG = 0.04  # of the height of the axes


@dataclass(kw_only=True, eq=False, repr=False)
class DensityDisplay(Display):
    """Densities of one column, for all rows or class by class; over a histogram, where axes with one are given.

    Parameters
    ----------
    lines : densities of the classes
    rows : rows to mark on the axis; None: none

    Attributes
    ----------
    lines_ : lines of the classes
    rug_ : marks of the rows, class by class
    ax_, figure_ : where it was drawn

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from suffice.plots import DensityDisplay
    >>> display = DensityDisplay.from_rows([0.0, 1.0, 2.0], bandwidth=1.0, ax=Figure().subplots())
    >>> x, density = display.lines_[0].get_data()
    >>> round(float(np.interp(1.2, x, density)), 4)
    0.2916
    """

    lines: DensityLines
    rows: ClassedColumns | None = None

    @classmethod
    def from_rows(
        cls,
        X: Any,
        y: Any = None,
        *,
        bandwidth: Any = None,
        window: Any = "gaussian",
        sample_weight: Any = None,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Put a window at each value of a column, and draw.

        Parameters
        ----------
        X : one column of numbers; missing cells are left out
        y : one label a row, for a line a class; None: all rows together
        bandwidth : a number, or a rule such as `SheatherJones()`; None: Silverman's
        window : a window, or the name of one
        sample_weight : one weight a row
        ax : axes to draw on, such as those of a histogram; None: those of a new figure
        options : as for `plot`
        """
        need_matplotlib(cls.__name__)
        rows = read_classed(cls.__name__, X, y, sample_weight, width=1)
        (found,) = density_lines(rows, bandwidth, window)
        return cls(lines=found, rows=rows).plot(ax=ax, **options)

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, *, eps: float | None = None, ax: Any = None, **options: Any
    ) -> Self:
        """Ask a fitted estimator of densities over the range of a column, and draw.

        Parameters
        ----------
        estimator : fitted to one column, with `score_samples`: a KernelDensity or a mixture, ours or scikit-learn's
        X : one column of numbers
        eps : how far to go beyond the rows; None: a quarter of their range
        ax : axes to draw on; None: those of a new figure
        options : as for `plot`
        """
        owner = cls.__name__
        need_matplotlib(owner)
        if not hasattr(estimator, "score_samples"):
            raise bad(
                owner, "estimator", "one with score_samples", Said(type(estimator).__name__), "Use KernelDensity."
            )
        rows = read_classed(owner, X, width=1)
        x = _over(rows.columns.values[:, 0], eps)
        density = np.exp(np.asarray(estimator.score_samples(rows.columns.make(x[:, None]))))[None]
        bandwidth = np.array([getattr(estimator, "bandwidth_", np.nan)], dtype=np.float64)
        found = DensityLines(rows.columns.names[0], (type(estimator).__name__,), x, density, bandwidth)
        return cls(lines=found, rows=rows).plot(ax=ax, **options)

    def plot(self, ax: Any = None, *, plot_rug: bool = False, curve_kwargs: Mapping[str, Any] | None = None) -> Self:
        """Draw.

        Parameters
        ----------
        ax : axes to draw on; None: those of a new figure
        plot_rug : whether to mark the rows on the axis
        curve_kwargs : keywords of matplotlib for the lines
        """
        with canvas(self._owner, ax) as axes:
            self.lines_: list[Any] = []
            self.rug_: list[Any] = []
            first = next_place(axes)
            for k, label in enumerate(self.lines.labels):
                style = {"color": colour(first + k), "linestyle": line(k), "label": class_text(label) or None}
                self.lines_.extend(axes.plot(self.lines.x, self.lines.density[k], **styled(style, curve_kwargs)))
            if plot_rug and self.rows is not None:
                self._rug(axes, self.rows, first)
            axes.set(xlabel=self.lines.name, ylabel="Density")
            axes.set_ylim(0.0, None)
            legend(axes)
            self._drawn(axes)
        return self

    def _rug(self, axes: Any, rows: ClassedColumns, first: int) -> None:
        for k in range(len(rows.labels)):
            x = rows.columns.values[rows.codes == k, 0]
            marks = axes.vlines(x, 0.0, RUG, transform=axes.get_xaxis_transform(), colors=colour(first + k), lw=0.8)
            self.rug_.append(marks)


def _over(column: Array, eps: float | None) -> Array:
    seen = column[np.isfinite(column)]
    if not len(seen):
        raise bad("DensityDisplay", "X", "of at least one finite number", Said("none"))
    low, high = float(seen.min()), float(seen.max())
    more = (0.25 * (high - low) or 1.0) if eps is None else eps
    return np.linspace(low - more, high + more, POINTS)
