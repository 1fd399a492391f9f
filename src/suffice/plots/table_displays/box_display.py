"""BoxDisplay: columns, or one column class by class, as boxes with whiskers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from suffice.core.errors import Said, bad
from suffice.plots.canvas import canvas, legend_beside, need_matplotlib
from suffice.plots.display import Display
from suffice.plots.numbers.box_numbers import LENGTHS, Box, boxes
from suffice.plots.numbers.classed_columns import read_classed
from suffice.plots.palette import INK, TINT, colour


@dataclass(kw_only=True, eq=False, repr=False)
class BoxDisplay(Display):
    """A box from the first to the third quartile with a line at the median; whiskers; values beyond them as points.

    Parameters
    ----------
    boxes : one for each column and class

    Attributes
    ----------
    artists_ : what matplotlib's `bxp` has drawn: boxes, medians, whiskers, caps, fliers
    ax_, figure_ : where it was drawn

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from suffice.plots import BoxDisplay
    >>> display = BoxDisplay.from_rows([1.0, 2.0, 3.0, 4.0, 100.0], ax=Figure().subplots())
    >>> display.artists_["medians"][0].get_ydata().tolist(), display.artists_["fliers"][0].get_ydata().tolist()
    ([3.0, 3.0], [100.0])
    """

    boxes: Sequence[Box]

    def __post_init__(self) -> None:
        """Refuse nothing to draw."""
        if not len(self.boxes):
            raise bad(self, "boxes", "at least one", Said("none"))

    @classmethod
    def from_rows(
        cls,
        X: Any,
        y: Any = None,
        *,
        reach: float = LENGTHS,
        sample_weight: Any = None,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Find quartiles, and draw.

        Parameters
        ----------
        X : one or more columns of numbers; missing cells are left out
        y : one label a row, for boxes class by class; None: all rows together
        reach : how many lengths of the box a whisker may reach
        sample_weight : one weight a row
        ax : axes to draw on; None: those of a new figure
        options : as for `plot`
        """
        need_matplotlib(cls.__name__)
        found = boxes(read_classed(cls.__name__, X, y, sample_weight), reach)
        return cls(boxes=found).plot(ax=ax, **options)

    def plot(self, ax: Any = None, *, orientation: str = "vertical") -> Self:
        """Draw.

        Parameters
        ----------
        ax : axes to draw on; None: those of a new figure
        orientation : "vertical" or "horizontal"
        """
        if orientation not in ("vertical", "horizontal"):
            raise bad(self._owner, "orientation", "'vertical' or 'horizontal'", orientation)
        upright = orientation == "vertical"
        names, labels = (
            list(dict.fromkeys(side)) for side in zip(*((b.name, b.label) for b in self.boxes), strict=True)
        )
        step = len(labels) + (len(labels) > 1)  # a gap between columns
        places = [step * names.index(box.name) + labels.index(box.label) for box in self.boxes]
        with canvas(self._owner, ax) as axes:
            style = {"patch_artist": True, "orientation": orientation, "medianprops": {"color": INK}}
            self.artists_ = axes.bxp([_stats(box) for box in self.boxes], places, widths=0.7, **style)
            self._paint(axes, [labels.index(box.label) for box in self.boxes], labels)
            middle = [step * j + (len(labels) - 1) / 2 for j in range(len(names))]
            (axes.set_xticks if upright else axes.set_yticks)(middle, names)
            if upright and sum(map(len, names)) > 60:
                axes.tick_params(axis="x", rotation=20)
            axes.set(**{"ylabel" if upright else "xlabel": "Value"})
            legend_beside(axes, ax)
            self._drawn(axes)
        return self

    def _paint(self, axes: Any, classes: list[int], labels: list[Any]) -> None:
        """Boxes in the colours of their classes, named once each."""
        named: set[int] = set()
        for k, patch in zip(classes, self.artists_["boxes"], strict=True):
            patch.set(facecolor=colour(k), alpha=2.0 * TINT)
            if labels[k] is not None and k not in named:
                patch.set_label(str(labels[k]))
                named.add(k)


def _stats(box: Box) -> dict[str, Any]:
    """As matplotlib calls the numbers of a box."""
    ends = {"whislo": box.low, "whishi": box.high, "q1": box.q1, "q3": box.q3}
    return {"med": box.median, "fliers": box.outside, **ends}
