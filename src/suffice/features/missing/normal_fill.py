"""Missing numbers from those that are present, by a normal model of all columns. No scikit-learn.

x_u | x_o ~ N(m_u + A (x_o - m_o), V),     A = C_uo C_oo^-1,     V = C_uu - A C_ou
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.errors import Said, bad
from suffice.core.registry import saved
from suffice.core.schema import Schema
from suffice.core.shares import Shares
from suffice.core.summary import Summary
from suffice.families.normals.covariance_priors import NormalInverseWishart, Shape
from suffice.families.normals.full_normal import FullNormal
from suffice.families.normals.incomplete_normals import climb
from suffice.families.normals.joint_normals import JointNormals
from suffice.families.normals.missing_columns import Gaps
from suffice.features.column_plan import NumberCells
from suffice.features.missing.cell_fill import CellFill
from suffice.features.missing.class_fill import refuse_unmet
from suffice.features.missing.normal_augmentation import AXIS, Drawn, draw_parameters
from suffice.summaries.full_moments import FullMoments
from suffice.summaries.pattern_moments import PatternMoments

STEP = 1e-14  # standard deviations that no mean, and share of a variance that no covariance, still moves by


@saved
@dataclass(frozen=True)
class NormalFillPlan(NumberCells):
    """How many virtual rows are added beforehand."""

    strength: float = 0.0

    @property
    def family(self) -> FullNormal:
        """Normal distributions, whose covariances may be singular."""
        return FullNormal(Singular(NormalInverseWishart(self.strength, mean_strength=0.0)))

    def learner(self, schema: Schema) -> NormalFillLearner:
        """The learner."""
        return NormalFillLearner(self, schema.names)

    def readings(self) -> tuple[type[Any], ...]:
        """Mean, covariance, draws and a report."""
        from suffice.features.missing.fill_readings import NormalFillReadings

        return (NormalFillReadings,)


@dataclass(frozen=True)
class Singular:
    """A prior whose covariances may be singular: rows may be few, and columns may follow from one another."""

    prior: NormalInverseWishart

    @property
    def kept(self) -> type[Summary]:
        """The summary that it reads."""
        return self.prior.kept

    def pinned(self, mean: Array, variance: Array) -> Singular:
        """With the location and spread of the whole table fixed."""
        return Singular(self.prior.pinned(mean, variance))

    def shape(self, moments: FullMoments) -> Shape:
        """The same, with axes left out along which correlations do not vary."""
        return self.prior.shape(moments)._replace(tol=AXIS)

    def tied(self, moments: FullMoments) -> Shape:
        """The same of one covariance."""
        return self.prior.tied(moments)._replace(tol=AXIS)


@dataclass(frozen=True)
class NormalFillLearner:
    """Keeps the moments of each missing pattern."""

    plan: NormalFillPlan
    names: tuple[Any, ...]

    def summarize(self, block: Block, model: NormalFill | None = None) -> PatternMoments:
        """Of all rows."""
        return self.shared(block, Shares.hard(np.zeros(block.n, dtype=np.int32), 1, block.w))

    def shared(self, block: Block, R: Shares) -> PatternMoments:
        """Of the rows of each component."""
        return PatternMoments.of(np.asarray(block.parts[0], dtype=np.float64), R)

    def estimate(self, summary: PatternMoments, model: NormalFill | None = None) -> NormalFill:
        """What was kept says all of it."""
        return NormalFill(self.plan, self.names, summary)


class FillByNormals(CellFill):
    """Cells by a normal distribution of the columns. A model that has `normals`."""

    normals: Any  # JointNormals

    def filled(self, X: Array, by: Drawn | None = None, rng: np.random.Generator | None = None) -> Array:
        """Rows (n, d) with missing cells expected, or drawn, under a distribution; None is the one that was learned."""
        by = by or Drawn(self.normals.mean.value[0], self.normals.covariance[0])
        gaps = np.isnan(X)
        some = np.flatnonzero(gaps.any(axis=1))
        out = np.array(X, dtype=np.float64)
        if not len(some):
            return out
        patterns, group = np.unique(~gaps[some], axis=0, return_inverse=True)
        spaces = np.append(0, np.cumsum(np.bincount(group, minlength=len(patterns))))
        order = some[np.argsort(group, kind="stable")]
        for predicted in Gaps(patterns).predict(by.covariance, AXIS):
            for at, u, o, A, V in zip(*predicted, strict=True):
                rows = order[spaces[at] : spaces[at + 1]]
                cells = by.mean[u] + (out[np.ix_(rows, o)] - by.mean[o]) @ A.T
                out[np.ix_(rows, u)] = cells if rng is None else cells + _noise(rng, V, len(rows))
        return out


@dataclass(frozen=True)
class NormalFill(FillByNormals):
    """The distribution of the columns, and the sums that it follows from."""

    plan: NormalFillPlan
    names: tuple[Any, ...]
    summary: PatternMoments

    @cached_property
    def normals(self) -> JointNormals:
        """The normal distribution under which what was observed is most probable."""
        met = self.summary.present[self.summary.moments.rows > 0].any(axis=0)
        refuse_unmet(self.plan.owner, self.names, np.asarray(~met))
        family = self.plan.family
        if self.summary.is_complete:
            return family.distribution(self.summary.complete)
        return climb(family, self.summary, within=STEP)

    @cached_property
    def missing(self) -> Array:
        """How many cells of each column rows lacked (d,)."""
        rows = self.summary.moments.rows.reshape(len(self.summary.present), -1).sum(axis=1)
        return np.asarray(rows @ ~self.summary.present)

    def draws(self, X: Array, rng: np.random.Generator, burn_in: int) -> Iterator[Array]:
        """Rows with missing cells drawn, for ever: parameters first, then cells given these."""
        for drawn in draw_parameters(self.summary, self.normals, rng, burn_in):
            yield self.filled(X, drawn, rng)


@saved
@dataclass(frozen=True)
class FoundFill(FillByNormals):
    """The distribution of the columns, found in passes: the sums that it follows from are not kept."""

    plan: NormalFillPlan
    names: tuple[Any, ...]
    normals: JointNormals
    missing: Array  # (d,) how many cells rows lacked

    def draws(self, X: Array, rng: np.random.Generator, burn_in: int) -> Iterator[Array]:
        """Nothing says how uncertain the parameters are."""
        rule = "learned from rows of fewer missing patterns, whose sums are kept (draw needs them)"
        remedy = "Leave out columns that are often missing, or use transform."
        raise bad(self.plan.owner, "the model", rule, Said("one that took passes over the rows"), remedy)


def _noise(rng: np.random.Generator, V: Array, n: int) -> Array:
    """Rows (n, u) of a normal distribution around 0."""
    values, vectors = np.linalg.eigh(V)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    return np.asarray(rng.standard_normal((n, len(V))) @ root.T)
