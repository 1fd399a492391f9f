"""Squared errors of linear functions on rows that were left out and kept as they are: more columns than rows."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.double_double import exact
from suffice.linear.regression.least_squares_problem import Problem
from suffice.linear.wide.row_problem import RowProblem
from suffice.summaries.rows_summary import RowsSummary


class HeldOutRows(NamedTuple):
    """Rows that were left out."""

    kept: RowsSummary

    @property
    def weight(self) -> float:
        """Of all of them."""
        return float(self.kept.weights.sum())

    def errors(self, problem: Problem | RowProblem, coef: Array, target: int = 0) -> Array:
        """Mean squared error (m,) of coefficients (m, p) that were found for another problem of the same terms."""
        X, p = self.kept.X, problem.width[0]
        if isinstance(problem, RowProblem):
            centre, level = problem.centre, problem.level[target]
        else:
            mean = (exact(problem.shift) + problem.offset).value
            centre, level = mean[:p], mean[p + target]
        said = X @ coef.T - coef @ centre if self.kept.sparse else (X - centre) @ coef.T
        apart = (self.kept.Y[:, target] - level)[:, None] - said
        return np.asarray(self.kept.weights @ apart**2 / (self.weight or 1.0))

    def variance(self, target: int, p: int) -> float:
        """Variance of a target (the squared error of its mean)."""
        w, y = self.kept.weights, self.kept.Y[:, target]
        total = self.weight or 1.0
        return float(w @ (y - w @ y / total) ** 2 / total)
