"""Box: a column in five numbers and the values that stand apart."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.decision.decide.read_wishes import as_real
from suffice.plots.numbers.classed_columns import ClassedColumns
from suffice.summaries.rankings import Rankings

LENGTHS = 1.5  # of the box: how far whiskers may reach


class Box(NamedTuple):
    """Quartiles of one column and class; whiskers end at the last value within some lengths of the box.

        low whisker = least value >= q1 - reach (q3 - q1),   high whisker = largest value <= q3 + reach (q3 - q1)

    >>> from suffice.plots.numbers.classed_columns import read_classed
    >>> (box,) = boxes(read_classed("me", [1.0, 2.0, 3.0, 4.0, 100.0]))
    >>> box.low, box.q1, box.median, box.q3, box.high, box.outside
    (1.0, 2.0, 3.0, 4.0, 4.0, array([100.]))
    """

    name: str
    label: Any  # None where rows have no classes
    low: float
    q1: float
    median: float
    q3: float
    high: float
    outside: Array  # distinct values beyond the whiskers, rising


def boxes(rows: ClassedColumns, reach: Any = LENGTHS) -> list[Box]:
    """A box for each column and class, column by column; missing cells are left out, columns without any are all NaN.

    Parameters
    ----------
    rows : columns with classes
    reach : how many lengths of the box a whisker may reach
    """
    lengths = as_real("Box", "reach", "a finite number of at least 0", reach)
    if lengths < 0.0:
        raise bad("Box", "reach", "a finite number of at least 0", reach)
    cells = rows.columns.values
    rankings = Rankings.of(np.where(np.isfinite(cells), cells, np.nan), rows.shares)
    whole = bool((rankings.weight == np.rint(rankings.weight)).all())
    quartiles = rankings.quantile([0.25, 0.5, 0.75], "linear" if whole else "inverted_cdf")  # (3, K, d)
    return [
        _box(name, label, rankings.values[j][rankings.rows[k, rankings.slices[j]] > 0], quartiles[:, k, j], lengths)
        for j, name in enumerate(rows.columns.names)
        for k, label in enumerate(rows.labels)
    ]


def _box(name: str, label: Any, values: Array, quartiles: Array, lengths: float) -> Box:
    q1, median, q3 = map(float, quartiles)
    inside = (values >= q1 - lengths * (q3 - q1)) & (values <= q3 + lengths * (q3 - q1))
    near = values[inside]
    low, high = (min(float(near[0]), q1), max(float(near[-1]), q3)) if len(near) else (q1, q3)
    return Box(name, label, low, q1, median, q3, high, values[~inside])
