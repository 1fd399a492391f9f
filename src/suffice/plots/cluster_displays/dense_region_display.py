"""DenseRegionDisplay: core, border and noise rows of a density clustering, in two columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.plots.canvas import canvas, need_matplotlib
from suffice.plots.display import Display
from suffice.plots.palette import REFUSED, colour

SIZES = {"core": 36.0, "border": 12.0, "noise": 18.0}


@dataclass(kw_only=True, eq=False, repr=False)
class DenseRegionDisplay(Display):
    """Large dots are core rows, small ones border rows, crosses noise; colours are clusters.

    Parameters
    ----------
    rows : two columns (n, 2)
    labels : cluster of each row, -1 for noise
    kinds : core, border or noise, row by row

    Attributes
    ----------
    points_ : kind -> its points
    ax_, figure_ : where it was drawn

    Examples
    --------
    >>> import numpy as np
    >>> from matplotlib.figure import Figure
    >>> from suffice import DBSCAN
    >>> from suffice.plots import DenseRegionDisplay
    >>> X = np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [9.0, 9.0]])
    >>> model = DBSCAN(eps=1.0, min_samples=3).fit(X)
    >>> sorted(DenseRegionDisplay.from_estimator(model, X, ax=Figure().subplots()).points_)
    ['border', 'core', 'noise']
    """

    rows: Array
    labels: Array
    kinds: Array

    @classmethod
    def from_estimator(cls, estimator: Any, X: Any, *, columns: tuple[int, int] = (0, 1), ax: Any = None) -> Self:
        """Draw the rows that a model was fitted to.

        Parameters
        ----------
        estimator : a fitted DBSCAN
        X : the rows of training
        columns : which two to draw
        ax : axes to draw on; None: those of a new figure
        """
        need_matplotlib(cls.__name__)
        kinds = getattr(estimator, "kinds_", None)
        if kinds is None:
            raise bad(cls.__name__, "estimator", "a fitted DBSCAN", estimator, "Fit it first.")
        rows = np.asarray(X, dtype=np.float64)
        if rows.ndim != 2 or len(rows) != len(kinds) or max(columns) >= rows.shape[1]:
            rule = f"the {len(kinds)} rows of training, with columns {columns}"
            raise bad(cls.__name__, "X", rule, Said(f"shape {rows.shape}"), "Give the rows of fit.")
        return cls(rows=rows[:, list(columns)], labels=np.asarray(estimator.labels_), kinds=kinds).plot(ax=ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw.

        Parameters
        ----------
        ax : axes to draw on; None: those of a new figure
        """
        with canvas(self._owner, ax) as axes:
            self.points_ = {}
            for kind, size in SIZES.items():
                mine = self.kinds == kind
                if not mine.any():
                    continue
                inks = [REFUSED if label < 0 else colour(int(label)) for label in self.labels[mine].tolist()]
                mark = "x" if kind == "noise" else "o"
                self.points_[kind] = axes.scatter(*self.rows[mine].T, s=size, c=inks, marker=mark, label=kind)
            axes.legend(loc="best")
            self._drawn(axes)
        return self
