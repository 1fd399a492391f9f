"""DescriptionDisplay: a panel a column, with a histogram of its numbers or bars of its most frequent values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from suffice.core.errors import Said, bad
from suffice.core.kinds import Kind, Storage
from suffice.features.describing.column_statistics import EPOCH, ColumnStatistics
from suffice.features.describing.table_description import TableDescription, describe
from suffice.plots.canvas import hide_spines, need_matplotlib, panels
from suffice.plots.display import Display
from suffice.plots.palette import colour

ACROSS = 4  # panels in a row
BARS = 20  # of a histogram
SHOWN = 8  # values that have a bar
LONGEST = 14  # letters of a value
MOST = 60  # panels: more are too small to be read


@dataclass(kw_only=True, eq=False, repr=False)
class DescriptionDisplay(Display):
    """What is in each column of a table, as `describe` found it; columns without a cell are left out.

    Parameters
    ----------
    description : what `suffice.describe` gave, which adds

    Attributes
    ----------
    bars_ : the drawn bars, column by column
    ax_, figure_ : where it was drawn: an array of axes, one a column

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from suffice import describe
    >>> from suffice.plots import DescriptionDisplay
    >>> told = describe({"age": [20.0, 30.0, 70.0], "site": ["north", "east", "north"]})
    >>> display = DescriptionDisplay(description=told).plot(Figure().subplots(2))
    >>> [label.get_text() for label in display.ax_[1].get_yticklabels()]
    ['north', 'east']
    """

    description: TableDescription

    @classmethod
    def from_rows(cls, X: Any, *, kinds: Any = None, sample_weight: Any = None, ax: Any = None) -> Self:
        """Describe a table, and draw.

        Parameters
        ----------
        X : as for `suffice.describe`, and so are kinds and sample_weight
        kinds : kinds of columns
        sample_weight : one weight a row
        ax : as many axes as there are columns; None: those of a new figure
        """
        need_matplotlib(cls.__name__)
        return cls(description=describe(X, kinds, sample_weight)).plot(ax)

    @property
    def columns(self) -> list[ColumnStatistics]:
        """Those that are drawn."""
        found = [c for c in self.description.columns.values() if len(c.kept.parts) > 1 and c.distinct]
        if not found:
            raise bad(self._owner, "description", "of a column with cells", Said("none"))
        return found[:MOST]

    def plot(self, ax: Any = None) -> Self:
        """Draw.

        Parameters
        ----------
        ax : as many axes as there are columns; None: those of a new figure
        """
        columns = self.columns
        n = len(columns)
        across = min(ACROSS, n) if ax is None else n
        self.bars_: list[Any] = []
        with panels(self._owner, ax, (-(-n // across), across)) as grid:
            axes = grid.ravel()
            for one, column in zip(axes, columns, strict=False):
                draw = _numbers if column.kind.storage is Storage.NUMBERS else _values
                self.bars_.append(draw(one, column))
                one.set_title(_short(column.name), fontsize="medium", parse_math=False)
                hide_spines(one)
            for one in axes[n:]:
                one.set_visible(False)
            self.ax_, self.figure_ = axes[:n], axes[0].figure
        return self

    def draw(self, figure: Any) -> Self:
        """Draw on a figure that has no axes yet."""
        n = len(self.columns)
        across = min(ACROSS, n)
        down = -(-n // across)
        figure.set_size_inches(3.4 * across, 2.6 * down)
        axes = figure.subplots(down, across, squeeze=False).ravel()
        for one in axes[n:]:
            one.set_visible(False)
        return self.plot(axes[:n])


def _numbers(axes: Any, column: ColumnStatistics) -> Any:
    heights, edges = column.histogram(min(BARS, max(column.distinct, 1)))
    if column.kind is Kind.DATE:
        edges = np.array([np.datetime64(EPOCH) + np.timedelta64(round(day * 86400), "s") for day in edges.tolist()])
        axes.tick_params(axis="x", rotation=30)
    axes.set(ylabel="Rows")
    return axes.bar(edges[:-1], heights, width=np.diff(edges), align="edge", color=colour(0), edgecolor="white")


def _values(axes: Any, column: ColumnStatistics) -> Any:
    if column.order is not None:
        order = np.arange(min(column.distinct, SHOWN))
    else:
        order = np.argsort(-column.weights, kind="stable")[:SHOWN]
    drawn = axes.barh(range(len(order)), column.weights[order], color=colour(1))
    axes.set_yticks(range(len(order)), [_short(column.values[i]) for i in order.tolist()], parse_math=False)
    axes.invert_yaxis()
    axes.set(xlabel="Times" if column.kind is Kind.TEXT else "Rows")
    return drawn


def _short(value: Any) -> str:
    """A value as text that leaves room for the bars."""
    text = str(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
