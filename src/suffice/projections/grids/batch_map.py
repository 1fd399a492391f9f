"""The batch rule of a self-organising map: labels are weights, the neighbourhood is the share.

w_u = sum_i h(u, b(i)) x_i / sum_i h(u, b(i)),     h = exp(-|g_u - g_b|^2 / (2 s^2)),     b(i) the best unit of row i
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.core.block import Block
from suffice.core.shares import Shares
from suffice.projections.grids.grid_model import GridModel
from suffice.summaries.moments import Moments


@dataclass(frozen=True)
class BatchMap:
    """One pass an epoch: sums of the rows of each unit add, and are smoothed over the grid when they have."""

    widths: tuple[float, ...]  # of the neighbourhood, one an epoch

    def summarize(self, block: Block, model: GridModel | None = None) -> Moments:
        """Moments of the rows that each unit is best for."""
        assert model is not None
        X = np.asarray(block.parts[0])
        return Moments.of(X, Shares.hard(model.best(X), model.grid.K, block.w))

    def estimate(self, summary: Moments, model: GridModel | None = None) -> GridModel:
        """Means of the rows of all units, by how near those are; a unit that no row is near stays."""
        assert model is not None
        weight = summary.weight.value[:, :1]
        sums = np.hstack([weight, weight * summary.offset.value])
        smooth = model.grid.smoothed(sums, self.widths[model.epoch])
        total, sums = smooth[:, 0], smooth[:, 1:]
        some = total > np.finfo(float).tiny
        means = summary.shift + sums / np.where(some, total, 1.0)[:, None]
        return GridModel(model.grid, np.where(some[:, None], means, model.weights), model.epoch + 1)

    def settled(self, old: GridModel, new: GridModel, tol: float) -> bool:
        """After the last epoch."""
        return new.epoch >= len(self.widths)
