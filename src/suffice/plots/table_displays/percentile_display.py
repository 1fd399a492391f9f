"""PercentileDisplay: the empirical cumulative distribution of a column, with quartiles and mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from suffice.core.errors import Said, bad
from suffice.plots.canvas import canvas, legend, need_matplotlib
from suffice.plots.display import Display, class_text, next_place, styled
from suffice.plots.numbers.classed_columns import read_classed
from suffice.plots.numbers.percentiles import QUARTERS, Percentiles
from suffice.plots.palette import FAINT, INK, colour, line


@dataclass(kw_only=True, eq=False, repr=False)
class PercentileDisplay(Display):
    """The percentage of rows with at most each value, in steps.

    Parameters
    ----------
    percentiles : of all rows, or of each class
    labels : names of the classes; None: there are none
    name : of the column

    Attributes
    ----------
    lines_ : steps of the classes
    quartiles_, means_ : marks; none where they are not drawn
    ax_, figure_ : where it was drawn

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from suffice.plots import PercentileDisplay
    >>> display = PercentileDisplay.from_rows([3.0, 1.0, 2.0, 2.0], ax=Figure().subplots())
    >>> display.lines_[0].get_xdata().tolist(), display.lines_[0].get_ydata().tolist()
    ([1.0, 1.0, 2.0, 3.0], [0.0, 25.0, 75.0, 100.0])
    """

    percentiles: Sequence[Percentiles]
    labels: Sequence[Any] | None = None
    name: str = "value"

    def __post_init__(self) -> None:
        """Refuse nothing to draw."""
        if not len(self.percentiles) or (self.labels is not None and len(self.labels) != len(self.percentiles)):
            raise bad(self, "percentiles", "those of each label, at least one", Said(str(len(self.percentiles))))

    @classmethod
    def from_rows(cls, X: Any, y: Any = None, *, sample_weight: Any = None, ax: Any = None, **options: Any) -> Self:
        """Rank the values of a column, and draw.

        Parameters
        ----------
        X : one column of numbers; missing cells are left out
        y : one label a row, for a line a class; None: all rows together
        sample_weight : one weight a row
        ax : axes to draw on; None: those of a new figure
        options : as for `plot`
        """
        need_matplotlib(cls.__name__)
        rows = read_classed(cls.__name__, X, y, sample_weight, width=1)
        column, w = rows.columns.values[:, 0], rows.weights
        mine = [rows.codes == k for k in range(len(rows.labels))]
        found = [Percentiles.of(column[some], None if w is None else w[some]) for some in mine]
        labels = None if rows.labels == (None,) else rows.labels
        return cls(percentiles=found, labels=labels, name=rows.columns.names[0]).plot(ax=ax, **options)

    def plot(
        self,
        ax: Any = None,
        *,
        plot_quartiles: bool = True,
        plot_mean: bool = True,
        curve_kwargs: Mapping[str, Any] | None = None,
    ) -> Self:
        """Draw.

        Parameters
        ----------
        ax : axes to draw on; None: those of a new figure
        plot_quartiles : whether to mark the quartiles
        plot_mean : whether to mark the mean, which the curve does not tell
        curve_kwargs : keywords of matplotlib for the lines
        """
        with canvas(self._owner, ax) as axes:
            self.lines_: list[Any] = []
            self.quartiles_: list[Any] = []
            self.means_: list[Any] = []
            first = next_place(axes)
            for k, found in enumerate(self.percentiles):
                self._one(axes, k, first, found, plot_quartiles, plot_mean, curve_kwargs)
            axes.set(xlabel=self.name, ylabel="Percentage of rows at or below", ylim=(0.0, 102.0))
            for quarter in QUARTERS:
                axes.axhline(100.0 * quarter, color=FAINT, lw=0.4, zorder=0)
            legend(axes, "lower right")
            self._drawn(axes)
        return self

    def _one(self, axes: Any, k: int, first: int, found: Percentiles, quartiles: bool, mean: bool, given: Any) -> None:
        x = np.concatenate([found.values[:1], found.values])
        y = 100.0 * np.concatenate([[0.0], found.share])
        told = "" if self.labels is None else class_text(self.labels[k])
        style = {"color": colour(first + k), "linestyle": line(k), "drawstyle": "steps-post", "label": told or None}
        self.lines_.extend(axes.plot(x, y, **styled(style, given)))
        before = f"{told}: " if told else ""
        mark = {"color": colour(first + k), "markeredgecolor": INK, "linestyle": ""}
        if quartiles:
            label = before + "quartiles " + ", ".join(f"{value:g}" for value in found.quartiles)
            self.quartiles_.extend(
                axes.plot(found.quartiles, 100.0 * np.array(QUARTERS), marker="s", label=label, **mark)
            )
        if mean:
            label, height = before + f"mean {found.mean:.6g}", 100.0 * float(found.at(found.mean))
            self.means_.extend(axes.plot(found.mean, height, marker="D", label=label, **mark))
