"""Rows as points, in the colour and with the marker of their class."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.plots.display import class_text
from suffice.plots.numbers.classed_columns import ClassedColumns
from suffice.plots.palette import INK, REFUSED, TINT, colour, marker


def draw_rows(ax: Any, points: Array, codes: Array, labels: tuple[Any, ...], size: float = 22.0) -> list[Any]:
    """A scatter for each class, as artists in the order of the classes.

    Parameters
    ----------
    ax : the axes
    points : (n, 2)
    codes : (n,) number of the class of each row
    labels : names of the classes, for the legend
    size : area of a point
    """
    drawn = []
    for k, label in enumerate(labels):
        mine = points[codes == k]
        style = {"color": colour(k), "marker": marker(k), "edgecolors": INK, "linewidths": 0.5, "zorder": 3}
        found = ax.scatter(mine[:, 0], mine[:, 1], s=size, label=class_text(label) or None, **style)
        drawn.append(found)
    return drawn


def in_classes(rows: ClassedColumns | None, classes: tuple[Any, ...]) -> tuple[Array, tuple[Any, ...]]:
    """The number of each row's class among those of a model, and all classes: those the model has not met come last."""
    if rows is None:
        return np.zeros(0, dtype=np.intp), classes
    if rows.labels == (None,):
        return np.full(len(rows.codes), -1), classes
    every = (*classes, *(label for label in rows.labels if label not in classes))
    return np.array([every.index(label) for label in rows.labels])[rows.codes], every


def patches(labels: tuple[Any, ...], refused: bool) -> list[Any]:
    """What a legend shows for regions."""
    from matplotlib.patches import Patch

    found = [Patch(color=colour(k), alpha=TINT, label=str(label)) for k, label in enumerate(labels)]
    grey = Patch(facecolor=REFUSED, edgecolor=INK, hatch="///", linewidth=0.0, label="refused")
    return [*found, grey] if refused else found
