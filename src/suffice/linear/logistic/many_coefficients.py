"""Logistic regression with many coefficients of a table in memory: Newton's method by conjugate gradients.

A curvature of 650 x 650, as ten classes of 64 columns have, costs as much as a hundred passes over their rows. It is
made once, near the optimum, of the rows that still bend there, and only to guess by: each step solves the equations of
all rows, by products of rows with a change of the coefficients, to as many digits as Newton's own last step has.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.linalg.lapack import dposv, dpotrf, dpotrs

from suffice.core.block import Array, Block
from suffice.core.learner import Passes
from suffice.linear.logistic.logistic_learner import LogisticModel
from suffice.linear.logistic.logistic_sums import curvature
from suffice.linear.logistic.proximal_newton import CoefficientPenalty, held_sums
from suffice.linear.wide.wide_logistic import INNER, RowLoss, descend

MANY = 128  # coefficients from which this is faster than their curvature
NEAR = 0.1  # share of the objective left to gain from which the curvature is known well enough to guess by
ROUNDING = 1e-24  # share of the objective that twelve digits of the coefficients cannot tell
BENT = 1e-3  # of the largest curvature of a row: what is left out of the guess


def descend_many(
    block: Block, start: LogisticModel, penalty: CoefficientPenalty, intercept: bool, max_iter: int, tol: float
) -> Passes[LogisticModel]:
    """Steps over the rows of a block of numbers without missing cells, under a penalty on squares."""
    return descend(_DenseLoss(block, start, penalty, intercept), start, max_iter, tol)


def descend_directly(
    block: Block, start: LogisticModel, penalty: CoefficientPenalty, intercept: bool, max_iter: int, tol: float
) -> Passes[LogisticModel]:
    """The same for two classes and few columns: the equations of a step are solved at once."""
    return descend(_SolvedLoss(block, start, penalty, intercept), start, max_iter, tol)


class _DenseLoss(RowLoss):
    """The loss over rows that are made: about their mean, with a column of ones. Classes are apart in memory."""

    more = 1  # it costs what a few passes do, and squares what is left

    def __init__(self, block: Block, start: LogisticModel, penalty: CoefficientPenalty, intercept: bool) -> None:
        """Rows are centred once."""
        super().__init__(block, start, penalty, intercept)
        self.Z = np.empty((len(self.w), 1 + len(self.A.mean)))
        self.Z[:, 0] = float(intercept)
        np.subtract(self.A.X, self.A.mean, out=self.Z[:, 1:])
        if intercept:
            self.Z[:, 1:][:, (self.A.X[0] == self.A.X).all(axis=0)] = 0.0  # which their mean may not be to the last bit
        self.objective = self.fallen = np.inf
        self.factor: Any = None  # of the curvature, once it is known

    def step(self, theta: Array) -> tuple[Array, float]:
        """A change of theta, and how far the loss should fall by it."""
        self.theta = theta
        change, self.fallen = super().step(theta)
        return change, self.fallen

    def scores(self, theta: Array) -> Array:
        """The linear functions (n, L)."""
        return np.asarray((theta.T @ self.Z.T).T)

    def value(self, theta: Array) -> float:
        """Loss and penalty."""
        found = super().value(theta)
        self.objective = min(self.objective, found)
        return found

    def _back(self, values: Array) -> Array:
        return np.asarray((values.T @ self.Z).T)

    def _bent(self, change: Array, p: Array) -> Array:
        """The curvature times a change; of two classes one has a score, and the other the rest of the probability."""
        moved = self.scores(change)
        moved -= np.einsum("nk,nk->n", p, moved)[:, None]
        moved *= self.heavy
        return self._back(moved) + self._pull(change)

    def _enough(self, first: float) -> float:
        """The smaller the share of the objective that is to be gained, the more digits the step is solved to."""
        whole = max(self.objective, 1e-300)
        return max(first * INNER**2 * min(1.0, first / whole), ROUNDING * whole)

    def _guess(self, p: Array) -> Callable[[Array], Array]:
        self.heavy = self.w[:, None] * p
        if self.factor is None and self.fallen <= NEAR * self.objective:
            self.factor = self._curved(p)
        if self.factor is None:
            return super()._guess(p)
        q, L = self.Z.shape[1], p.shape[1]
        return lambda left: np.asarray(dpotrs(self.factor, left.T.ravel())[0]).reshape(L, q).T

    def _curved(self, p: Array) -> Any:
        """Cholesky's factor of the curvature of the rows that bend; None where rounding leaves it none."""
        bent = self.w * (p * (1.0 - p)).sum(axis=1)
        rows = np.flatnonzero(bent >= BENT * bent.max())
        (q, L), free = self.theta.shape, np.zeros(self.Z.shape[1] - 1)
        about = self.theta[1:].T, self.theta[0], free, free, free + 1.0
        H = curvature(self.Z[rows, 1:], self.w[rows], *about)
        H += held_sums(L, q, np.diagonal(H), all_of_them=False)
        diagonal = np.einsum("ii->i", H)
        diagonal += np.tile(np.append(0.0, np.full(q - 1, self.penalty.l2)), L)
        diagonal[diagonal <= 0.0] = 1.0
        if not self.intercept:
            H[::q], H[:, ::q] = 0.0, 0.0
            diagonal[::q] = 1.0
        factor, failed = dpotrf(H.T, overwrite_a=1)
        return None if failed else factor


class _SolvedLoss(_DenseLoss):
    """Two classes and few columns: the curvature of all rows is made and solved for in every step."""

    more = 0

    def _conjugate(self, slope: Array, p: Array) -> tuple[Array, float]:
        H = (self.Z.T * (self.w * (p * (1.0 - p))[:, 0])) @ self.Z
        diagonal = np.einsum("ii->i", H)
        diagonal[1:] += self.penalty.l2
        diagonal[diagonal <= 0.0] = 1.0  # without an intercept, the first; its slope is 0
        _, change, failed = dposv(H, -slope)
        if failed:
            self.heavy = self.w[:, None] * p
            return super()._conjugate(slope, p)
        return np.asarray(change), -0.5 * float(np.vdot(slope, change))
