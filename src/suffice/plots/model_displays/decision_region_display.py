"""DecisionRegionDisplay: what is answered over two features, and where an answer is refused."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, Self

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.decision.decide.decision import REFUSE
from suffice.evaluation.scores.classifier_answers import answers, class_names, drawn_answers
from suffice.plots.canvas import canvas, legend_beside, need_matplotlib
from suffice.plots.class_points import draw_rows, in_classes, patches
from suffice.plots.display import Display
from suffice.plots.numbers.classed_columns import ClassedColumns, read_classed
from suffice.plots.numbers.feature_grid import FeatureGrid
from suffice.plots.palette import INK, REFUSED, TINT, colour


@dataclass(kw_only=True, eq=False, repr=False)
class DecisionRegionDisplay(Display):
    """The regions of two features in which each class is answered, with the refused region hatched.

    Parameters
    ----------
    x, y : (g,), (h,) values of the two features
    codes : (h, g) number of the class answered at each pair, -1 where refused
    classes : names of the classes
    rows : rows to draw, read by `read_classed`; None: none
    names : of the two features

    Attributes
    ----------
    mesh_ : the coloured cells
    frontiers_ : lines between the regions
    rows_ : points of the rows, class by class
    ax_, figure_ : where it was drawn

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from suffice import GaussianNB
    >>> from suffice.plots import DecisionRegionDisplay
    >>> X, y = [[0.0, 0.0], [1.0, 1.0], [4.0, 4.0], [5.0, 5.0]], ["a", "a", "b", "b"]
    >>> model = GaussianNB().fit(X, y)
    >>> ax = Figure().subplots()
    >>> display = DecisionRegionDisplay.from_estimator(model, X, y, at_least=0.99, grid_resolution=11, ax=ax)
    >>> display.codes.diagonal()
    array([ 0,  0,  0,  0,  0, -1,  1,  1,  1,  1,  1])
    """

    x: Array
    y: Array
    codes: Array
    classes: tuple[Any, ...]
    rows: ClassedColumns | None = None
    names: tuple[str, str] = ("x0", "x1")
    frontiers: bool = True

    def __post_init__(self) -> None:
        """Refuse a table that does not fit the axes."""
        self.x, self.y, self.codes = np.asarray(self.x), np.asarray(self.y), np.asarray(self.codes)
        if self.codes.shape != (len(self.y), len(self.x)):
            rule = f"of shape {(len(self.y), len(self.x))}, a row for each y and a column for each x"
            raise bad(self, "codes", rule, Said(f"shape {self.codes.shape}"))
        if self.codes.min() < REFUSE or self.codes.max() >= len(self.classes):
            rule = f"numbers of the {len(self.classes)} classes, from 0, or -1"
            raise bad(self, "codes", rule, Said(f"{int(self.codes.min())} to {int(self.codes.max())}"))

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any = None,
        *,
        prior: Any = None,
        costs: Any = None,
        reject: Any = None,
        at_least: Any = None,
        draw: bool = False,
        random_state: Any = None,
        grid_resolution: int = 200,
        eps: float | None = None,
        xlabel: str | None = None,
        ylabel: str | None = None,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Ask a fitted classifier over the range of the rows, and draw.

        Parameters
        ----------
        estimator : a fitted classifier, ours or scikit-learn's; `Decide` shows what it refuses
        X : rows of two features
        y : their labels; None: the rows are drawn without a class
        prior, costs, reject, at_least : how to decide, as in `Decide`; all None is what the classifier predicts
        draw : show at each point a class drawn by its probability: how sure the classifier is shows as noise
        random_state : seed of these draws
        grid_resolution : number of values of each feature
        eps : how far to go beyond the rows; None: a tenth of the range
        xlabel, ylabel : names of the features; None: those of the table
        ax : axes to draw on; None: those of a new figure
        options : as for `plot`
        """
        owner = cls.__name__
        need_matplotlib(owner)
        wishes = {"prior": prior, "costs": costs, "reject": reject, "at_least": at_least}
        if draw and any(wish is not None for wish in wishes.values()):
            raise bad(owner, "draw", "False where a decision is asked for", True, "Draw classes, or decide.")
        ask = partial(drawn_answers, random_state=random_state) if draw else partial(answers, **wishes)
        classes = class_names(owner, estimator, "predict")
        grid = FeatureGrid.of(owner, X, grid_resolution, eps)
        codes = grid.ask(lambda table: ask(owner, estimator, table))
        own = grid.pair
        rows = read_classed(owner, X, y, width=2)
        display = cls(
            x=grid.x,
            y=grid.y,
            codes=codes,
            classes=classes,
            rows=rows,
            names=(xlabel or own[0], ylabel or own[1]),
            frontiers=not draw,
        )
        return display.plot(ax=ax, **options)

    def plot(self, ax: Any = None, *, plot_rows: bool = True, alpha: float = TINT) -> Self:
        """Draw.

        Parameters
        ----------
        ax : axes to draw on; None: those of a new figure
        plot_rows : whether to draw the rows
        alpha : opacity of the regions
        """
        with canvas(self._owner, ax) as axes:
            self.mesh_ = self._mesh(axes, alpha)
            self.frontiers_ = self._frontiers(axes) if self.frontiers else []
            codes, every = in_classes(self.rows if plot_rows else None, self.classes)
            self.rows_ = []
            if plot_rows and self.rows is not None:
                points = self.rows.columns.values
                self.rows_ = draw_rows(axes, points, codes, every)
                axes.scatter(*points[codes < 0].T, s=16.0, color=INK, zorder=3)
            axes.set(xlabel=self.names[0], ylabel=self.names[1])
            axes.set(xlim=(self.x[0], self.x[-1]), ylim=(self.y[0], self.y[-1]))
            self._legend(axes, ax)
            self._drawn(axes)
        return self

    def _mesh(self, axes: Any, alpha: float) -> Any:
        from matplotlib.colors import ListedColormap

        shades = ListedColormap([REFUSED, *map(colour, range(len(self.classes)))])
        limits = {"vmin": -1.5, "vmax": len(self.classes) - 0.5}
        style = {"cmap": shades, "alpha": alpha, "shading": "nearest", "rasterized": True, "zorder": 0}
        return axes.pcolormesh(self.x, self.y, self.codes, **limits, **style)

    def _frontiers(self, axes: Any) -> list[Any]:
        """A line around each region that does not fill everything; the refused one is hatched."""
        lines = []
        for k in range(REFUSE, len(self.classes)):
            mine = (self.codes == k).astype(np.float64)
            if not 0.0 < mine.mean() < 1.0:
                continue
            lines.append(axes.contour(self.x, self.y, mine, levels=[0.5], colors=INK, linewidths=0.8, zorder=1))
            if k == REFUSE:
                axes.contourf(self.x, self.y, mine, levels=[0.5, 1.5], colors="none", hatches=["///"], zorder=1)
        return lines

    def _legend(self, axes: Any, ax: Any) -> None:
        handles = patches(self.classes, bool((self.codes == REFUSE).any()))
        if self.rows_ and self.rows is not None and self.rows.labels != (None,):
            handles = [*self.rows_, *handles[len(self.classes) :]]
        legend_beside(axes, ax, handles)
