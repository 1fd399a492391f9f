"""A normal model of all columns in passes: where rows lack cells in more ways than sums are kept of.

Rows are taken about the means of their columns, so that cells far from 0 are filled in to all digits.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from suffice.core.block import Array, Block
from suffice.core.double_double import Pair, exact
from suffice.core.learner import Learned, Source, iterate, learn, refuse_streams
from suffice.core.schema import Schema
from suffice.core.shares import Shares
from suffice.core.summary import Together
from suffice.core.tally import Tally
from suffice.estimators.state.fitted import Found
from suffice.families.normals.full_normal import FullNormal
from suffice.families.normals.passes_over_rows import PassesOverRows, independent
from suffice.features.column_plan import ColumnLearner, NumberCells
from suffice.features.missing.class_fill import refuse_unmet
from suffice.features.missing.normal_fill import FoundFill, NormalFillPlan
from suffice.summaries.moments import Moments

MOST = 1_000  # passes
STILL = 1e-13  # standard deviations that no mean, and share of a variance that no covariance, still moves by
AROUND = 2  # passes before the first: that which found too many patterns, and that of single columns


@dataclass(frozen=True)
class SingleColumns(NumberCells):
    """Keeps the moments of each column, and how many rows have a cell."""

    def learner(self, schema: Schema) -> SingleColumnsLearner:
        """The learner."""
        return SingleColumnsLearner(self, schema)


@dataclass(frozen=True)
class SingleColumnsLearner(ColumnLearner):
    """Moments of each column; all rows, then those that have a cell."""

    by_columns = False

    def shared(self, block: Block, R: Shares) -> Together:
        """Of the rows of each component."""
        X = np.asarray(block.parts[0], dtype=np.float64)
        return Together((Tally.of(R), Tally.of(R[~np.isnan(X).all(axis=1)]), Moments.of(X, R)))


@dataclass(frozen=True)
class CentredPasses(PassesOverRows):
    """Passes over rows about a centre."""

    centre: Array  # (d,)

    def rows(self, block: Block) -> Array:
        """The rows of a block about the centre (n, d)."""
        return np.asarray(block.parts[0], dtype=np.float64) - self.centre


def found_in_passes(plan: NormalFillPlan, source: Source, family: FullNormal) -> Learned:
    """The model under which what was observed is most probable, by passes over the rows.

    Parameters
    ----------
    plan : of the imputer
    source : the rows, which can be read again
    family : normal distributions with the prior that was asked for
    """
    refuse_streams(plan.owner, source, "so many missing patterns take several passes")
    schema, kept = learn(SingleColumns(plan.owner), source)
    total, some, moments = kept.parts
    refuse_unmet(plan.owner, schema.names, moments.rows[0] == 0)
    centre = moments.mean.high[0]
    about = Moments(moments.shift - centre, *(getattr(moments, f) for f in ("rows", "weight", "first", "second")))
    begin = independent(about, some)
    prior = family.prior.pinned(begin.mean.value[0], np.diagonal(begin.covariance[0]))
    learner = CentredPasses(replace(family, prior=prior), centre)
    done = iterate(learner, source.read_as(schema), learner.estimate(begin), max_iter=MOST, tol=STILL)
    if not done.settled:
        told = f"{MOST} passes over incomplete rows did not settle all parameters to {STILL:g} standard deviations."
        warnings.warn(f"{plan.owner}: {told} Raise prior_strength.", ConvergenceWarning, stacklevel=8)
    mean = done.model.mean + exact(np.broadcast_to(centre, done.model.mean.high.shape))
    normals = replace(done.model, mean=Pair(*(np.asarray(half) for half in mean)))
    missing = total.rows[0] - moments.rows[0]
    return Learned(schema, Found(FoundFill(plan, schema.names, normals, missing), done.passes + AROUND))
