"""UnitGridDisplay: a number of each unit of a self-organising map: distances to neighbours, a component, hits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from suffice.core.errors import Said, bad
from suffice.plots.canvas import canvas, need_matplotlib
from suffice.plots.display import Display, need_reading
from suffice.plots.palette import INK, RISING

COLOURS = 3  # red, green, blue


@dataclass(kw_only=True, eq=False, repr=False)
class UnitGridDisplay(Display):
    """The units of a grid as cells, shaded by a number, with a label in each where there is one.

    Parameters
    ----------
    values : (rows, columns); or (rows, columns, 3), red, green and blue from 0 to 1
    labels : (rows, columns) texts or None; None: no labels
    title : what the numbers are

    Attributes
    ----------
    image_, texts_ : what was drawn
    ax_, figure_ : where it was drawn

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from suffice.plots import UnitGridDisplay
    >>> display = UnitGridDisplay(values=[[0.1, 0.9], [0.2, 0.4]], labels=[["a", None], [None, "b"]])
    >>> [text.get_text() for text in display.plot(ax=Figure().subplots()).texts_]
    ['a', 'b']
    """

    values: Any
    labels: Any = None
    title: str = ""

    def __post_init__(self) -> None:
        """Refuse what is no grid."""
        shape = np.shape(self.values)
        if 0 in shape or not (len(shape) == 2 or (len(shape) == 3 and shape[2] == COLOURS)):
            raise bad(self, "values", "one number a unit, in rows and columns", Said(f"shape {shape}"))
        if self.labels is not None and np.shape(np.array(self.labels, dtype=object)) != shape[:2]:
            raise bad(self, "labels", f"one a unit, {shape[0]} rows of {shape[1]}", self.labels)

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any = None, y: Any = None, *, of: Any = "distances", ax: Any = None, **options: Any
    ) -> Self:
        """Read the numbers from a fitted map, and draw.

        Parameters
        ----------
        estimator : a fitted `SelfOrganizingMap`, or one from a file
        X, y : rows and labels, of which each unit shows the commonest; None: no labels
        of : "distances" (mean distance to the neighbours: ridges divide clusters), "hits" (rows of X for which a unit
            is best), "colours" (weights of three columns as red, green and blue, from 0 to 1), or the number of a
            column, whose plane is drawn
        ax : axes to draw on; None: those of a new figure
        options : as for `plot`
        """
        need_matplotlib(cls.__name__)
        need_reading(cls.__name__, estimator, "distance_map", "SelfOrganizingMap")
        labels = None if y is None else estimator.label_grid(X, y)
        if isinstance(of, str) and of == "distances":
            values, title = estimator.distance_map(), "Mean distance to the neighbours"
        elif isinstance(of, str) and of == "hits":
            if X is None:
                raise bad(cls.__name__, "X", "rows to count", X, "Pass them, or draw of='distances'.")
            values, title = estimator.hits(X), "Rows"
        elif isinstance(of, str) and of == "colours":
            values, title = estimator.weights_, "Weights as colours"
            if values.shape[2] != COLOURS:
                raise bad(cls.__name__, "of", "'colours' of three columns only", Said(f"{values.shape[2]} columns"))
        else:
            weights = estimator.weights_
            if isinstance(of, str) or not 0 <= of < weights.shape[2]:
                rule = f"'distances', 'hits', 'colours', or the number of a column, 0 to {weights.shape[2] - 1}"
                raise bad(cls.__name__, "of", rule, of)
            values, title = weights[:, :, of], f"Column {of}"
        return cls(values=values, labels=labels, title=title).plot(ax=ax, **options)

    def plot(self, ax: Any = None, *, cmap: Any = RISING) -> Self:
        """Draw.

        Parameters
        ----------
        ax : axes to draw on; None: those of a new figure
        cmap : colours from little to much
        """
        with canvas(self._owner, ax) as axes:
            values = np.asarray(self.values, dtype=np.float64)
            coloured = values.ndim > 2
            self.image_ = axes.imshow(values.clip(0.0, 1.0) if coloured else values, cmap=cmap, origin="upper")
            if not coloured:
                axes.figure.colorbar(self.image_, ax=axes)
            self.texts_: list[Any] = []
            for i, row in enumerate([] if self.labels is None else self.labels):
                for j, label in enumerate(row):
                    if label is not None:
                        box = {"facecolor": "white", "alpha": 0.6, "edgecolor": "none", "pad": 1}
                        self.texts_.append(axes.text(j, i, str(label), ha="center", va="center", color=INK, bbox=box))
            axes.set(xticks=[], yticks=[], title=self.title)
            self._drawn(axes)
        return self
