"""Ridge regression on rows left out one by one, for many penalties at once, without refitting.

    y_i - f_-i(x_i) = (y_i - f(x_i)) / (1 - w_i h_i),     h_i = 1/W + (x_i - mean)' (S + alpha I)^-1 (x_i - mean)

One singular value decomposition of the triangle serves all penalties; it never squares the condition number.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.double_double import exact
from suffice.core.shares import Shares
from suffice.linear.regression.least_squares_problem import Problem, least_squares
from suffice.linear.regression.linear_learner import LinearModel, means_of
from suffice.linear.terms import ByTerm
from suffice.linear.wide.row_problem import RowProblem
from suffice.linear.wide.row_singular import Directions
from suffice.summaries.moments import Moments


def shrunken(problem: Problem | RowProblem, penalties: Array, target: int = 0) -> Array:
    """Coefficients (m, p) of ridge regression for each penalty: V diag(d / (d^2 + alpha)) U'Y of A = U diag(d) V'."""
    d, V, reach, _ = Directions.of(problem)
    live = penalties > 0
    coef = np.empty((len(penalties), V.shape[1]))
    coef[live] = (d * reach[:, target] / (d**2 + penalties[live, None])) @ V
    if not live.all():
        found = problem.solve(0.0, "RidgeCV") if isinstance(problem, RowProblem) else least_squares(problem)
        coef[~live] = found[:, target]
    return coef


def generalized(problem: Problem | RowProblem, penalties: Array) -> Array:
    """Generalized cross-validation of ridge regression (t, m), from the sums of all rows alone.

        W |y - f|^2 / (W - trace)^2,     trace = 1 + sum_i d_i^2 / (d_i^2 + alpha)        W the weight of all rows

    It is what leaving out rows one by one gives if all of them have the leverage that they have on average.
    """
    d, _, reach, beyond = Directions.of(problem)
    squares = d[:, None] ** 2
    kept = np.divide(squares, squares + penalties, out=np.zeros((len(d), len(penalties))), where=squares > 0)  # (p, m)
    free = problem.weight - problem.intercept - kept.sum(axis=0)
    missed = (reach**2).T @ (1.0 - kept) ** 2 + beyond[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(free > 0.0, problem.weight * missed / free**2, np.inf)


@dataclass(frozen=True)
class LeftOut:
    """What is needed to leave out any row."""

    model: LinearModel  # gives the terms of rows
    centre: Array  # (p,) mean of the terms; 0 without an intercept
    level: Array  # (t,) mean of the targets; 0 without an intercept
    share: float  # 1/W; 0 without an intercept
    V: Array  # (p, r) directions in columns
    reach: Array  # (r, t) coefficients along them, before they are shrunken
    shrink: Array  # (r, m) 1 / (d^2 + alpha)

    @cached_property
    def whole(self) -> bool:
        """Whether rows are matrices as they come: their columns are the terms, and no cell that counts is missing."""
        return self.model.design.plain(self.model.terms)

    @classmethod
    def of(cls, learner: Any, problem: Problem | RowProblem, total: ByTerm, penalties: Array) -> LeftOut:
        """From the summary of all rows."""
        p, t = problem.width
        if isinstance(problem, RowProblem):
            centre, level = problem.centre, problem.level
        else:
            mean = (exact(problem.shift) + problem.offset).value
            centre, level = mean[:p], mean[p:]
        means = means_of(learner.design, total)
        model = LinearModel(learner.design, problem, np.zeros((t, p)), centre, level, level, means)
        d, V, reach, _ = Directions.of(problem)
        share = 1.0 / problem.weight if problem.intercept else 0.0
        return cls(model, centre, level, share, V.T, d[:, None] * reach, 1.0 / (d[:, None] ** 2 + penalties))

    def errors(self, block: Block) -> Array:
        """Weighted squared error of each row, target and penalty (n, t, m)."""
        squares = self._apart(block) ** 2
        return squares if block.w is None else np.asarray(block.w[:, None, None] * squares)

    def predictions(self, block: Block) -> Array:
        """What models of all other rows say of each row (n, t, m)."""
        assert isinstance(block.y, np.ndarray)
        return np.asarray(block.y[:, :, None] - self._apart(block))

    def _apart(self, block: Block) -> Array:
        """Target less prediction by the other rows (n, t, m)."""
        assert isinstance(block.y, np.ndarray)
        X = block.parts[0] if self.whole and block.w is None else self.model.matrix(block)
        Z = X @ self.V - self.centre @ self.V if hasattr(X, "indptr") else (X - self.centre) @ self.V
        leverage = self.share + Z**2 @ self.shrink  # (n, m)
        leverage = leverage if block.w is None else block.w[:, None] * leverage
        out = np.empty((block.n, block.y.shape[1], self.shrink.shape[1]))
        for j in range(out.shape[1]):
            apart = (block.y[:, j] - self.level[j])[:, None] - Z @ (self.reach[:, [j]] * self.shrink)
            out[:, j] = apart / (1.0 - leverage)
        return out


@dataclass(frozen=True)
class LeftOutErrors:
    """Keeps the means of squared errors of rows that are left out one by one: they add, wherever rows are read."""

    left_out: LeftOut

    def summarize(self, block: Block, model: None = None) -> Moments:
        """Of one column a target and penalty."""
        errors = np.asarray(self.left_out.errors(block)).reshape(block.n, -1)
        return Moments.of(errors, Shares.hard(np.zeros(block.n, dtype=np.int32), 1))
