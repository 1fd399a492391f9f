"""Lines of densities: the window density of a column for each class, at points over its range."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.families.windows.window_density import WindowDensity
from suffice.plots.numbers.classed_columns import ClassedColumns

POINTS = 401
REACH = 3.5  # bandwidths beyond the outermost values


class DensityLines(NamedTuple):
    """The density of each class over one column."""

    name: str
    labels: tuple[Any, ...]  # K
    x: Array  # (m,)
    density: Array  # (K, m)
    bandwidth: Array  # (K,)


def density_lines(rows: ClassedColumns, bandwidth: Any = None, window: Any = "gaussian") -> list[DensityLines]:
    """The window density of each column and class.

    Parameters
    ----------
    rows : columns with classes
    bandwidth : a number, or a rule such as `Silverman()` or `SheatherJones()`; None: Silverman's
    window : a window, or the name of one

    >>> from suffice.plots.numbers.classed_columns import read_classed
    >>> (line,) = density_lines(read_classed("me", [0.0, 1.0, 2.0]), 1.0)
    >>> round(float(np.interp(1.2, line.x, line.density[0])), 4)
    0.2916
    """
    family = WindowDensity(window=window) if bandwidth is None else WindowDensity(bandwidth, window)
    return [_line(rows, family, j) for j in range(len(rows.columns.names))]


def _line(rows: ClassedColumns, family: WindowDensity, j: int) -> DensityLines:
    name, column = rows.columns.names[j], rows.columns.values[:, [j]]
    found: Any = family.estimate(family.summarize(column, rows.shares))
    values, h = found.values[0], found.bandwidth[:, 0]
    if not (len(values) and (h > 0.0).all()):
        rule = f"different in some rows of column {name}, where a rule finds the bandwidth"
        raise bad("density_lines", "values", rule, Said("one value or none"), "Give bandwidth a number.")
    reach = REACH * float(h.max())
    x = np.linspace(values[0] - reach, values[-1] + reach, POINTS)
    density = np.exp([found.log_cells(x[:, None], k)[:, 0] for k in range(found.K)])
    empty = np.bincount(rows.codes[np.isfinite(column[:, 0])], minlength=found.K) == 0
    density[empty] = np.nan  # a class without cells in the column has no line
    return DensityLines(name, rows.labels, x, density, h)
