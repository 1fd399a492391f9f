"""Normal models of rows with missing cells in passes: where these lack cells in more ways than a summary may hold.

Each pass fills in what the model of the pass before expects of the missing cells, row by row, and adds what it leaves
open: the same estimate as on the moments of each pattern, but the sums are relative to a model and add within a pass.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.double_double import exact
from suffice.core.shares import Shares
from suffice.core.tally import Tally
from suffice.families.normals.accelerated_em import moved
from suffice.families.normals.incomplete_normals import expected_rows
from suffice.families.normals.joint_normals import JointNormals
from suffice.numerics.loop import CHUNK
from suffice.summaries.full_moments import FullMoments
from suffice.summaries.moments import Moments


@dataclass(frozen=True)
class PassesOverRows:
    """A normal family learned in passes. A subclass says which row belongs to whom."""

    family: Any

    def shares(self, block: Block) -> Shares:
        """All rows that have a cell belong to one component."""
        nobody = np.isnan(block.parts[0]).all(axis=1)
        return Shares.hard(-nobody.astype(np.int32), 1, block.w)

    def rows(self, block: Block) -> Array:
        """The rows of a block (n, d)."""
        return np.asarray(block.parts[0])

    def summarize(self, block: Block, model: JointNormals | None = None) -> FullMoments:
        """Expected moments of complete rows."""
        assert model is not None
        X, R = self.rows(block), self.shares(block)
        starts = range(0, max(len(X), 1), CHUNK)  # what fills in a row is as large as a pattern
        return FullMoments.sum([expected_rows(X[a : a + CHUNK], R[a : a + CHUNK], model) for a in starts])

    def estimate(self, summary: FullMoments, model: JointNormals | None = None) -> JointNormals:
        """What the family reads from them."""
        made: JointNormals = self.family.distribution(summary)
        return made

    def settled(self, old: JointNormals, new: JointNormals, tol: float) -> bool:
        """Whether no parameter moves by more than so many standard deviations."""
        return moved(old, new) <= tol


def independent(moments: Moments, tally: Tally) -> FullMoments:
    """Where to begin: columns that do not vary together, each over the cells that are there."""
    whole, met = moments.pooled(), moments.rows > 0
    mean = np.where(met, (moments.mean - exact(moments.shift)).value, (whole.mean - exact(moments.shift)).value)
    variance = np.where(met, moments.variance, whole.variance)
    weight = tally.weight.value
    spread = variance[:, :, None] * np.eye(len(moments.shift)) + mean[:, :, None] * mean[:, None, :]
    sums = exact(weight), exact(weight[:, None] * mean), exact(weight[:, None, None] * spread)
    return FullMoments(moments.shift, tally.rows, *sums)
