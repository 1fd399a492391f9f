"""RadvizDisplay: columns as anchors on a circle, each row at the mean of the anchors, weighted by its values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.plots.canvas import canvas, legend_beside, need_matplotlib
from suffice.plots.class_points import draw_rows
from suffice.plots.display import Display
from suffice.plots.numbers.classed_columns import read_classed
from suffice.plots.numbers.row_curves import anchors, radial_points, scaled_columns
from suffice.plots.palette import FAINT, INK

GAP = 0.05  # between an anchor and its name


@dataclass(kw_only=True, eq=False, repr=False)
class RadvizDisplay(Display):
    """Rows of many columns as points of a disc: each column pulls a row towards its anchor.

    Parameters
    ----------
    points : (n, 2)
    names : of the columns, one anchor each
    codes : (n,) number of the class of each row; None: all are alike
    labels : names of the classes

    Attributes
    ----------
    rows_ : points of the rows, class by class
    anchors_ : marks of the anchors
    ax_, figure_ : where it was drawn

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from suffice.plots import RadvizDisplay
    >>> X = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    >>> display = RadvizDisplay.from_rows(X, ax=Figure().subplots())
    >>> display.rows_[0].get_offsets()[0].tolist()
    [1.0, 0.0]
    """

    points: Array
    names: tuple[str, ...]
    codes: Array | None = None
    labels: tuple[Any, ...] = (None,)

    def __post_init__(self) -> None:
        """Refuse what are no points."""
        self.points = np.asarray(self.points)
        if self.points.ndim != 2 or self.points.shape[1] != 2:
            raise bad(self, "points", "of shape (n, 2)", Said(f"shape {self.points.shape}"))

    @classmethod
    def from_rows(cls, X: Any, y: Any = None, *, ax: Any = None, **options: Any) -> Self:
        """Scale columns to run from 0 to 1, and draw.

        Parameters
        ----------
        X : table of numbers, of at least three columns
        y : one label a row; None: all rows are alike
        ax : axes to draw on; None: those of a new figure
        options : as for `plot`
        """
        need_matplotlib(cls.__name__)
        rows = read_classed(cls.__name__, X, y)
        if rows.columns.values.shape[1] < 3:
            got = Said(f"{rows.columns.values.shape[1]}")
            raise bad(cls.__name__, "X", "of at least three columns", got, "Two are a scatter plot.")
        points = radial_points(scaled_columns(rows.columns.values))
        return cls(points=points, names=rows.columns.names, codes=rows.codes, labels=rows.labels).plot(ax=ax, **options)

    def plot(self, ax: Any = None) -> Self:
        """Draw.

        Parameters
        ----------
        ax : axes to draw on; None: those of a new figure
        """
        codes = np.zeros(len(self.points), dtype=np.intp) if self.codes is None else np.asarray(self.codes)
        with canvas(self._owner, ax) as axes:
            around = np.linspace(0.0, 2.0 * np.pi, 200)
            axes.plot(np.cos(around), np.sin(around), color=FAINT, lw=0.8)
            places = anchors(len(self.names))
            (self.anchors_,) = axes.plot(*places.T, ls="", marker="s", color=INK, ms=4)
            for name, (x, y) in zip(self.names, places, strict=True):
                above = y > -0.1
                axes.text(x, y + (GAP if above else -GAP), name, ha="center", va="bottom" if above else "top")
            self.rows_ = draw_rows(axes, self.points, codes, self.labels)
            axes.set(aspect="equal", xticks=[], yticks=[], xlim=(-1.6, 1.6), ylim=(-1.2, 1.2))
            for spine in axes.spines.values():
                spine.set_visible(False)
            legend_beside(axes, ax)
            self._drawn(axes)
        return self
