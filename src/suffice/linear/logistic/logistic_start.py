"""Where logistic regression begins: one pass that finds the classes, the terms, their means and their scales."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from suffice.core.block import Array, Block, Coded
from suffice.core.by_class import ByClass
from suffice.core.learner import Always, Source, learn
from suffice.core.shares import Shares
from suffice.core.summary import Together
from suffice.core.tally import Tally
from suffice.estimators.design.factor_means import factor_means, kept_of_parts
from suffice.linear.design import Design
from suffice.linear.logistic.logistic_learner import LogisticModel
from suffice.linear.wide.wide_logistic import wide_rows

FLAT = 1e3  # sizes of the deviation of a column that does not vary: far from 0, so that it is centred before all else


@dataclass(frozen=True)
class FirstLook:
    """Finds the classes, the terms, their means and their scales."""

    design: Design
    wide: bool = False  # whether moments, which would take longer than all else, are left out

    def summarize(self, block: Block, model: None = None) -> ByClass:
        """Moments of numbers and counts of symbols, by class: centre and scale only keep the digits of the passes."""
        assert isinstance(block.y, Coded)
        self.design.refuse_missing(block.parts, block.start)
        labels = block.y.labels[0]
        R = Shares.hard(block.y.codes[:, 0], len(labels), block.w)
        if self.wide:
            return ByClass.of(labels, Tally.of(R), Together(()))
        kept = kept_of_parts(self.design.schema, block.parts, R, thin=not self.design.gaps)
        return ByClass.of(labels, Tally.of(R), kept)

    def estimate(self, summary: ByClass, model: None = None) -> LogisticModel:
        """All coefficients 0, and intercepts that say the class shares."""
        return beginning(self.design, summary)

    def at(self, source: Source) -> ByClass:
        """What a pass over rows of one schema finds."""
        own = replace(self, wide=wide_rows(source, self.design) is not None)
        look = learn(Always(own), source).summary
        assert isinstance(look, ByClass)
        return look


def beginning(design: Design, look: ByClass) -> LogisticModel:
    """All coefficients 0, and intercepts that say the class shares."""
    shares = look.tally.weight.value / look.tally.weight.value.sum()
    assert isinstance(look.summary, Together)
    wide = not look.summary.parts
    found = {} if wide else factor_means(design.schema, look.summary, look.tally, design.gaps)
    terms = design.numbers if wide else design.choose([(factor,) for factor in found])
    centre, scale = _plain(terms) if wide else (np.array([found[term[0]][i] for term in terms]) for i in (0, 1))
    levels = {factor: mean for factor, (mean, _) in found.items() if factor.symbol or design.gaps}
    K = len(look.labels)
    theta = np.zeros((1 if K == 2 else K, 1 + len(terms)))
    with np.errstate(divide="ignore"):
        log_prior = np.log(shares)
    theta[:, 0] = log_prior[1] - log_prior[0] if K == 2 else log_prior - log_prior.mean()
    scale = np.where(scale > 0, scale, np.where(centre == 0.0, 1.0, np.abs(centre) / FLAT))
    return LogisticModel(look.labels, log_prior, design, terms, levels, centre, scale, theta)


def _plain(terms: Sequence[Any]) -> tuple[Array, Array]:
    """About 0, in the units of the table."""
    return np.zeros(len(terms)), np.ones(len(terms))
