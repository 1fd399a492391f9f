"""Targets of near rows, as a value: it predicts on NumPy and SciPy alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.registry import saved
from suffice.estimators.design.kind_plan import KindPlan
from suffice.estimators.reading import reading
from suffice.neighbours.near.aggregators import Aggregator
from suffice.neighbours.near.near_rows import Near, NearRows, first_copies
from suffice.neighbours.near.neighbour_readings import KNeighbours
from suffice.neighbours.near.vote_weights import VoteWeight

CELLS = 1 << 22  # targets gathered at a time


@saved
@dataclass(frozen=True)
class NearTargets:
    """Rows with targets, how many neighbours are asked, and how their targets become one."""

    near: NearRows
    targets: Array  # (n, q)
    k: int
    votes: VoteWeight
    aggregate: Aggregator
    table: Array | None = None  # (n, n) where distances were given
    errors: Array | None = None  # mean squared error of rows left out, for each candidate of k
    candidates: Array | None = None

    def predict(self, block: Block) -> Array:
        """Targets (n, q)."""
        return self._of(self.near.copies(block.parts[0], self.k))

    def _of(self, near: Near, k: float | None = None) -> Array:
        out = np.empty((len(near.numbers), self.targets.shape[1]))
        step = max(1, CELLS // max(1, near.numbers.shape[1] * self.targets.shape[1]))
        for start in range(0, len(out), step):
            some = slice(start, start + step)
            weight = self.votes.of(near.distance[some])
            if near.copies is not None:
                weight = weight * (near.copies[some] if k is None else first_copies(near.copies[some], k))
            out[some] = self.aggregate.of(self.targets[near.numbers[some]], weight)
        return out

    def _others(self, k: int) -> Near:
        return self.near.copies(self.near.rows if self.table is None else self.table, k, but_itself=True)

    def left_out(self) -> Array:
        """What the others say of each row (n, q)."""
        return self._of(self._others(self.k))

    def left_out_errors(self, candidates: Sequence[int]) -> Array:
        """Mean squared error of what the others say, for each k: one search for all."""
        near, w = self._others(max(candidates)), self.near.weight
        off = [((self._of(near, k) - self.targets) ** 2).mean(axis=1) for k in candidates]
        return np.array([np.average(error, weights=w) for error in off])


class NearTargetReadings(KNeighbours):
    """What targets of neighbours tell."""

    n_neighbors_ = reading("k", "How many neighbours are asked.")
    errors_ = reading("errors", "Mean squared error of rows left out, for each candidate; None where k was given.")
    candidates_ = reading("candidates", "Numbers of neighbours that were tried; None where k was given.")


@saved
@dataclass(frozen=True)
class NearTargetPlan(KindPlan):
    """Targets of neighbours."""

    face: ClassVar[str] = "regressor"

    def readings(self) -> tuple[type[Any], ...]:
        """Neighbours."""
        return (NearTargetReadings,)
