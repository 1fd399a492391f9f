"""Where logistic regression begins: one pass that finds the classes, the terms, their means and their scales."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from suffice.core.block import Array, Block, Coded
from suffice.core.by_class import ByClass
from suffice.core.kinds import Storage
from suffice.core.learner import Always, Source, learn
from suffice.core.shares import Shares
from suffice.core.summary import Summary, Together
from suffice.core.tally import Tally
from suffice.linear.design import Design
from suffice.linear.logistic.logistic_learner import LogisticModel
from suffice.linear.terms import Factor
from suffice.linear.wide.wide_logistic import wide_rows
from suffice.summaries.counts import Counts
from suffice.summaries.moments import Moments
from suffice.summaries.vanishing import refuse_vanishing

FLAT = 1e3  # sizes of the deviation of a column that does not vary: far from 0, so that it is centred before all else
ENOUGH = 1_000  # rows of a block that say about where a column lies and how wide it is


def _some(part: Array, R: Shares) -> Moments:
    """Centre and scale only keep the digits of the passes: any that are about right will do."""
    every = max(1, len(part) // ENOUGH)
    return Moments.of(part[::every], R[::every])


KEPT: dict[Storage, Callable[[Any, Shares], Summary]] = {Storage.NUMBERS: _some, Storage.SYMBOLS: Counts.of}


@dataclass(frozen=True)
class FirstLook:
    """Finds the classes, the terms, their means and their scales."""

    design: Design
    wide: bool = False  # whether moments, which would take longer than all else, are left out

    def summarize(self, block: Block, model: None = None) -> ByClass:
        """Moments of numbers and counts of symbols, by class; a missing cell is refused."""
        assert isinstance(block.y, Coded)
        self.design.refuse_missing(block.parts, block.start)
        labels = block.y.labels[0]
        R = Shares.hard(block.y.codes[:, 0], len(labels), block.w)
        parts = zip(self.design.schema.parts, block.parts, strict=True)
        kept = () if self.wide else tuple(KEPT[storage](part, R) for (storage, _), part in parts)
        return ByClass.of(labels, Tally.of(R), Together(kept))

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
    found: dict[Factor, tuple[float, float]] = {}
    wide = not look.summary.parts
    for (storage, places), kept in zip(() if wide else design.schema.parts, look.summary.parts, strict=True):
        names = [design.schema.columns[i].name for i in places]
        found |= _READ[storage](names, kept)
    terms = design.numbers if wide else design.choose([(factor,) for factor in found])
    centre, scale = (np.array([found[term[0]][i] for term in terms]) for i in (0, 1)) if not wide else _plain(terms)
    levels = {factor: mean for factor, (mean, _) in found.items() if factor.symbol}
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


def _numbers(names: Sequence[Any], kept: Moments) -> dict[Factor, tuple[float, float]]:
    """Mean and standard deviation of each column."""
    whole = kept.pooled()
    refuse_vanishing(whole)
    spread: Array = np.sqrt(whole.variance[0])
    return {Factor(name): (float(whole.mean.value[0, j]), float(spread[j])) for j, name in enumerate(names)}


def _symbols(names: Sequence[Any], kept: Counts) -> dict[Factor, tuple[float, float]]:
    """Share of each level, and the standard deviation of its indicator."""
    out: dict[Factor, tuple[float, float]] = {}
    for j, name in enumerate(names):
        weight = kept.column(j).sum(axis=0)
        for level, share in zip(kept.labels[j], weight / weight.sum(), strict=True):
            out[Factor(name, level, True)] = float(share), float(np.sqrt(share * (1.0 - share)))
    return out


_READ: dict[Storage, Any] = {Storage.NUMBERS: _numbers, Storage.SYMBOLS: _symbols}
