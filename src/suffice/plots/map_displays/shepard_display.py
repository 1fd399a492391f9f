"""ShepardDisplay: distances in a map against those of the rows, pair by pair."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from suffice.core.errors import bad
from suffice.plots.canvas import canvas, need_matplotlib
from suffice.plots.display import Display, styled
from suffice.plots.palette import FAINT, colour
from suffice.projections import Shepard, shepard

MOST = 20_000  # pairs that are drawn: evenly chosen by rank


@dataclass(kw_only=True, eq=False, repr=False)
class ShepardDisplay(Display):
    """One point a pair of rows. On the dashed line distances are kept; a rising cloud keeps their order.

    Parameters
    ----------
    points : as `suffice.projections.shepard` gives them

    Attributes
    ----------
    points_, line_ : what was drawn
    ax_, figure_ : where it was drawn

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from suffice.plots import ShepardDisplay
    >>> X = [[0.0, 0.0], [3.0, 4.0], [6.0, 8.0]]
    >>> display = ShepardDisplay.from_rows(X, X, ax=Figure().subplots())
    >>> display.ax_.get_title()
    'Correlation of ranks 1.00'
    """

    points: Shepard

    def __post_init__(self) -> None:
        """Refuse what are no such points."""
        if not isinstance(self.points, Shepard):
            raise bad(self, "points", "what suffice.projections.shepard gives", self.points)

    @classmethod
    def from_rows(cls, X: Any, embedding: Any, *, metric: Any = "euclidean", ax: Any = None, **options: Any) -> Self:
        """Compare all pairs, and draw.

        Parameters
        ----------
        X : rows, or their distances with metric="precomputed"
        embedding : their places
        metric : the distance of the rows
        ax : axes to draw on; None: those of a new figure
        options : as for `plot`
        """
        need_matplotlib(cls.__name__)
        return cls(points=shepard(X, embedding, metric=metric)).plot(ax=ax, **options)

    def plot(self, ax: Any = None, *, point_kwargs: Mapping[str, Any] | None = None) -> Self:
        """Draw.

        Parameters
        ----------
        ax : axes to draw on; None: those of a new figure
        point_kwargs : keywords of matplotlib for the points
        """
        with canvas(self._owner, ax) as axes:
            m = len(self.points.given)
            some = np.unique(np.linspace(0, m - 1, min(m, MOST)).round().astype(int))
            style = {"color": colour(0), "marker": ".", "linestyle": "", "alpha": 0.3}
            given, found = self.points.given[some], self.points.found[some]
            (self.points_,) = axes.plot(given, found, **styled(style, point_kwargs))
            end = max(float(given.max(initial=0.0)), float(found.max(initial=0.0)))
            (self.line_,) = axes.plot([0, end], [0, end], color=FAINT, ls="--")
            axes.set(xlabel="Distance of the rows", ylabel="Distance in the map")
            axes.set_title(f"Correlation of ranks {self.points.correlation:.2f}")
            self._drawn(axes)
        return self
