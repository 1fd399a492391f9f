"""CalibratedGridDisplay: two features after isotonic calibration, with the grid of intervals that it induces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from scipy.special import expit

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.features.calibrate.calibrate import Calibrate
from suffice.plots.canvas import need_matplotlib, panels
from suffice.plots.display import Display
from suffice.plots.palette import INK, colour, marker


@dataclass(kw_only=True, eq=False, repr=False)
class CalibratedGridDisplay(Display):
    """Rows as they are, with the limits of both calibration maps and the boundary, and in both calibrated spaces.

    The boundary, where the log odds of both features add to 0, runs along the sides of the cells of the grid: steps.

    Parameters
    ----------
    rows : (n, 2)
    positive : (n,) whether a row is positive
    limits : where the maps of both features step
    levels : (S1, S2) sum of the log odds in each cell of the grid
    calibrated : (n, 2) log odds of the rows

    Attributes
    ----------
    grid_, boundary_ : the picture of the cells, and the line between their signs
    axes_, ax_ : array of three axes: the rows, log odds, probabilities
    figure_ : where it was drawn

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from suffice.plots import CalibratedGridDisplay
    >>> X, y = np.array([[1.0, 5.0], [2.0, 4.0], [3.0, 9.0], [4.0, 8.0]]), [0, 0, 1, 1]
    >>> CalibratedGridDisplay.from_rows(X, y, ax=Figure().subplots(1, 3)).levels.shape
    (2, 2)
    """

    rows: Array
    positive: Array
    limits: tuple[Array, Array]
    levels: Array
    calibrated: Array

    @classmethod
    def from_rows(cls, X: Any, y: Any, *, smoothing: str = "smoothed", ax: Any = None) -> Self:
        """Calibrate both columns by their ROC hulls, and draw.

        Parameters
        ----------
        X : two columns of numbers
        y : one label a row, of two classes
        smoothing : as for `Calibrate`
        ax : three axes; None: those of a new figure
        """
        need_matplotlib(cls.__name__)
        rows = np.asarray(X, dtype=np.float64)
        if rows.ndim != 2 or rows.shape[1] != 2:
            raise bad(cls.__name__, "X", "two columns of numbers", Said(f"shape {rows.shape}"))
        model = Calibrate("isotonic", smoothing=smoothing).fit(rows, y)
        if len(model.classes_) != 2:
            raise bad(cls.__name__, "y", "labels of two classes", Said(f"{len(model.classes_)} classes"))
        first, second = (maps[0] for maps in model.maps_)
        levels = first.levels[:, None] + second.levels[None, :]
        positive = np.asarray(y) == model.classes_[1]
        limits = first.limits, second.limits
        display = cls(rows=rows, positive=positive, limits=limits, levels=levels, calibrated=model.transform(rows))
        return display.plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw.

        Parameters
        ----------
        ax : three axes; None: those of a new figure
        """
        with panels(self._owner, ax, (1, 3), (13.0, 4.2)) as axes:
            plain, odds, shares = axes[0]
            edges = [self._edges(j) for j in (0, 1)]
            top = float(np.abs(self.levels).max()) or 1.0
            style = {"cmap": "RdBu", "vmin": -top, "vmax": top, "alpha": 0.35}
            self.grid_ = plain.pcolormesh(*edges, self.levels.T, **style)
            self.boundary_ = [plain.plot(x, y, color=INK)[0] for x, y in self.steps()]
            for panel, some in ((plain, self.rows), (odds, self.calibrated), (shares, expit(self.calibrated))):
                self._points(panel, some)
            low, high = float(self.calibrated.min()) - 0.2, float(self.calibrated.max()) + 0.2
            odds.plot([low, high], [-low, -high], color=INK)
            shares.plot([0.0, 1.0], [1.0, 0.0], color=INK)
            for panel, what in ((plain, ""), (odds, ", log odds"), (shares, ", probability")):
                panel.set(xlabel=f"first feature{what}", ylabel=f"second feature{what}")
            plain.legend(loc="best")
            self.axes_ = self.ax_ = axes
            self.figure_ = plain.figure
        return self

    def steps(self) -> list[tuple[list[float], list[float]]]:
        """The sides of cells between which the answer changes: axis-parallel."""
        found = []
        side = self.levels > 0
        across, up = (self._edges(j) for j in (0, 1))
        for i, j in zip(*np.nonzero(side[1:] != side[:-1]), strict=True):
            found.append(([across[i + 1]] * 2, [up[j], up[j + 1]]))
        for i, j in zip(*np.nonzero(side[:, 1:] != side[:, :-1]), strict=True):
            found.append(([across[i], across[i + 1]], [up[j + 1]] * 2))
        return found

    def _edges(self, j: int) -> Array:
        x = self.rows[:, j]
        more = 0.05 * float(np.ptp(x)) or 1.0
        return np.concatenate([[x.min() - more], self.limits[j], [x.max() + more]])

    def _points(self, axes: Any, some: Array) -> None:
        for k, name in ((0, "negative"), (1, "positive")):
            mine = some[self.positive == bool(k)]
            axes.scatter(mine[:, 0], mine[:, 1], color=colour(k), marker=marker(k), s=18.0, label=name)
