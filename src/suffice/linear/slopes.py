"""Slopes: how a loss changes with the coefficients of the model of a pass. It adds within the pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from suffice.core.block import Array
from suffice.core.pairs import Pair, exact
from suffice.core.registry import saved
from suffice.core.summary import Index, Summary
from suffice.core.tally import remaining


@saved
@dataclass(frozen=True)
class Slopes(Summary):
    """Rows, weight, loss, its slope and its curvature at the coefficients of one model, in pairs.

    >>> one = Slopes.of(2, 2.0, 1.5, np.array([0.5]), np.array([[0.25]]))
    >>> (one + one).slope.value.tolist(), (one + one - one).rows
    ([1.0], 2)
    """

    rows: int
    weight: Pair  # ()
    loss: Pair  # ()
    slope: Pair  # (q,)
    curvature: Pair  # (q, q)

    @classmethod
    def of(cls, rows: int, weight: float, loss: float, slope: Array, curvature: Array) -> Slopes:
        """From the sums of a block."""
        return cls(rows, exact(weight), exact(loss), exact(slope), exact(curvature))

    @classmethod
    def sum(cls, parts: Sequence[Slopes]) -> Slopes:
        """Add."""
        total = parts[0]
        for part in parts[1:]:
            total = total._with(total.rows + part.rows, part)
        return total

    def __sub__(self, other: Slopes) -> Slopes:
        """Take rows away; without rows, everything is exactly 0."""
        rows = int(remaining(np.array(self.rows), np.array(other.rows)))
        left = self._with(rows, other.scale(-1.0))
        return left if rows else left.scale(0.0)

    def scale(self, factor: float) -> Slopes:
        """Weights change."""
        by = exact(factor)
        return Slopes(self.rows, self.weight * by, self.loss * by, self.slope * by, self.curvature * by)

    def spread(self, index: Index, K: int) -> Slopes:
        """There is one component."""
        raise TypeError("Slopes: there is one component, which cannot be moved.")

    def _with(self, rows: int, other: Slopes) -> Slopes:
        sums = (mine + theirs for mine, theirs in zip(self._sums, other._sums, strict=True))
        return Slopes(rows, *sums)

    @property
    def _sums(self) -> tuple[Pair, ...]:
        return self.weight, self.loss, self.slope, self.curvature
