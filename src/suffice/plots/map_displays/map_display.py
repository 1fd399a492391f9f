"""MapDisplay: rows where a map has placed them, coloured by class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from suffice.core.errors import Said, bad
from suffice.plots.canvas import canvas, legend, need_matplotlib
from suffice.plots.display import Display, class_text, styled
from suffice.plots.palette import colour, marker
from suffice.projections import shepard


@dataclass(kw_only=True, eq=False, repr=False)
class MapDisplay(Display):
    """Places of rows in a plane; says above the picture where distances should not be read from it.

    Parameters
    ----------
    places : (n, 2)
    y : one label a row; None: all rows are alike
    warning : what is said above; empty: nothing

    Attributes
    ----------
    points_ : one a class
    ax_, figure_ : where it was drawn

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from suffice.plots import MapDisplay
    >>> len(MapDisplay(places=[[0, 1], [2, 3]], y=["a", "b"]).plot(ax=Figure().subplots()).points_)
    2
    """

    places: Any
    y: Any = None
    warning: str = ""

    def __post_init__(self) -> None:
        """Refuse what are no places."""
        shape = np.shape(self.places)
        if len(shape) != 2 or shape[1] != 2 or (self.y is not None and len(self.y) != shape[0]):
            raise bad(self, "places", "two numbers a row, and y one label a row", Said(f"shape {shape}"))

    @classmethod
    def from_estimator(cls, estimator: Any, X: Any, y: Any = None, *, ax: Any = None, **options: Any) -> Self:
        """Draw the map of a fitted model: where it placed the rows it learned from, or where it maps others to.

        Parameters
        ----------
        estimator : a fitted map (`embedding_`), or a transformer of two components or more, of which two are drawn
        X, y : rows, and their labels
        ax : axes to draw on; None: those of a new figure
        options : as for `plot`
        """
        need_matplotlib(cls.__name__)
        placed = getattr(estimator, "embedding_", None)
        if placed is None or len(placed) != len(X):
            if not hasattr(estimator, "transform"):
                remedy = "Give the rows it learned from, or places from place(X)."
                raise bad(cls.__name__, "X", "the rows of the map", Said(f"{len(X)} rows"), remedy)
            placed = estimator.transform(X)
        places = np.asarray(placed)
        if places.ndim != 2 or places.shape[1] < 2:
            raise bad(cls.__name__, "estimator", "one that maps to a plane", Said(f"places of shape {places.shape}"))
        return cls(places=places[:, :2], y=y, warning=shepard(X, places).warning).plot(ax=ax, **options)

    def plot(self, ax: Any = None, *, point_kwargs: Mapping[str, Any] | None = None) -> Self:
        """Draw.

        Parameters
        ----------
        ax : axes to draw on; None: those of a new figure
        point_kwargs : keywords of matplotlib for the points
        """
        with canvas(self._owner, ax) as axes:
            places = np.asarray(self.places, dtype=np.float64)
            labels = np.zeros(len(places)) if self.y is None else np.asarray(self.y)
            self.points_: list[Any] = []
            for k, label in enumerate(np.unique(labels)):
                mine, told = places[labels == label], class_text(None if self.y is None else label)
                style = {"color": colour(k), "marker": marker(k), "linestyle": "", "label": told or None, "alpha": 0.8}
                self.points_ += axes.plot(mine[:, 0], mine[:, 1], **styled(style, point_kwargs))
            axes.set(aspect="equal", xticks=[], yticks=[])
            if self.warning:
                axes.set_title(self.warning, fontsize="small", wrap=True)
            legend(axes, "best")
            self._drawn(axes)
        return self
