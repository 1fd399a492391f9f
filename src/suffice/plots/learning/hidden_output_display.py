"""HiddenOutputDisplay: rows as two units of a hidden layer answer to them, coloured by class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from suffice.core.errors import Said, bad
from suffice.plots.canvas import canvas, legend, need_matplotlib
from suffice.plots.display import Display, class_text, need_reading, styled
from suffice.plots.palette import colour


@dataclass(kw_only=True, eq=False, repr=False)
class HiddenOutputDisplay(Display):
    """Points in the space of two hidden units: there the classes may be separable that were not before.

    Parameters
    ----------
    outputs : (n, 2) answers of two units
    y : one label a row; None: all rows are alike
    units : numbers of the two units

    Attributes
    ----------
    points_ : one a class
    ax_, figure_ : where it was drawn

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from suffice.plots import HiddenOutputDisplay
    >>> display = HiddenOutputDisplay(outputs=[[0.1, 0.9], [0.8, 0.2]], y=[0, 1]).plot(ax=Figure().subplots())
    >>> len(display.points_)
    2
    """

    outputs: Any
    y: Any = None
    units: tuple[int, int] = (0, 1)

    def __post_init__(self) -> None:
        """Refuse what are no points."""
        shape = np.shape(self.outputs)
        if len(shape) != 2 or shape[1] != 2 or (self.y is not None and len(self.y) != shape[0]):
            raise bad(self, "outputs", "two numbers a row, and y one label a row", Said(f"shape {shape}"))

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any = None, *, layer: int = -1, units: tuple[int, int] = (0, 1), ax: Any = None,
        **options: Any,
    ) -> Self:  # fmt: skip
        """Ask a net for its hidden outputs, and draw.

        Parameters
        ----------
        estimator : a fitted net, or one from a file
        X, y : rows, and their labels
        layer : which hidden layer, from 1; -1 is the last
        units : which two of its units
        ax : axes to draw on; None: those of a new figure
        options : as for `plot`
        """
        need_matplotlib(cls.__name__)
        need_reading(cls.__name__, estimator, "hidden_outputs", "net")
        hidden = estimator.hidden_outputs(X, layer)
        if len(units) != 2 or not all(0 <= unit < hidden.shape[1] for unit in units):
            raise bad(cls.__name__, "units", f"two of the {hidden.shape[1]} units, from 0", units)
        return cls(outputs=hidden[:, list(units)], y=y, units=units).plot(ax=ax, **options)

    def plot(self, ax: Any = None, *, point_kwargs: Mapping[str, Any] | None = None) -> Self:
        """Draw.

        Parameters
        ----------
        ax : axes to draw on; None: those of a new figure
        point_kwargs : keywords of matplotlib for the points
        """
        with canvas(self._owner, ax) as axes:
            points = np.asarray(self.outputs, dtype=np.float64)
            labels = np.zeros(len(points)) if self.y is None else np.asarray(self.y)
            self.points_: list[Any] = []
            for k, label in enumerate(np.unique(labels)):
                mine = points[labels == label]
                told = class_text(None if self.y is None else label)
                style = {"color": colour(k), "marker": "o", "linestyle": "", "label": told or None}
                self.points_ += axes.plot(mine[:, 0], mine[:, 1], **styled(style, point_kwargs))
            axes.set(xlabel=f"Hidden unit {self.units[0]}", ylabel=f"Hidden unit {self.units[1]}")
            legend(axes, "best")
            self._drawn(axes)
        return self
