"""Display: what all pictures share. They follow scikit-learn's: made from numbers, drawn by `plot`, kept in attributes.

The constructor takes the numbers, keyword by keyword; `from_estimator`, `from_predictions` or `from_rows` compute them
and draw at once. `plot(ax=None)` draws on the given axes or on a new figure and returns the display.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from suffice.core.errors import Said, bad
from suffice.plots.palette import COLOURS, INK, colour


class Display:
    """A picture: `ax_` and `figure_` are there once it has been drawn."""

    ax_: Any  # the axes; an array of them where there are panels
    figure_: Any

    @property
    def _owner(self) -> str:
        return type(self).__name__

    def _drawn(self, ax: Any) -> None:
        self.ax_, self.figure_ = ax, ax.figure


def need_reading(owner: str, estimator: Any, reading: str, kind: str) -> None:
    """Refuse a model without what is to be drawn: another one, or one that is not fitted."""
    if not hasattr(estimator, reading):
        rule = f"a fitted {kind}, with {reading}"
        raise bad(owner, "estimator", rule, Said(type(estimator).__name__), "Fit one, or draw something else.")


def styled(defaults: Mapping[str, Any], given: Mapping[str, Any] | None) -> dict[str, Any]:
    """Keywords of an artist: ours, unless the user gives others, in short names too."""
    own = {SHORT.get(name, name): value for name, value in (given or {}).items()}
    return {**defaults, **own}


SHORT = {"c": "color", "ls": "linestyle", "lw": "linewidth", "ms": "markersize", "mec": "markeredgecolor"}


def next_place(axes: Any) -> int:
    """The number of the first colour that no curve on the axes has yet: curves drawn one after the other differ."""
    from matplotlib.colors import same_color

    curves = [line for line in axes.lines if line.get_linestyle() not in ("None", "", " ")]
    used = (any(same_color(line.get_color(), one) for line in curves) for one in COLOURS)
    return next((k for k, taken in enumerate(used) if not taken), len(curves))


def own_label(axes: Any, label: str) -> str:
    """A label that no other curve on the axes has: the second of two equal ones has its number."""
    others = {line.get_label() for line in axes.lines}
    names = (label if n == 1 else f"{label} ({n})" for n in range(1, len(others) + 2))
    return next(name for name in names if name not in others)


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
