"""Bars: the bins of a histogram, with the weight and the density of each class in them, and the modal bin."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.families.windows.histogram import EqualWidth, Histogram
from suffice.plots.numbers.classed_columns import ClassedColumns


class Bars(NamedTuple):
    """A histogram of one column: density times width is a share of the class, and sums to 1.

    >>> from suffice.plots.numbers.classed_columns import read_classed
    >>> from suffice.families import FixedWidth
    >>> (bars,) = histogram_bars(read_classed("me", [0.2, 0.7, 2.5, 2.6, 2.7]), FixedWidth(1.0))
    >>> bars.edges, bars.density.tolist(), bars.weight.tolist(), bars.modal()
    (array([0., 1., 2., 3.]), [[0.4, 0.0, 0.6]], [[2.0, 0.0, 3.0]], (2.0, 3.0))
    """

    name: str
    labels: tuple[Any, ...]  # K
    edges: Array  # (B + 1,) rising
    density: Array  # (K, B)
    weight: Array  # (K, B)

    def modal(self, k: int = 0) -> tuple[float, float]:
        """The ends of the bin in which a class is densest; the first of several."""
        b = int(self.density[k].argmax())
        return float(self.edges[b]), float(self.edges[b + 1])


def histogram_bars(rows: ClassedColumns, cuts: Any = None) -> list[Bars]:
    """The histogram of each column; bins are the same for all classes, missing cells are left out.

    Parameters
    ----------
    rows : columns with classes
    cuts : `FixedWidth(width, origin)`, `EqualWidth(bins)` or `EqualFrequency(bins)`; None: 10 of equal width
    """
    family = Histogram(EqualWidth() if cuts is None else cuts, strength=0.0)
    kept = family.summarize(rows.columns.values, rows.shares)
    return [
        _bars(name, rows.labels, family, values, kept.weight[:, cells])
        for name, values, cells in zip(rows.columns.names, kept.values, kept.slices, strict=True)
    ]


def _bars(name: str, labels: tuple[Any, ...], family: Histogram, values: Array, weight: Array) -> Bars:
    """From the distinct values, or bins, of a column and the weights of the classes; one value is a bar of width 1."""
    edges, _ = family.cuts.segments(values, weight.sum(axis=0))
    if len(edges) < 2:
        edges = (edges[0] if len(edges) else 0.0) + np.array([-0.5, 0.5])
    at = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, len(edges) - 2)
    cells = np.stack([np.bincount(at, row, len(edges) - 1) for row in weight])
    scale: Any = family.keeps
    ends = scale.cells(edges)
    total = cells.sum(axis=1, keepdims=True)  # a class without rows has no bars
    return Bars(name, labels, ends, cells / np.where(total > 0.0, total, 1.0) / np.diff(ends), cells)
