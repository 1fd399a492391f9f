"""Squared errors of linear functions on rows that were left out, from summaries alone: no row is read again.

mean (y - f(x))^2 = (S_yy - 2 b.S_xy + b'S_xx b) / W + (mean of y - f(mean of x))^2         S: scatter about the means
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.double_double import Pair, exact
from suffice.linear.regression.least_squares_problem import Problem
from suffice.linear.terms import ByTerm, Term
from suffice.linear.wide.held_rows import HeldOutRows
from suffice.linear.wide.row_problem import RowProblem


class HeldRows(NamedTuple):
    """Rows that were left out, as far as errors depend on them."""

    weight: float
    mean: Pair  # (p + t,)
    scatter: Array  # (p + t, p + t) per unit of weight

    @classmethod
    def of(cls, summary: ByTerm, terms: tuple[Term, ...]) -> HeldRows:
        """What a summary says of these terms."""
        moments = summary.align(terms).summary.moments
        weight = float(moments.weight.value[0])
        return cls(weight, Pair(*(half[0] for half in moments.mean)), moments.scatter.value[0] / (weight or 1.0))

    def errors(self, problem: Any, coef: Array, target: int = 0) -> Array:
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

    problem: Problem | RowProblem
    held: HeldRows | HeldOutRows
