"""Random parts of the rows, of given sizes: to learn from, to choose by, to test with."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.decision.decide.read_wishes import as_numbers
from suffice.evaluation.resampling.resampling_options import read_generator, whole

OWNER = "random_parts"


def random_parts(n: int, sizes: Any, random_state: Any = 0) -> tuple[Array, ...]:
    """Row numbers of disjoint parts, drawn at random and in random order.

    Parameters
    ----------
    n : number of rows
    sizes : numbers of rows, which sum to n at most; or shares of them, which sum to 1 at most and are rounded such that
        all rows are used if they sum to 1
    random_state : None, a seed or a `numpy.random.Generator`

    >>> [len(part) for part in random_parts(180, (90, 45, 45))]
    [90, 45, 45]
    >>> random_parts(10, (1 / 2, 1 / 4, 1 / 4))
    (array([4, 6, 2, 7, 3]), array([5, 9, 0]), array([8, 1]))
    """
    n = whole(OWNER, "n", n, 1, "Give it rows.")
    limits = np.cumsum(_counts(n, sizes))
    rows = read_generator(OWNER, random_state).permutation(n)
    return tuple(np.split(rows[: limits[-1]], limits[:-1]))


def part_mean_deviation(part: int, n: int) -> float:
    """How far the mean of a random part of n rows is from the mean of all, in standard deviations of the rows.

        sqrt((1 - part / n) / part)

    This is the standard deviation of the distance; half of all parts are within 0.67 of it. The rows' own standard
    deviation is that with divisor n - 1.

    >>> round(part_mean_deviation(1000, 2000), 5)
    0.02236
    """
    rows = whole("part_mean_deviation", "n", n, 1, "Count rows.")
    size = whole("part_mean_deviation", "part", part, 1, "Count rows.")
    if size > rows:
        raise bad("part_mean_deviation", "part", f"at most n, {rows}", part, "A part is no larger than the whole.")
    return sqrt((1.0 - size / rows) / size)


def _counts(n: int, sizes: Any) -> Array:
    """Numbers of rows: limits between parts are rounded, so that no part is off by a row or more."""
    rule = f"numbers of at least 1 row that sum to at most {n}, or shares above 0 that sum to at most 1"
    given = as_numbers(OWNER, "sizes", rule, sizes)
    if given.ndim != 1 or not len(given) or not (np.isfinite(given) & (given > 0.0)).all():
        raise bad(OWNER, "sizes", rule, sizes)
    if (given == np.rint(given)).all() and given.sum() <= n:
        return np.asarray(given, dtype=np.intp)
    if given.max() >= 1.0 or given.sum() > 1.0 + 1e-9:
        raise bad(OWNER, "sizes", rule, sizes)
    limits = np.rint(np.minimum(np.cumsum(given), 1.0) * n)
    counts = np.diff(limits, prepend=0.0)
    if (counts < 1).any():
        raise bad(OWNER, "sizes", rule, sizes, f"One of them is less than half a row of {n}.")
    return np.asarray(counts, dtype=np.intp)
