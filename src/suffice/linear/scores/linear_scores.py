"""Linear scores of classes: what is kept of each class, and how directions follow from it. No scikit-learn.

score(x) = at + (x - centre) . coef;     two classes have one score, above 0 for the second; more have one each
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from suffice.core.block import Array, Block, Coded
from suffice.core.by_class import ByClass
from suffice.core.errors import bad
from suffice.core.shares import Shares
from suffice.core.tally import Tally
from suffice.linear.design import Design
from suffice.linear.regression.linear_learner import kept_of, means_of
from suffice.linear.terms import ByTerm, Factor, Term, term_name
from suffice.numerics.linear_values import complete_values, linear_values
from suffice.summaries.full_moments import FullMoments


class ScoreRule(Protocol):
    """How directions follow from what is kept of each class."""

    def scores(self, kept: ByTerm, classes: tuple[Any, ...], owner: str) -> tuple[Array, Array, Array]:
        """Coefficients (K', p), levels (K',) and the centre (p,) that they are about."""

    def solved(self, kept: ByTerm, owner: str) -> tuple[Array, Array, Array]:
        """The same where each target is a label of its own, +1 in rows that have it and -1 in others."""


@dataclass(frozen=True)
class Ties:
    """What is answered where no class is ahead."""

    place: int | None  # of the class; None: nothing


TIES: Mapping[str, Ties] = {"first": Ties(0), "last": Ties(-1), "refuse": Ties(None)}


def read_ties(owner: str, given: Any) -> Ties:
    """The rule of a name."""
    if not isinstance(given, str) or given not in TIES:
        raise bad(owner, "ties", f"one of {', '.join(TIES)}", given, "A row on the boundary has no class of its own.")
    return TIES[given]


@dataclass(frozen=True)
class ScoreModel:
    """Linear scores of classes."""

    design: Design
    classes: tuple[Any, ...]
    terms: tuple[Term, ...]
    coef: Array  # (K', p)
    at: Array  # (K',)
    centre: Array  # (p,)
    means: Mapping[Factor, float]  # of the factors
    tied: int | None = None  # the class of rows where none is ahead; None: none

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the terms."""
        return tuple(term_name(term) for term in self.terms)

    @property
    def intercept(self) -> Array:
        """The scores at 0 (K',)."""
        return np.asarray(self.at - self.coef @ self.centre)

    def scores(self, block: Block) -> Array:
        """The scores of each row (n, K')."""
        about = self.coef, self.at, self.centre
        values = complete_values(block.parts[0], *about) if self._plain else None
        if values is not None:
            return values
        if self._plain and not self.design.refuse_missing(block.parts, block.start):
            return linear_values(block.parts[0], *about)
        return linear_values(self.design.matrix(block.parts, self.terms, self.means, block.start), *about)

    @cached_property
    def _plain(self) -> bool:
        return self.design.plain(self.terms)

    def sides(self, block: Block) -> Array:
        """The number of the class with the largest score, -1 where ties are refused and no class is ahead (n,)."""
        sides = self._sides(block)
        if self.tied is None or not len(sides) or sides.min() >= 0:
            return sides
        return np.where(sides < 0, self.tied % len(self.classes), sides)

    def _sides(self, block: Block) -> Array:
        """-1 where no class is ahead."""
        scores = self.scores(block)
        if len(self.classes) == 1:
            return np.zeros(len(scores), dtype=np.intp)
        if scores.shape[1] == 1:
            return np.where(scores[:, 0] > 0, 1, np.where(scores[:, 0] < 0, 0, -1))
        best = scores.argmax(axis=1)  # the first of equals
        if self.tied == 0:
            return np.asarray(best)
        equal = scores == scores[np.arange(len(best)), best][:, None]
        if np.count_nonzero(equal) == len(best):
            return np.asarray(best)
        return np.where(equal.sum(axis=1) > 1, -1, best)


@dataclass(frozen=True)
class LabelScores(ScoreModel):
    """Linear scores of several labels a row: a row has those whose scores are above 0."""

    def labels(self, block: Block) -> Array:
        """Which labels each row has (n, K), 0 or 1."""
        return np.asarray(self.scores(block) > 0.0).astype(np.int64)


@dataclass(frozen=True)
class ScoreLearner:
    """Keeps weight, means and products of the terms of each class, in one pass."""

    design: Design
    rule: ScoreRule
    ties: Ties = Ties(0)

    def summarize(self, block: Block, model: ScoreModel | None = None) -> ByClass | ByTerm:
        """Some rows at a time, so that the matrix is never whole; of several labels a row, each is a target."""
        if not isinstance(block.y, Coded):
            nobody = np.zeros(block.n, dtype=np.int32)
            return kept_of(self.design, block, Shares.hard(nobody, 1, block.w), 2.0 * np.asarray(block.y) - 1.0)
        labels = block.y.labels[0]
        R = Shares.hard(block.y.codes[:, 0], len(labels), block.w)
        return ByClass.of(labels, Tally.of(R), kept_of(self.design, block, R, np.empty((block.n, 0))))

    def estimate(self, summary: ByClass | ByTerm, model: ScoreModel | None = None) -> ScoreModel:
        """Choose the terms, then the directions."""
        whole: Any = summary.summary if isinstance(summary, ByClass) else summary
        terms = self.design.choose(whole.terms)
        means = means_of(self.design, whole)
        kept, owner = whole.filled(means).align(terms), self.design.owner
        if isinstance(summary, ByClass):
            coef, at, centre = self.rule.scores(kept, summary.labels, owner)
            return ScoreModel(self.design, summary.labels, terms, coef, at, centre, means, self.ties.place)
        coef, at, centre = self.rule.solved(kept, owner)
        return LabelScores(self.design, tuple(range(kept.targets)), terms, coef, at, centre, means)


def means(kept: ByTerm) -> tuple[Array, FullMoments]:
    """Means less the shift (K, p), 0 where a class has no row, and the moments they are read from."""
    moments = kept.summary.moments
    first, weight = moments.first.value, moments.weight.value[:, None]
    return np.divide(first, weight, out=np.zeros_like(first), where=weight > 0), moments
