"""Display: what all pictures share. They follow scikit-learn's: made from numbers, drawn by `plot`, kept in attributes.

The constructor takes the numbers, keyword by keyword; `from_estimator`, `from_predictions` or `from_rows` compute them
and draw at once. `plot(ax=None)` draws on the given axes or on a new figure and returns the display.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from suffice.plots.palette import INK, colour


class Display:
    """A picture: `ax_` and `figure_` are there once it has been drawn."""

    ax_: Any  # the axes; an array of them where there are panels
    figure_: Any

    @property
    def _owner(self) -> str:
        return type(self).__name__

    def _drawn(self, ax: Any) -> None:
        self.ax_, self.figure_ = ax, ax.figure


def styled(defaults: Mapping[str, Any], given: Mapping[str, Any] | None) -> dict[str, Any]:
    """Keywords of an artist: ours, unless the user gives others, in short names too."""
    own = {SHORT.get(name, name): value for name, value in (given or {}).items()}
    return {**defaults, **own}


SHORT = {"c": "color", "ls": "linestyle", "lw": "linewidth", "ms": "markersize", "mec": "markeredgecolor"}


def scored(name: str | None, short: str, value: float) -> str:
    """A legend entry: who, and how good."""
    return f"{name} ({short} = {value:.2f})" if name else f"{short} = {value:.2f}"


def marked(axes: Any, x: float, y: float, label: str, k: int) -> Any:
    """A point of interest on a curve, in the k-th colour."""
    (point,) = axes.plot(x, y, ls="", marker="o", label=label, color=colour(k), markeredgecolor=INK, zorder=4)
    return point


def class_text(label: Any) -> str:
    """A class in a legend; nothing where rows have none."""
    return "" if label is None else str(label)
