"""ParallelCoordinatesDisplay: each row as a broken line over its columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.plots.canvas import canvas, legend_beside, need_matplotlib
from suffice.plots.display import Display
from suffice.plots.numbers.classed_columns import read_classed
from suffice.plots.numbers.row_curves import scaled_columns
from suffice.plots.palette import FAINT
from suffice.plots.row_lines import draw_lines, opacity


@dataclass(kw_only=True, eq=False, repr=False)
class ParallelCoordinatesDisplay(Display):
    """Columns side by side, a line through the cells of each row, in the colour of its class if there are classes.

    Parameters
    ----------
    heights : (n, d) where each row crosses each column
    names : of the columns
    codes : (n,) number of the class of each row; None: all are alike
    labels : names of the classes
    scaled : whether heights are shares of the range of each column

    Attributes
    ----------
    lines_ : a collection of lines for each class
    ax_, figure_ : where it was drawn

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from suffice.plots import ParallelCoordinatesDisplay
    >>> X = {"age": [20.0, 40.0, 60.0], "height": [1.9, 1.8, 1.7]}
    >>> display = ParallelCoordinatesDisplay.from_rows(X, ax=Figure().subplots())
    >>> display.lines_[0].get_segments()[0].round(12).tolist()
    [[0.0, 0.0], [1.0, 1.0]]
    """

    heights: Array
    names: tuple[str, ...]
    codes: Array | None = None
    labels: tuple[Any, ...] = (None,)
    scaled: bool = False

    def __post_init__(self) -> None:
        """Refuse heights that do not fit the columns."""
        self.heights = np.asarray(self.heights)
        if self.heights.ndim != 2 or self.heights.shape[1] != len(self.names):
            raise bad(self, "heights", f"of shape (n, {len(self.names)})", Said(f"shape {self.heights.shape}"))

    @classmethod
    def from_rows(cls, X: Any, y: Any = None, *, scale: bool = True, ax: Any = None, **options: Any) -> Self:
        """Draw rows.

        Parameters
        ----------
        X : table of numbers; a missing cell interrupts its line
        y : one label a row; None: all rows are alike
        scale : whether each column runs from its least value (0) to its largest (1)
        ax : axes to draw on; None: those of a new figure
        options : as for `plot`
        """
        need_matplotlib(cls.__name__)
        rows = read_classed(cls.__name__, X, y)
        heights = scaled_columns(rows.columns.values) if scale else rows.columns.values
        display = cls(heights=heights, names=rows.columns.names, codes=rows.codes, labels=rows.labels, scaled=scale)
        return display.plot(ax=ax, **options)

    def plot(self, ax: Any = None, *, alpha: float | None = None) -> Self:
        """Draw.

        Parameters
        ----------
        ax : axes to draw on; None: those of a new figure
        alpha : opacity of a line; None: the less, the more there are
        """
        n, d = self.heights.shape
        codes = np.zeros(n, dtype=np.intp) if self.codes is None else np.asarray(self.codes)
        with canvas(self._owner, ax) as axes:
            for j in range(d):
                axes.axvline(j, color=FAINT, lw=0.7, zorder=0)
            self.lines_ = draw_lines(axes, np.arange(d), self.heights, codes, self.labels, alpha or opacity(n))
            axes.set_xticks(range(d), self.names)
            if sum(map(len, self.names)) > 50:
                axes.tick_params(axis="x", rotation=20)
            axes.set(xlim=(-0.1, d - 0.9), ylabel="Share of the range" if self.scaled else "Value")
            legend_beside(axes, ax)
            self._drawn(axes)
        return self
