"""Tally: how many rows, and how heavy, per component."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import NeverAdded
from suffice.core.pairs import Pair
from suffice.core.registry import saved
from suffice.core.shares import Shares
from suffice.core.summary import Index, Summary, spread


@saved
@dataclass(frozen=True)
class Tally(Summary):
    """Exact number of rows and their total weight, per component.

    The rows decide what exists: a component whose last row is taken away weighs exactly nothing,
    whatever rounding left of its weight. A row of weight 0 is no row.
    """

    rows: Array  # (K,) int64
    weight: Pair  # (K,) each

    @classmethod
    def of(cls, R: Shares) -> Tally:
        """Count the rows and weights of each component."""
        live = (R.codes >= 0) & (R.share != 0.0)
        codes = R.codes[live]
        rows = np.bincount(codes, minlength=R.K)
        if R.alike:
            return cls(rows, Pair(rows * float(R.share.flat[0]), np.zeros(R.K)))
        share = np.broadcast_to(R.share, R.codes.shape)[live]
        high = np.bincount(codes, weights=share, minlength=R.K)
        return cls(rows, Pair(high, np.zeros(R.K)))

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
        return Tally(rows, (self.weight - other.weight).where(rows > 0))

    def scale(self, factor: float) -> Tally:
        """Weights decay; the rows were still seen."""
        return Tally(self.rows, self.weight * Pair(np.float64(factor), np.float64(0.0)))

    def spread(self, index: Index, K: int) -> Tally:
        """Move components."""
        return Tally(spread(self.rows, index, K), Pair(*(spread(half, index, K) for half in self.weight)))


def remaining(rows: Array, taken: Array) -> Array:
    """Rows left after taking some away; what was never added cannot be taken."""
    left = rows - taken
    if (left < 0).any():
        short = int(-left.min())
        raise NeverAdded(
            f"forget: the rows must have been added before, got {short} more than there were of their kind. "
            "Nothing was changed; forget only rows this model has learned from."
        )
    return left
