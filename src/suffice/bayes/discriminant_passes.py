"""Discriminant analysis in passes: where rows lack cells in more ways than a summary may hold.

Each pass fills in what the model of the pass before expects of the missing cells, row by row, and adds what it leaves
open: the same estimate as on the moments of each pattern, but the sums are relative to a model and add within a pass.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from suffice.core.block import Block, Coded
from suffice.core.by_class import ByClass
from suffice.core.learner import iterate
from suffice.core.pairs import exact
from suffice.core.shares import Shares
from suffice.core.summary import Together
from suffice.core.tally import Tally
from suffice.estimators.fitted import FittedModel
from suffice.estimators.origin import Origin, cell_type, column_names, label_type, library
from suffice.estimators.weights import read_weights
from suffice.families.incomplete import expected_rows, moved
from suffice.families.joint_normals import JointNormals
from suffice.families.product import Group, Product
from suffice.sources.memory import MemorySource
from suffice.summaries.full_moments import FullMoments
from suffice.summaries.moments import Moments
from suffice.summaries.pattern_moments import PatternMoments

MOST = 300  # passes
SETTLED = 1e-3  # standard deviations by which no parameter moves any more: far below what the rows can tell


@dataclass(frozen=True)
class Passes:
    """A normal family learned in passes."""

    family: Any
    K: int

    def shares(self, block: Block) -> Shares:
        """Labels as weights."""
        assert isinstance(block.y, Coded)
        return Shares.hard(block.y.codes[:, 0], self.K, block.w)

    def summarize(self, block: Block, model: JointNormals | None = None) -> FullMoments:
        """Expected moments of complete rows."""
        assert model is not None
        return expected_rows(block.parts[0], self.shares(block), model)

    def estimate(self, summary: FullMoments, model: JointNormals | None = None) -> JointNormals:
        """What the family reads from them."""
        made: JointNormals = self.family.distribution(summary)
        return made

    def settled(self, old: JointNormals, new: JointNormals, tol: float) -> bool:
        """Whether no parameter moves by more than so many standard deviations."""
        return moved(old, new) <= tol


def in_passes(model: Any, X: Any, y: Any, sample_weight: Any) -> tuple[FittedModel, Origin]:
    """A fitted value whose moments are those expected of the complete rows."""
    table, labels, plan = model._check_X(X, first=True, learning=True), model._read_labels(y), model._plan()
    names = labels.labels[0]
    w = read_weights(model._owner, sample_weight, table.n, some=True)
    source = MemorySource(table, plan.schema(table), labels, w, model.threads)
    (group,) = plan.bayes.product.groups
    learner = Passes(group.family, len(names))
    begin = _independent(source, learner)
    whole = begin.pooled()
    prior = group.family.prior.pinned(whole.mean.value[0], np.diagonal(whole.covariance[0]))
    learner = replace(learner, family=replace(group.family, prior=prior))
    found = iterate(learner, source, learner.estimate(begin), max_iter=MOST, tol=SETTLED)
    if not found.settled:
        warnings.warn(
            f"{model._owner}: {MOST} passes over incomplete rows did not settle all parameters to {SETTLED:g} standard "
            "deviations. Raise prior_strength, or leave out columns that follow from others.",
            ConvergenceWarning,
            stacklevel=5,
        )
    full = source.reduce(lambda block: learner.summarize(block, found.model))
    assert isinstance(full, FullMoments)
    tally = source.reduce(lambda block: Tally.of(learner.shares(block)))
    assert isinstance(tally, Tally)
    kept = PatternMoments(np.ones((1, len(full.shift)), dtype=bool), full, len(names))
    bayes = replace(plan.bayes, product=Product((Group(0, learner.family),)))
    plan = replace(plan, bayes=bayes, passes=found.passes + 3)
    summary = ByClass.of(names, tally, Together((kept,)))
    fitted = FittedModel(plan, source.schema, summary, model._declare(names).besides(summary))
    origin = Origin(model.n_features_in_, column_names(model), library(X), label_type(y), cell_type(table))
    return fitted, origin


def _independent(source: MemorySource, learner: Passes) -> FullMoments:
    """Where to begin: columns that do not vary together, each over the cells that are there."""
    kept = source.reduce(
        lambda block: Together((Tally.of(learner.shares(block)), Moments.of(block.parts[0], learner.shares(block))))
    )
    assert isinstance(kept, Together)
    tally, moments = kept.parts
    assert isinstance(tally, Tally)
    assert isinstance(moments, Moments)
    whole, met = moments.pooled(), moments.rows > 0
    mean = np.where(met, (moments.mean - exact(moments.shift)).value, (whole.mean - exact(moments.shift)).value)
    variance = np.where(met, moments.variance, whole.variance)
    weight = tally.weight.value
    spread = variance[:, :, None] * np.eye(len(moments.shift)) + mean[:, :, None] * mean[:, None, :]
    sums = exact(weight), exact(weight[:, None] * mean), exact(weight[:, None, None] * spread)
    return FullMoments(moments.shift, tally.rows, *sums)
