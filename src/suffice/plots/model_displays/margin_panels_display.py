"""MarginPanelDisplay: a support vector classifier for several C and gamma, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.plots.canvas import legend_beside, need_matplotlib, panels
from suffice.plots.class_points import draw_rows
from suffice.plots.display import Display
from suffice.plots.numbers.classed_columns import ClassedColumns, read_classed
from suffice.plots.numbers.feature_grid import FeatureGrid
from suffice.plots.numbers.margin_panels import MarginPanel, margin_panels
from suffice.plots.palette import INK, colour

FARTHEST = 3.0  # decision values beyond this many margins have one colour
RING = 70.0  # area of a ring
LIGHT = 0.45  # share of white in the colours of the surface, so that points stand out


@dataclass(kw_only=True, eq=False, repr=False)
class MarginPanelDisplay(Display):
    """Panels of C (down) by gamma (across): decision surface, frontier, margins, and ringed support vectors.

    A small C keeps the surface simple and has more rows inside the margin, whose number is written above each panel.

    Parameters
    ----------
    x, y : (g,), (h,) values of the two features
    panels : one list for each C, with a panel for each gamma
    rows : the rows, of two features and two classes
    names : of the two features

    Attributes
    ----------
    surfaces_, frontiers_ : decision values and their lines at -1, 0, 1, panel by panel
    support_vectors_ : rings
    axes_, ax_ : array of axes (C, gamma)
    figure_ : where it was drawn

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from sklearn.svm import SVC
    >>> from suffice.plots import MarginPanelDisplay
    >>> X, y = [[0.0, 0.0], [1.0, 0.0], [0.0, 2.0], [1.0, 2.0]], [0, 0, 1, 1]
    >>> ax = Figure().subplots(1, 2)
    >>> display = MarginPanelDisplay.from_estimator(SVC(), X, y, C=[1000], gamma=[0.01, 2], ax=ax)
    >>> display.axes_[0, 0].get_title()
    'C = 1000, gamma = 0.01\\n4 support vectors, 0 rows inside the margin'
    """

    x: Array
    y: Array
    panels: Sequence[Sequence[MarginPanel]]
    rows: ClassedColumns
    names: tuple[str, str] = ("x0", "x1")

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        C: Any = (1.0, 1000.0),
        gamma: Any = (0.01, 2.0),
        grid_resolution: int = 100,
        eps: float | None = None,
        ax: Any = None,
    ) -> Self:
        """Fit a clone for each pair of parameters, and draw.

        Parameters
        ----------
        estimator : a support vector classifier with parameters C and gamma, ours or scikit-learn's; it is not changed
        X, y : rows of two features, and their labels of two classes
        C, gamma : values of the parameters
        grid_resolution : number of values of each feature
        eps : how far to go beyond the rows; None: a tenth of the range
        ax : as many axes as there are panels; None: those of a new figure
        """
        owner = cls.__name__
        need_matplotlib(owner)
        rows = read_classed(owner, X, y, width=2)
        if len(rows.labels) != 2:
            raise bad(owner, "y", "labels of two classes", Said(f"{len(rows.labels)}"), "Choose two of them.")
        grid = FeatureGrid.of(owner, X, grid_resolution, eps)
        found = margin_panels(owner, estimator, grid, X, y, C, gamma)
        return cls(x=grid.x, y=grid.y, panels=found, rows=rows, names=grid.pair).plot(ax=ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw.

        Parameters
        ----------
        ax : as many axes as there are panels; None: those of a new figure
        """
        shape = (len(self.panels), len(self.panels[0]))
        with panels(self._owner, ax, shape, (4.0 * shape[1], 3.6 * shape[0])) as axes:
            self.surfaces_: list[Any] = []
            self.frontiers_: list[Any] = []
            self.support_vectors_: list[Any] = []
            for row, line in zip(axes, self.panels, strict=True):
                for one, panel in zip(row, line, strict=True):
                    self._panel(one, panel)
            for row in axes:
                row[0].set_ylabel(self.names[1])
            for one in axes[-1]:
                one.set_xlabel(self.names[0])
            legend_beside(axes[0, -1], ax)
            self.axes_ = self.ax_ = axes
            self.figure_ = axes[0, 0].figure
        return self

    def _panel(self, ax: Any, panel: MarginPanel) -> None:
        shades = np.clip(panel.values, -FARTHEST, FARTHEST)
        limits = {"vmin": -FARTHEST, "vmax": FARTHEST, "cmap": _both_ways()}
        surface = ax.pcolormesh(self.x, self.y, shades, shading="gouraud", rasterized=True, **limits)
        lines = {"colors": INK, "linestyles": ["--", "-", "--"], "linewidths": [0.9, 1.4, 0.9]}
        self.frontiers_.append(_levels(ax, self.x, self.y, panel.values, lines))
        points = self.rows.columns.values
        draw_rows(ax, points, self.rows.codes, self.rows.labels, 16.0)
        ringed = points[panel.margins.support]
        rings = ax.scatter(
            *ringed.T, s=RING, facecolors="none", edgecolors=INK, linewidths=1.1, zorder=4, label="support vector"
        )
        told = f"{len(ringed)} support vectors, {panel.margins.inside} rows inside the margin"
        ax.set_title(f"C = {panel.C:g}, gamma = {panel.gamma:g}\n{told}", fontsize=9)
        ax.set(xlim=(self.x[0], self.x[-1]), ylim=(self.y[0], self.y[-1]))
        self.surfaces_.append(surface)
        self.support_vectors_.append(rings)


def _both_ways() -> Any:
    """From a light shade of the first class's colour over white to one of the second's."""
    from matplotlib.colors import LinearSegmentedColormap, to_rgb

    light = [LIGHT + (1.0 - LIGHT) * np.array(to_rgb(colour(k))) for k in (0, 1)]
    return LinearSegmentedColormap.from_list("classes", np.stack([light[0], np.ones(3), light[1]]))


def _levels(ax: Any, x: Array, y: Array, values: Array, style: dict[str, Any]) -> Any:
    """The frontier and the margins, those of them that lie in the picture."""
    levels = [level for level in (-1.0, 0.0, 1.0) if values.min() < level < values.max()]
    if not levels:
        return None
    place = [(-1.0, 0.0, 1.0).index(level) for level in levels]
    chosen = {name: given if isinstance(given, str) else [given[i] for i in place] for name, given in style.items()}
    return ax.contour(x, y, values, levels=levels, zorder=2, **chosen)
