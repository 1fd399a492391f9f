"""Rankings of bounded length: where a column has too many different values, they are rounded to multiples of 2^e.

The exponent e is the smallest at which the values of all rows fall into few enough intervals. Intervals of one exponent
divide those of the next, so that e, and what is counted, depend on the rows alone: not on how they were divided.
No scikit-learn.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.summaries.rankings import Rankings

FINEST, COARSEST = -780, 244  # exponents; numbers of a description are at most 2^240 in size


class Rounding(NamedTuple):
    """How the values of a column are kept, in at most so many intervals, and their ends, which are exact."""

    most: int
    width: float = 0.0  # of the intervals; 0 where every value is kept
    low: float = np.inf
    high: float = -np.inf

    def add(self, other: Rounding) -> Rounding:
        """Of the values of both."""
        width, low, high = max(self.width, other.width), min(self.low, other.low), max(self.high, other.high)
        return Rounding(min(self.most, other.most), width, low, high)

    def keep(self, kept: Rankings) -> tuple[Rankings, Rounding]:
        """One column, rounded as far as it must be; values become the middles of their intervals.

        >>> from suffice.core.shares import Shares
        >>> x = np.array([[0.1], [0.2], [1.5], [1.6], [9.0]])
        >>> some, how = Rounding(3).keep(Rankings.of(x, Shares.hard(np.zeros(5, dtype=np.int32), 1)))
        >>> some.values[0].tolist(), some.rows.tolist(), how
        ([0.125, 1.625, 9.125], [[2, 2, 1]], Rounding(most=3, width=0.25, low=0.1, high=9.0))
        """
        (values,) = kept.values
        if not len(values):
            return kept, self
        ends = self  # those of values that are rounded are known already
        if self.width == 0.0:
            ends = self._replace(low=float(values[0]), high=float(values[-1]))
            if len(values) <= self.most:
                return kept, ends
        e = self._exponent(values)
        if self.width and np.ldexp(1.0, e) == self.width and _is_rounded(values, e):
            return kept, ends
        places = _places(values, e)
        starts = np.flatnonzero(np.diff(places, prepend=places[0] - 1.0))
        middles = np.ldexp(places[starts] + 0.5, e)
        rows, weight = (np.add.reduceat(side, starts, axis=1) for side in (kept.rows, kept.weight))
        rounded = Rankings((middles,), rows, weight, kept.missing_rows, kept.missing_weight)
        return rounded, ends._replace(width=float(np.ldexp(1.0, e)))

    def _exponent(self, values: Array) -> int:
        """The smallest from that of the width on at which intervals are few enough."""
        low = int(np.frexp(self.width)[1]) - 1 if self.width else FINEST
        if _intervals(values, low) <= self.most:
            return low
        high = COARSEST  # two intervals
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if _intervals(values, middle) <= self.most else (middle, high)
        return high


def _places(values: Array, e: int) -> Array:
    return np.floor(np.ldexp(values, -e))


def _intervals(values: Array, e: int) -> int:
    return 1 + int(np.count_nonzero(np.diff(_places(values, e))))


def _is_rounded(values: Array, e: int) -> bool:
    """Whether values are middles of intervals already."""
    return bool((np.ldexp(_places(values, e) + 0.5, e) == values).all())
