"""Slopes: how a loss changes with the coefficients of the model of a pass. It adds within the pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from suffice.core.block import Array
from suffice.core.double_double import Pair, exact
from suffice.core.registry import saved
from suffice.core.summary import Index, Summary, spread
from suffice.core.tally import remaining


@saved
@dataclass(frozen=True)
class Slopes(Summary):
    """Rows, weight, loss, its slope and its curvature at the coefficients of one model, in pairs, per component.

    >>> one = Slopes.of(2, 2.0, 1.5, np.array([0.5]), np.array([[0.25]]))
    >>> (one + one).slope.value.tolist(), (one + one - one).rows.tolist()
    ([[1.0]], [2])
    """

    rows: Array  # (K,) int64
    weight: Pair  # (K,) each
    loss: Pair  # (K,)
    slope: Pair  # (K, q)
    curvature: Pair  # (K, q, q)

    @classmethod
    def of(cls, rows: int, weight: float, loss: float, slope: Array, curvature: Array) -> Slopes:
        """From the sums of a block, as one component."""
        sums = (exact(np.asarray(part)[None]) for part in (weight, loss, slope, curvature))
        return cls(np.array([rows], dtype=np.int64), *sums)

    @classmethod
    def sum(cls, parts: Sequence[Slopes]) -> Slopes:
        """Add."""
        total = parts[0]
        for part in parts[1:]:
            total = total._with(total.rows + part.rows, part)
        return total

    def __sub__(self, other: Slopes) -> Slopes:
        """Take rows away; without rows, everything is exactly 0."""
        rows = remaining(self.rows, other.rows)
        left, some = self._with(rows, other.scale(-1.0)), rows > 0
        kept = (part.where(some.reshape(-1, *[1] * (part.high.ndim - 1))) for part in left._sums)
        return Slopes(rows, *kept)

    def scale(self, factor: float) -> Slopes:
        """Weights change."""
        by = exact(factor)
        return Slopes(self.rows, *(part * by for part in self._sums))

    def spread(self, index: Index, K: int) -> Slopes:
        """Move components."""
        moved = (Pair(*(spread(half, index, K) for half in part)) for part in self._sums)
        return Slopes(spread(self.rows, index, K), *moved)

    def _with(self, rows: Array, other: Slopes) -> Slopes:
        sums = (mine + theirs for mine, theirs in zip(self._sums, other._sums, strict=True))
        return Slopes(rows, *sums)

    @property
    def _sums(self) -> tuple[Pair, ...]:
        return self.weight, self.loss, self.slope, self.curvature
