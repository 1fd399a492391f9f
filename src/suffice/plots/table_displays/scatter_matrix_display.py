"""ScatterMatrixDisplay: every column against every other, each alone on the diagonal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from suffice.core.errors import Said, bad
from suffice.plots.canvas import legend_beside, need_matplotlib, panels
from suffice.plots.class_points import draw_rows
from suffice.plots.display import Display
from suffice.plots.numbers.bars import histogram_bars
from suffice.plots.numbers.classed_columns import ClassedColumns, read_classed
from suffice.plots.numbers.window_lines import density_lines
from suffice.plots.palette import colour, line

MOST = 12  # columns


def _bars(axes: Any, rows: ClassedColumns, j: int) -> list[Any]:
    bars = histogram_bars(rows)[j]
    return [
        axes.stairs(bars.density[k], bars.edges, color=colour(k), alpha=0.5, fill=True) for k in range(len(rows.labels))
    ]


def _densities(axes: Any, rows: ClassedColumns, j: int) -> list[Any]:
    found = density_lines(rows)[j]
    return [axes.plot(found.x, found.density[k], color=colour(k), ls=line(k))[0] for k in range(len(rows.labels))]


DIAGONALS: dict[str, Callable[[Any, ClassedColumns, int], list[Any]]] = {"histogram": _bars, "density": _densities}


@dataclass(kw_only=True, eq=False, repr=False)
class ScatterMatrixDisplay(Display):
    """A square of panels: rows as points in each pair of columns, histograms or densities on the diagonal.

    Parameters
    ----------
    rows : the rows, read by `read_classed`

    Attributes
    ----------
    points_ : (d, d) lists of the points of each class, None on the diagonal
    diagonal_ : bars or lines of each column
    axes_, ax_ : (d, d) array of axes
    figure_ : where it was drawn

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from suffice.plots import ScatterMatrixDisplay
    >>> X = {"a": [0.0, 1.0, 2.0], "b": [5.0, 4.0, 3.0]}
    >>> display = ScatterMatrixDisplay.from_rows(X, ax=Figure().subplots(2, 2))
    >>> display.points_[1, 0][0].get_offsets()[0].tolist()
    [0.0, 5.0]
    """

    rows: ClassedColumns

    @classmethod
    def from_rows(cls, X: Any, y: Any = None, *, ax: Any = None, **options: Any) -> Self:
        """Draw rows.

        Parameters
        ----------
        X : table of numbers, of two to twelve columns
        y : one label a row; None: all rows are alike
        ax : as many axes as there are pairs of columns; None: those of a new figure
        options : as for `plot`
        """
        need_matplotlib(cls.__name__)
        return cls(rows=read_classed(cls.__name__, X, y)).plot(ax=ax, **options)

    def plot(self, ax: Any = None, *, diagonal: str = "histogram") -> Self:
        """Draw.

        Parameters
        ----------
        ax : as many axes as there are pairs of columns; None: those of a new figure
        diagonal : "histogram" or "density"
        """
        if diagonal not in DIAGONALS:
            raise bad(self._owner, "diagonal", f"one of {', '.join(DIAGONALS)}", diagonal)
        names, values = self.rows.columns.names, self.rows.columns.values
        d = len(names)
        if not 2 <= d <= MOST:
            raise bad(self._owner, "X", f"of 2 to {MOST} columns", Said(str(d)), "Choose some of them.")
        with panels(self._owner, ax, (d, d), (2.2 * d + 1.0, 2.0 * d)) as axes:
            self.points_ = np.full((d, d), None, dtype=object)
            self.diagonal_ = [DIAGONALS[diagonal](axes[j, j], self.rows, j) for j in range(d)]
            for i, j in np.argwhere(~np.eye(d, dtype=bool)):
                pair = values[:, [j, i]]
                self.points_[i, j] = draw_rows(axes[i, j], pair, self.rows.codes, self.rows.labels, 9.0)
            self._label(axes, names)
            if self.rows.labels != (None,):
                legend_beside(axes[0, -1], ax)
            self.axes_ = self.ax_ = axes
            self.figure_ = axes[0, 0].figure
        return self

    def _label(self, axes: Any, names: tuple[str, ...]) -> None:
        """Names at the edges; numbers there only."""
        for j, name in enumerate(names):
            axes[-1, j].set_xlabel(name)
            axes[j, 0].set_ylabel(name)
        for one in axes[:-1].ravel():
            one.tick_params(labelbottom=False)
        for one in axes[:, 1:].ravel():
            one.tick_params(labelleft=False)
        axes[0, 0].tick_params(labelleft=False)  # densities, not values of the column
