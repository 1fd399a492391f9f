"""Tally: how many rows, and how heavy, per component."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from suffice.core.block import Array
from suffice.core.double_double import Pair, bincount, exact
from suffice.core.errors import NeverAdded, never_added
from suffice.core.registry import saved
from suffice.core.shares import Shares
from suffice.core.summary import Index, Summary, spread

PART = 8192  # codes counted at a time: copies of them stay in the cache
ROUNDING = 2.0**-40  # of a weight: what taking some of it away may miss by


@saved
@dataclass(frozen=True)
class Tally(Summary):
    """Exact number of rows and their total weight, per component.

    The rows decide what exists: a component whose last row is taken away weighs exactly nothing,
    whatever rounding left of its weight. A row of weight 0 is no row.

    >>> labels = Shares.hard(np.array([0, 1, 0]), 2, np.array([0.1, 3.0, 0.2]))
    >>> (Tally.of(labels) - Tally.of(labels[:1])).rows
    array([1, 1])
    """

    rows: Array  # (K,) int64
    weight: Pair  # (K,) each

    @classmethod
    def of(cls, R: Shares) -> Tally:
        """Count the rows and weights of each component."""
        if R.alike and R.share.flat[0] != 0.0:  # the rows say it all; code -1 is nobody
            rows, weight = counted(R.codes.ravel(), R.K), float(R.share.flat[0])
            return cls(rows, exact(rows) if weight == 1.0 else exact(rows) * exact(weight))
        live = R.live
        codes = R.codes[live]
        return cls(np.bincount(codes, minlength=R.K), bincount(codes, R.share[live], R.K))

    @classmethod
    def sum(cls, parts: Sequence[Tally]) -> Tally:
        """Add rows exactly and weights as pairs."""
        rows, weight = parts[0].rows, parts[0].weight
        for part in parts[1:]:
            rows, weight = rows + part.rows, weight + part.weight
        return cls(rows, weight)

    def __sub__(self, other: Tally) -> Tally:
        """Take rows away."""
        rows = remaining(self.rows, other.rows)
        return Tally(rows, remaining_weight(self.weight, other.weight, rows))

    def scale(self, factor: float) -> Tally:
        """Weights decay; the rows were still seen."""
        return Tally(self.rows, self.weight * exact(factor))

    def spread(self, index: Index, K: int) -> Tally:
        """Move components."""
        return Tally(spread(self.rows, index, K), Pair(*(spread(half, index, K) for half in self.weight)))


def counted(codes: Array, K: int) -> Array:
    """How often each code occurs (K,); -1 is nobody. By parts, so that no copy of all codes is made."""
    if len(codes) <= PART:
        return np.bincount(codes + 1, minlength=K + 1)[1:]
    rows = np.zeros(K + 1, dtype=np.int64)
    for start in range(0, len(codes), PART):
        rows += np.bincount(codes[start : start + PART] + 1, minlength=K + 1)
    return rows[1:]


def remaining(rows: Array, taken: Array) -> Array:
    """Rows left after taking some away; what was never added cannot be taken."""
    left = rows - taken
    if (left < 0).any():
        raise _never_added("rows", f"{int(-left.min())} more than there were of their kind")
    return left


def remaining_weight(weight: Pair, taken: Pair, rows: Array) -> Pair:
    """Weight left with the rows left: exactly nothing without rows, and never less than nothing."""
    left = (weight - taken).where(rows > 0)
    if (left.high < -ROUNDING * weight.high).any():
        raise _never_added("weights", "more weight than there was of its kind")
    return left.where(left.high > 0)


def _never_added(what: str, got: str) -> NeverAdded:
    return never_added(f"the {what}", got)
