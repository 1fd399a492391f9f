"""Rows as lines in the colour of their class: what Andrews curves and parallel coordinates share."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.plots.display import class_text
from suffice.plots.palette import FAINT_LINES, colour, line


def draw_lines(ax: Any, x: Array, heights: Array, codes: Array, labels: tuple[Any, ...], alpha: float) -> list[Any]:
    """A collection of lines for each class, named in the legend.

    Parameters
    ----------
    ax : the axes
    x : (m,) places, the same for all rows
    heights : (n, m)
    codes : (n,) number of the class of each row
    labels : names of the classes
    alpha : opacity of a line
    """
    from matplotlib.collections import LineCollection

    drawn = []
    for k, label in enumerate(labels):
        mine = [np.column_stack([x, row]) for row in heights[codes == k]]
        style: Any = {"colors": colour(k), "linestyles": line(k), "alpha": alpha, "linewidths": 0.9}
        drawn.append(ax.add_collection(LineCollection(mine, **style)))
        if label is not None:  # a solid line for the legend, where faint ones could not be told apart
            ax.plot([], [], color=colour(k), ls=line(k), label=class_text(label))
    ax.autoscale_view()
    return drawn


def opacity(n: int) -> float:
    """Of a line among n: a few are solid, many are faint."""
    return float(np.clip(20.0 / max(n, 1), 0.15, 2.0 * FAINT_LINES))
