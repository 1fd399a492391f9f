"""AndrewsCurvesDisplay: each row as a curve; close rows are close curves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.plots.canvas import canvas, legend_beside, need_matplotlib
from suffice.plots.display import Display
from suffice.plots.numbers.classed_columns import read_classed
from suffice.plots.numbers.row_curves import andrews_curves
from suffice.plots.row_lines import draw_lines, opacity

POINTS = 201


@dataclass(kw_only=True, eq=False, repr=False)
class AndrewsCurvesDisplay(Display):
    """f(t) = x1 / sqrt(2) + x2 sin t + x3 cos t + x4 sin 2t + ... of each row, from -pi to pi.

    Parameters
    ----------
    t : (m,) angles
    curves : (n, m)
    codes : (n,) number of the class of each row; None: all are alike
    labels : names of the classes

    Attributes
    ----------
    lines_ : a collection of lines for each class
    ax_, figure_ : where it was drawn

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from suffice.plots import AndrewsCurvesDisplay
    >>> display = AndrewsCurvesDisplay.from_rows([[0.0, 1.0], [0.0, 2.0]], ["a", "b"], ax=Figure().subplots())
    >>> float(display.lines_[1].get_segments()[0][:, 1].max())
    2.0
    """

    t: Array
    curves: Array
    codes: Array | None = None
    labels: tuple[Any, ...] = (None,)

    def __post_init__(self) -> None:
        """Refuse curves that do not fit the angles."""
        self.t, self.curves = np.asarray(self.t), np.asarray(self.curves)
        if self.curves.ndim != 2 or self.curves.shape[1] != len(self.t):
            got = Said(f"shape {self.curves.shape}")
            raise bad(self, "curves", f"of shape (n, {len(self.t)}), a number for each angle", got)

    @classmethod
    def from_rows(cls, X: Any, y: Any = None, *, points: int = POINTS, ax: Any = None, **options: Any) -> Self:
        """Turn rows into curves, and draw.

        Parameters
        ----------
        X : table of numbers; scale columns of different units first
        y : one label a row; None: all rows are alike
        points : number of angles
        ax : axes to draw on; None: those of a new figure
        options : as for `plot`
        """
        need_matplotlib(cls.__name__)
        rows = read_classed(cls.__name__, X, y)
        t = np.linspace(-np.pi, np.pi, points)
        curves = andrews_curves(rows.columns.values, t)
        return cls(t=t, curves=curves, codes=rows.codes, labels=rows.labels).plot(ax=ax, **options)

    def plot(self, ax: Any = None, *, alpha: float | None = None) -> Self:
        """Draw.

        Parameters
        ----------
        ax : axes to draw on; None: those of a new figure
        alpha : opacity of a line; None: the less, the more there are
        """
        n = len(self.curves)
        codes = np.zeros(n, dtype=np.intp) if self.codes is None else np.asarray(self.codes)
        with canvas(self._owner, ax) as axes:
            self.lines_ = draw_lines(axes, self.t, self.curves, codes, self.labels, alpha or opacity(n))
            axes.set(xlabel="t", ylabel="f(t)", xlim=(self.t[0], self.t[-1]))
            axes.set_xticks([-np.pi, -np.pi / 2, 0.0, np.pi / 2, np.pi], ["-π", "-π/2", "0", "π/2", "π"])
            legend_beside(axes, ax)
            self._drawn(axes)
        return self
