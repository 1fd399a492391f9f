"""Where the units of a self-organising map begin: on the principal plane, at rows, or at random."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.learner import Always, Source, learn
from suffice.core.schema import Schema
from suffice.projections.components.principal_model import PrincipalModel
from suffice.projections.components.principal_plan import PrincipalLearner
from suffice.projections.grids.unit_grid import UnitGrid
from suffice.summaries.start_rows import drawn_rows

WIDE = 2.0  # deviations from the mean at which a plane ends


def start(owner: str, source: Source, grid: UnitGrid, init: str, seed: int) -> tuple[Schema, Array]:
    """The schema of the rows, and weights to begin with (K, d): one pass."""
    if init == "rows":
        schema, drawn = drawn_rows(source, seed, grid.K)
        rows = drawn.in_order().rows
        at = np.random.default_rng(seed).permutation(np.arange(grid.K) % len(rows))
        return schema, rows[at].copy()
    learner = PrincipalLearner(owner, None, False, "")
    schema, kept = learn(Always(learner), source)
    return schema, _BEGUN[init](learner.estimate(kept), grid, seed)


def _plane(model: PrincipalModel, grid: UnitGrid, seed: int) -> Array:
    """Units lie evenly on the plane of greatest variance, the longer side of the grid along the first axis."""
    ends = grid.places.max(axis=0)
    spots = 2.0 * grid.places / np.where(ends > 0, ends, 1.0) - 1.0  # from -1 to 1
    longer = int(np.argmax(ends))
    first, second = spots[:, longer], spots[:, 1 - longer]
    sd = np.sqrt(model.variances)
    along = sd[0] * model.axes[0] if len(sd) else np.zeros(len(model.mean.high))
    # where rows vary along one axis alone, no two units may begin at one place
    across = sd[1] * model.axes[1] if len(sd) > 1 and sd[1] > 1e-9 * sd[0] else along / (2.0 * max(ends[longer], 1.0))
    return np.asarray(model.mean.value + WIDE * (first[:, None] * along + second[:, None] * across))


def _random(model: PrincipalModel, grid: UnitGrid, seed: int) -> Array:
    """As a normal distribution of the rows would have them."""
    sd = np.sqrt(model.variances @ model.axes**2)  # all axes are there: no table of all pairs of columns is needed
    noise = np.random.default_rng(seed).normal(size=(grid.K, len(sd)))
    return np.asarray(model.mean.value + sd * noise)


_BEGUN: dict[str, Any] = {"plane": _plane, "random": _random}
