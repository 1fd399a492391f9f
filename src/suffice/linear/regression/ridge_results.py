"""What a ridge regression lets one say of its coefficients, from the summary alone.

    cov(coef) = s^2 (S + alpha I)^-1 S (S + alpha I)^-1,   s^2 = (sum of squared residuals) / (n - degrees used)

The degrees used are the trace of S (S + alpha I)^-1, and one for the intercept. The variance is that of the estimate,
which the penalty draws towards 0: its bias is not in it.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import solve_triangular

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.linear.coefficient_tests import CoefficientTests, check_room
from suffice.linear.regression.least_squares_problem import Problem
from suffice.linear.regression.linear_learner import LinearModel
from suffice.linear.regression.solvers import penalties
from suffice.linear.wide.row_problem import RowProblem
from suffice.linear.wide.row_singular import Directions
from suffice.summaries.least_squares import EPSILON
from suffice.summaries.triangular import triangle_of


def ridge_results(model: LinearModel, penalty: tuple[float, ...], target: int = 0) -> CoefficientTests:
    """Tests of the coefficients of one target."""
    problem, owner = model.problem, model.design.owner
    p, t = problem.width
    if not 0 <= target < t:
        raise bad(owner, "target", f"the number of a target, below {t}", target, "Number from 0.")
    check_room(owner, p + 1)
    alpha = float(penalties(penalty, problem, owner)[target])
    if isinstance(problem, RowProblem) and problem.rows < p:
        root, used, mean = _of_rows(problem, alpha)
    else:
        problem = problem.whole
        root, used, mean = _of_products(problem, alpha)
    squares = float(problem.residual(model.coef.T)[target, target])
    names, coef = model.names, model.coef[target]
    if problem.intercept:
        top = np.append(1.0 / np.sqrt(problem.weight), -mean @ root)
        root = np.vstack([top, np.hstack([np.zeros((p, 1)), root])])
        used, names, coef = used + 1.0, ("intercept", *names), np.append(model.intercept[target], coef)
    n = problem.weight
    degrees = n - used
    variance = squares / degrees if degrees > 0 else float("nan")
    with np.errstate(divide="ignore"):
        likelihood = float(-0.5 * n * (np.log(2.0 * np.pi * squares / n) + 1.0))
    return CoefficientTests(owner, tuple(names), coef, variance * (root @ root.T), used, n, likelihood, degrees)


def _of_products(problem: Problem, alpha: float) -> tuple[Array, float, Array]:
    """A root of (S + alpha I)^-1 S (S + alpha I)^-1 (p, p), the degrees used, and the means of the terms."""
    p, _ = problem.width
    T = triangle_of(np.vstack([problem.A, np.sqrt(alpha) * np.eye(p)]))[:p]
    pulled: Array = solve_triangular(T, problem.A.T, trans="T")  # T^-T A'
    root = np.asarray(solve_triangular(T, pulled))
    return root, float((pulled**2).sum()), problem.shift[:p] + problem.offset.value[:p]


def _of_rows(problem: RowProblem, alpha: float) -> tuple[Array, float, Array]:
    """The same (p, rows) of rows fewer than terms, by their singular values: S has no other directions."""
    d, V, _, _ = Directions.of(problem)
    live = d > EPSILON * len(problem.centre) * d.max(initial=0.0)
    d, V = d[live], V[live]
    return np.asarray(V.T * (d / (d**2 + alpha))), float((d**2 / (d**2 + alpha)).sum()), problem.centre
