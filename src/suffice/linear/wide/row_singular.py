"""Singular values of rows, and of the triangle they are known by: what ridge regression of many penalties shares."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.linear.regression.least_squares_problem import Problem
from suffice.linear.wide.row_problem import RowProblem
from suffice.numerics.memory import memory

NARROWEST = 1e-13  # of the largest square of a direction: what is rounding
EVEN = 0.03  # of the longest direction: the shortest one that products know to 13 digits


class Directions(NamedTuple):
    """A = U diag(d) V with A the rows about their mean, or their triangle: in what directions they spread, how far."""

    d: Array  # (r,)
    V: Array  # (r, p)
    reach: Array  # (r, t) U'Y
    missed: Array  # (t,) sum of squares of the targets that no coefficients reach

    @classmethod
    def of(cls, problem: Problem | RowProblem) -> Directions:
        """Of rows as many as there are, where they are fewer than the columns; nothing of columns x columns is made."""
        if isinstance(problem, RowProblem) and problem.rows < problem.width[0]:
            return cls._of_rows(problem)
        whole = problem.whole
        U, d, V = np.linalg.svd(whole.A)
        return cls(d, V, U.T @ whole.Y, (whole.C**2).sum(axis=0))

    @classmethod
    def _of_rows(cls, problem: RowProblem) -> Directions:
        need = 4 * 8 * problem.rows * problem.width[0]
        if need > memory() // 2:
            rule = "so few that rows that are filled in fit into half of the memory"
            remedy = "Use fewer rows or columns, or Ridge under one penalty."
            raise bad("X", "the columns", rule, Said(f"{problem.width[0]:,}, for {need:,} bytes"), remedy)
        A = problem.A.filled()
        U, d, V = _by_products(A, problem.intercept) or np.linalg.svd(A, full_matrices=False)
        reach = U.T @ problem.Y
        return cls(d, V, reach, ((problem.Y - U @ reach) ** 2).sum(axis=0))


def _by_products(A: Array, centred: bool) -> tuple[Array, Array, Array] | None:
    """The same from products of rows, a third of the time; None where that would cost digits.

    The direction without extent that rows about their mean have is left out; where there are more, rounding hides them.
    """
    squares, U = np.linalg.eigh(A @ A.T)
    live = squares > NARROWEST * squares[-1]
    d = np.sqrt(squares[live])
    if len(d) < len(A) - centred or not len(d) or d[0] < EVEN * d[-1]:
        return None
    U = U[:, live]
    return U, d, (U / d).T @ A
