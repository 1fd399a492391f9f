"""HistogramDisplay: columns as bars, overlaid in one picture or one panel each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from suffice.core.errors import Said, bad
from suffice.plots.canvas import canvas, legend, legend_beside, need_matplotlib, panels
from suffice.plots.display import Display, class_text
from suffice.plots.numbers.bars import Bars, histogram_bars
from suffice.plots.numbers.classed_columns import read_classed
from suffice.plots.palette import INK, colour, line

ACROSS = 4  # panels in a row


@dataclass(kw_only=True, eq=False, repr=False)
class HistogramDisplay(Display):
    """Histograms of one or more columns, for all rows or class by class.

    Parameters
    ----------
    bars : bins, densities and weights of each column

    Attributes
    ----------
    stairs_ : the drawn bars, column by column and class by class
    modal_ : marks of the modal bins; none where they are not drawn
    ax_, figure_ : where it was drawn; an array of axes where there are panels

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from suffice.families import FixedWidth
    >>> from suffice.plots import HistogramDisplay
    >>> x = [0.2, 0.7, 2.5, 2.6, 2.7]
    >>> display = HistogramDisplay.from_rows(x, cuts=FixedWidth(1.0), density=False, ax=Figure().subplots())
    >>> display.stairs_[0].get_data().values, display.bars[0].modal()
    (array([2., 0., 3.]), (2.0, 3.0))
    """

    bars: Sequence[Bars]

    def __post_init__(self) -> None:
        """Refuse nothing to draw."""
        if not len(self.bars):
            raise bad(self, "bars", "of at least one column", Said("none"))

    @classmethod
    def from_rows(
        cls, X: Any, y: Any = None, *, cuts: Any = None, sample_weight: Any = None, ax: Any = None, **options: Any
    ) -> Self:
        """Count rows in bins, and draw.

        Parameters
        ----------
        X : one or more columns of numbers; missing cells are left out
        y : one label a row, for bars class by class; None: all rows together
        cuts : `FixedWidth(width, origin)`, `EqualWidth(bins)` or `EqualFrequency(bins)`; None: 10 of equal width
        sample_weight : one weight a row
        ax : axes to draw on; None: those of a new figure
        options : as for `plot`
        """
        need_matplotlib(cls.__name__)
        return cls(bars=histogram_bars(read_classed(cls.__name__, X, y, sample_weight), cuts)).plot(ax=ax, **options)

    def plot(
        self,
        ax: Any = None,
        *,
        each: bool = False,
        density: bool = True,
        plot_modal: bool = False,
        alpha: float = 0.5,
    ) -> Self:
        """Draw.

        Parameters
        ----------
        ax : axes to draw on, or, with `each`, as many as there are columns; None: those of a new figure
        each : whether each column has a panel of its own; otherwise all are overlaid in one
        density : whether bars are densities, whose area is 1 for each class, or weights of rows
        plot_modal : whether to mark the bin in which rows are densest
        alpha : opacity of the bars
        """
        self.stairs_: list[Any] = []
        self.modal_: list[Any] = []
        n = len(self.bars)
        if not each:
            with canvas(self._owner, ax) as axes:
                for bars in self.bars:
                    self._column(axes, bars, density, plot_modal, alpha, n == 1)
                self._label(axes, self.bars[0].name if n == 1 else "value", density)
                self._drawn(axes)
            return self
        across = min(ACROSS, n) if ax is None else n
        with panels(self._owner, ax, (1, n) if ax is not None else (-(-n // across), across)) as grid:
            for one, bars in zip(grid.ravel(), self.bars, strict=False):
                self._column(one, bars, density, plot_modal, alpha, True)
                one.set(xlabel=bars.name, ylabel="Density" if density else "Rows")
            legend_beside(grid[0, -1], ax)
            for one in grid.ravel()[n:]:
                one.set_visible(False)
            self.ax_ = self.axes_ = grid
            self.figure_ = grid[0, 0].figure
        return self

    def _column(self, axes: Any, bars: Bars, density: bool, modal: bool, alpha: float, one: bool) -> None:
        for k, label in enumerate(bars.labels):
            number = len(axes.patches)
            heights = (bars.density if density else bars.weight)[k]
            style = {"color": colour(number), "ec": colour(number), "ls": line(number), "alpha": alpha, "fill": True}
            told = self._told(bars, label, one)
            self.stairs_.append(axes.stairs(heights, bars.edges, label=told, **style))
            if modal:
                low, high = bars.modal(k)
                (mark,) = axes.plot((low, high), (heights.max(),) * 2, color=INK, lw=3, solid_capstyle="butt")
                mark.set_label(f"modal bin {low:g} to {high:g}")
                self.modal_.append(mark)

    def _told(self, bars: Bars, label: Any, alone: bool) -> str | None:
        """Column, class, or both, as far as there are several in one panel."""
        parts = [bars.name] if not alone else []
        return ", ".join([*parts, *([class_text(label)] if label is not None else [])]) or None

    def _label(self, axes: Any, name: str, density: bool) -> None:
        axes.set(xlabel=name, ylabel="Density" if density else "Rows")
        legend(axes)
