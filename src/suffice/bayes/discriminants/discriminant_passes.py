"""Discriminant analysis in passes: where rows lack cells in more ways than a summary may hold.

The same estimate as on the moments of each pattern, by `passes_over_rows`.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from suffice.bayes.learner import Bayes
from suffice.core.block import Block, Coded
from suffice.core.by_class import ByClass
from suffice.core.learner import Always, Source, iterate, learn
from suffice.core.schema import Schema
from suffice.core.shares import Shares
from suffice.core.summary import Together
from suffice.families.normals.normal import DiagonalNormal
from suffice.families.normals.passes_over_rows import PassesOverRows, independent
from suffice.families.product import Group, Product
from suffice.summaries.pattern_moments import PatternMoments

MOST = 300  # passes
SETTLED = 1e-3  # standard deviations by which no parameter moves any more: far below what the rows can tell
AROUND = 3  # passes before the first (that which found too many patterns, and where to begin) and after the last

COLUMNS = Bayes(Product((Group(0, DiagonalNormal()),)))  # keeps what the columns of each class are by themselves


@dataclass(frozen=True)
class NormalPasses(PassesOverRows):
    """A normal family learned in passes, class by class."""

    classes: tuple[Any, ...]  # in canonical order

    def shares(self, block: Block) -> Shares:
        """Labels as weights."""
        assert isinstance(block.y, Coded)
        place = {label: i for i, label in enumerate(self.classes)}
        own = np.array([*(place.get(label, -1) for label in block.y.labels[0]), -1], dtype=np.int32)
        return Shares.hard(own[block.y.codes[:, 0]], len(self.classes), block.w)


def in_passes(owner: str, plan: Any, source: Source) -> tuple[Any, Schema, ByClass, int]:
    """The plan with a prior that may not move, the schema, moments expected of complete rows, and how many passes."""
    schema, begun = learn(Always(COLUMNS), source)
    begin, source = independent(begun.summary.parts[0], begun.tally), source.read_as(schema)
    (group,) = plan.bayes.product.groups
    whole = begin.pooled()
    prior = group.family.prior.pinned(whole.mean.value[0], np.diagonal(whole.covariance[0]))
    learner = NormalPasses(replace(group.family, prior=prior), begun.labels)
    done = iterate(learner, source, learner.estimate(begin), max_iter=MOST, tol=SETTLED)
    if not done.settled:
        warnings.warn(
            f"{owner}: {MOST} passes over incomplete rows did not settle all parameters to {SETTLED:g} standard "
            "deviations. Raise prior_strength, or leave out columns that follow from others.",
            ConvergenceWarning,
            stacklevel=6,
        )
    full = learn(Always(learner), source, done.model).summary
    kept = PatternMoments(np.ones((1, len(full.shift)), dtype=bool), full, len(begun.labels))
    bayes = replace(plan.bayes, product=Product((Group(0, learner.family),)))
    return (
        replace(plan, bayes=bayes),
        schema,
        ByClass(begun.labels, begun.tally, Together((kept,))),
        done.passes + AROUND,
    )
