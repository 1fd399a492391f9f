"""ProbabilitySurfaceDisplay: predicted probability over two features, as a surface, with rows at height 0 or 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.evaluation.scores.classifier_answers import class_names, place_of
from suffice.evaluation.scores.scored_rows import is_label
from suffice.plots.canvas import SOLID, canvas, legend, need_matplotlib
from suffice.plots.display import Display
from suffice.plots.numbers.classed_columns import read_classed
from suffice.plots.numbers.feature_grid import FeatureGrid
from suffice.plots.palette import INK, RISING, colour, marker


@dataclass(kw_only=True, eq=False, repr=False)
class ProbabilitySurfaceDisplay(Display):
    """The probability of one class over two features, in 3-D.

    Parameters
    ----------
    x, y : (g,), (h,) values of the two features
    proba : (h, g) probability of the class at each pair
    points : (n, 2) rows; None: none are drawn
    hits : (n,) which of them are of the class, and are drawn at height 1
    names : of the two features
    pos_label : the class

    Attributes
    ----------
    surface_ : the surface
    rows_ : points of the rows of the other classes, and of the class
    ax_, figure_ : where it was drawn

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from suffice import GaussianNB
    >>> from suffice.plots import ProbabilitySurfaceDisplay
    >>> X, y = [[0.0, 0.0], [1.0, 1.0], [4.0, 4.0], [5.0, 5.0]], [0, 0, 1, 1]
    >>> ax = Figure().add_subplot(projection="3d")
    >>> display = ProbabilitySurfaceDisplay.from_estimator(GaussianNB().fit(X, y), X, y, grid_resolution=5, ax=ax)
    >>> display.proba.shape, display.ax_.get_zlabel()
    ((5, 5), 'p(1 | x)')
    """

    x: Array
    y: Array
    proba: Array
    points: Array | None = None
    hits: Array | None = None
    names: tuple[str, str] = ("x0", "x1")
    pos_label: Any = None

    def __post_init__(self) -> None:
        """Refuse a table that does not fit the axes, or rows without a height."""
        self.x, self.y, self.proba = (np.asarray(side, dtype=np.float64) for side in (self.x, self.y, self.proba))
        if self.proba.shape != (len(self.y), len(self.x)):
            rule = f"of shape {(len(self.y), len(self.x))}, a row for each y and a column for each x"
            raise bad(self, "proba", rule, Said(f"shape {self.proba.shape}"))
        if self.points is not None and (self.hits is None or len(self.hits) != len(self.points)):
            raise bad(self, "hits", "one for each of the points", self.hits)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any = None,
        *,
        pos_label: Any = None,
        grid_resolution: int = 40,
        eps: float | None = None,
        xlabel: str | None = None,
        ylabel: str | None = None,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Ask a fitted classifier over the range of the rows, and draw.

        Parameters
        ----------
        estimator : a fitted classifier with `predict_proba`, ours or scikit-learn's
        X : rows of two features
        y : their labels; None: the rows are not drawn
        pos_label : the class whose probability is drawn; None: the second of two
        grid_resolution : number of values of each feature
        eps : how far to go beyond the rows; None: a tenth of the range
        xlabel, ylabel : names of the features; None: those of the table
        ax : axes in 3-D; None: those of a new figure
        options : as for `plot`
        """
        need_matplotlib(cls.__name__)
        classes = class_names(cls.__name__, estimator)
        k = place_of(cls.__name__, pos_label, classes)
        grid = FeatureGrid.of(cls.__name__, X, grid_resolution, eps)
        proba = grid.ask(estimator.predict_proba)[:, :, k]
        points, hits = None, None
        if y is not None:
            rows = read_classed(cls.__name__, X, y, width=2)
            points, hits = rows.columns.values, is_label(y, classes[k])
        own = grid.pair
        display = cls(
            x=grid.x,
            y=grid.y,
            proba=proba,
            points=points,
            hits=hits,
            names=(xlabel or own[0], ylabel or own[1]),
            pos_label=classes[k],
        )
        return display.plot(ax=ax, **options)

    def plot(self, ax: Any = None, *, cmap: Any = RISING, alpha: float = 0.75, view: Any = (25, -60)) -> Self:
        """Draw.

        Parameters
        ----------
        ax : axes in 3-D, made with projection="3d"; None: those of a new figure
        cmap : map of colours
        alpha : opacity of the surface
        view : elevation and azimuth of the eye, in degrees
        """
        with canvas(self._owner, ax, SOLID, (6.4, 5.4)) as axes:
            across, up = np.meshgrid(self.x, self.y)
            style = {"cmap": cmap, "vmin": 0.0, "vmax": 1.0, "alpha": alpha, "linewidth": 0.0}
            self.surface_ = axes.plot_surface(across, up, self.proba, rstride=1, cstride=1, **style)
            self.rows_ = [] if self.points is None else [self._rows(axes, self.points, height) for height in (0, 1)]
            what = "class" if self.pos_label is None else self.pos_label
            axes.set(xlabel=self.names[0], ylabel=self.names[1], zlabel=f"p({what} | x)", zlim=(0.0, 1.0))
            axes.view_init(*view)
            legend(axes, "upper left")
            self._drawn(axes)
        return self

    def _rows(self, axes: Any, points: Array, height: int) -> Any:
        """The rows of the class at height 1, all others at 0."""
        mine = points[np.asarray(self.hits, dtype=bool) == bool(height)]
        what = "the class" if self.pos_label is None else str(self.pos_label)
        style = {"color": colour(height), "marker": marker(height), "edgecolors": INK, "linewidths": 0.4}
        label = what if height else f"not {what}"
        heights = np.full(len(mine), float(height))
        return axes.scatter(mine[:, 0], mine[:, 1], heights, label=label, depthshade=False, **style)
