"""Squared errors of linear functions on rows that were left out, from summaries alone: no row is read again.

mean (y - f(x))^2 = (S_yy - 2 b.S_xy + b'S_xx b) / W + (mean of y - f(mean of x))^2         S: scatter about the means
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.core.folds import without_each
from suffice.core.learner import Source, learn_folds
from suffice.core.pairs import Pair, exact
from suffice.core.summary import Summary
from suffice.estimators.splits import Splits
from suffice.linear.problem import Problem
from suffice.linear.terms import ByTerm, Term


class Held(NamedTuple):
    """Rows that were left out, as far as errors depend on them."""

    weight: float
    mean: Pair  # (p + t,)
    scatter: Array  # (p + t, p + t) per unit of weight

    @classmethod
    def of(cls, summary: ByTerm, terms: tuple[Term, ...]) -> Held:
        """What a summary says of these terms."""
        moments = summary.align(terms).summary.moments
        weight = float(moments.weight.value[0])
        return cls(weight, Pair(*(half[0] for half in moments.mean)), moments.scatter.value[0] / (weight or 1.0))

    def errors(self, problem: Problem, coef: Array, target: int = 0) -> Array:
        """Mean squared error (m,) of coefficients (m, p) that were found for another problem of the same terms."""
        p, _ = problem.width
        at = p + target
        S, apart = self.scatter, (self.mean - (exact(problem.shift) + problem.offset)).value
        level = apart[at] - coef @ apart[:p]
        spread = S[at, at] - 2.0 * coef @ S[:p, at] + ((coef @ S[:p, :p]) * coef).sum(axis=1)
        return np.asarray(np.maximum(spread, 0.0) + level**2)

    def variance(self, target: int, p: int) -> float:
        """Variance of a target (the squared error of its mean)."""
        return float(self.scatter[p + target, p + target])


class Fold(NamedTuple):
    """A problem to learn from, and the rows left out of it."""

    problem: Problem
    held: Held


def folds_of(learner: Any, source: Source, splits: Splits, n: int) -> tuple[ByTerm, list[Fold]]:
    """The summary of all rows, and the folds: one pass where they part the rows, else one a split."""
    if splits.folds is not None:
        parts = [_by_term(part) for part in learn_folds(learner, source, splits.folds)]
        total = ByTerm.sum(parts)
        pairs = list(zip(without_each(parts, lambda a, b: a + b), parts, strict=True))
    else:
        pairs = [_split(learner, source, *pair, n) for pair in splits.pairs]
        total = _by_term(source.reduce(learner.summarize))
    terms = learner.design.choose(total.terms)
    folds = [Fold(Problem.of(rest, terms, learner.intercept), Held.of(part, terms)) for rest, part in pairs]
    return total, _weighing(folds, learner.design.owner)


def _weighing(folds: list[Fold], owner: str) -> list[Fold]:
    """The folds whose rows weigh something: a row of weight 0 is no row, and a fold of such rows no fold."""
    kept = [fold for fold in folds if fold.held.weight > 0.0]
    if not kept or min(fold.problem.weight for fold in kept) <= 0.0:
        rule = "such that rows of some weight are learned from and tested in a split"
        raise bad(owner, "cv", rule, Said("rows of weight 0 alone"), "Use other folds, or leave these rows out.")
    return kept


def _split(learner: Any, source: Source, train: Array, test: Array, n: int) -> tuple[ByTerm, ByTerm]:
    codes = np.full(n, 2, dtype=np.int64)
    codes[train], codes[test] = 0, 1
    if len(np.unique(np.concatenate([train, test]))) < len(train) + len(test):
        rule = "such that no row comes twice in a split"
        raise bad(learner.design.owner, "cv", rule, "a row that does", "Use folds, or weights for copies.")
    parts = learn_folds(learner, source, codes)
    return _by_term(parts[0]), _by_term(parts[1])


def _by_term(summary: Summary) -> ByTerm:
    assert isinstance(summary, ByTerm)
    return summary
