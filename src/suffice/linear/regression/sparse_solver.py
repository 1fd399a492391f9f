"""The solver behind lasso and elastic net: coefficients are 0 where they bring too little. No scikit-learn."""

from __future__ import annotations

import sys
import warnings
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from suffice.core.block import Array
from suffice.core.double_double import Pair, exact
from suffice.core.registry import saved
from suffice.linear.regression.coordinate_descent import Path, Quadratic, descend, duality_gap
from suffice.linear.regression.least_squares_problem import Problem
from suffice.linear.regression.solvers import LeastSquares, Positive, Shrunken
from suffice.linear.wide.row_problem import RowProblem
from suffice.linear.wide.working_set import descend_rows, rows_gap


class NotSettled(UserWarning):
    """Coefficients were still changing when the sweeps ran out."""


@lru_cache
def _category(theirs: type[Warning] | None) -> type[Warning]:
    """The warning, and where scikit-learn is at hand one of its own kind too, so that its filters find it."""
    return NotSettled if theirs is None else type("NotSettled", (NotSettled, theirs), {"__doc__": NotSettled.__doc__})


@saved
@dataclass(frozen=True)
class Sparse:
    """The least mean square/2 plus alpha times (l1_ratio |b| + (1 - l1_ratio)/2 b^2)."""

    alpha: float = 1.0
    l1_ratio: float = 1.0
    tol: float = 1e-4
    max_iter: int = 1000
    positive: bool = False
    start: tuple[tuple[float, ...], ...] = ()  # coefficients to begin with, one tuple a target; none is 0

    def solve(self, problem: Problem | RowProblem, owner: str) -> Pair:
        """Coefficients (p, t); without a penalty on sizes there is a direct way."""
        if self.alpha * self.l1_ratio == 0.0:
            return self._smooth(problem, owner)
        found = [self.found(problem, j) for j in range(problem.width[1])]
        self.warn(owner, problem, found)
        return exact(np.array([path.coef[0] for path in found]).T)

    def found(self, problem: Problem | RowProblem, target: int, penalties: Array | None = None) -> Path:
        """The coefficients of one target, from products of columns or from the rows; of several penalties, if asked."""
        penalty = np.array([self.alpha]) if penalties is None else penalties
        if not isinstance(problem, RowProblem):
            return self.path(quadratic(problem, target), penalty, target)
        given = self.start[target] if target < len(self.start) else ()
        start = np.array(given) if len(given) == problem.width[0] else None
        options = {"tol": self.tol, "max_iter": self.max_iter, "positive": self.positive, "start": start}
        return descend_rows(problem.A, problem.Y[:, target], problem.weight, penalty, self.l1_ratio, **options)  # type: ignore[arg-type]

    def gap(self, problem: Problem | RowProblem, target: int, coef: Array) -> float:
        """How far the objective of one target can still fall at most, at some coefficients (p,)."""
        l1, l2 = self.alpha * self.l1_ratio, self.alpha * (1.0 - self.l1_ratio)
        if isinstance(problem, RowProblem):
            return rows_gap(problem.A, problem.Y[:, target], problem.weight, coef, l1, l2, self.positive)
        return duality_gap(quadratic(problem, target), coef, l1, l2, self.positive)

    def path(self, problem: Quadratic, penalties: Array, target: int = 0) -> Path:
        """Coefficients for each penalty, from the largest to the smallest."""
        given = self.start[target] if target < len(self.start) else ()
        start = np.array(given) if len(given) == len(problem.c) else None
        if start is not None and len(penalties) == 1:  # it may be good enough as it is
            l1, l2 = penalties[0] * self.l1_ratio, penalties[0] * (1.0 - self.l1_ratio)
            gap = duality_gap(problem, start, l1, l2, self.positive)
            if gap <= self.tol * problem.yy:
                return Path(start[None], np.array([gap]), np.zeros(1, dtype=np.int64))
        options = {"tol": self.tol, "max_iter": self.max_iter, "positive": self.positive, "start": start}
        return descend(problem, penalties, self.l1_ratio, **options)  # type: ignore[arg-type]

    def warn(self, owner: str, problem: Problem | RowProblem, found: list[Path]) -> None:
        """Say so where the gap is larger than asked for."""
        for j, path in enumerate(found):
            limit = self.tol * problem.square(j) / (problem.weight or 1.0)
            if max(path.gap.tolist(), default=0.0) > limit:
                warnings.warn(
                    f"{owner}: the objective may still fall by {path.gap.max():.2e} after {self.max_iter} sweeps, "
                    f"where tol allows {limit:.2e}. Raise max_iter or tol.",
                    _category(getattr(sys.modules.get("sklearn.exceptions"), "ConvergenceWarning", None)),
                    stacklevel=2,
                )

    def _smooth(self, problem: Problem | RowProblem, owner: str) -> Pair:
        penalty = (self.alpha * (1.0 - self.l1_ratio) * problem.weight,)
        if self.positive:
            return Positive(penalty).solve(problem, owner)
        return (Shrunken(penalty) if penalty[0] > 0 else LeastSquares()).solve(problem, owner)


def largest_penalty(problem: Problem | RowProblem, l1_ratio: float, positive: bool = False) -> float:
    """The smallest penalty under which all coefficients of the first target are 0."""
    if not isinstance(problem, RowProblem):
        return quadratic(problem).largest(l1_ratio, positive)
    pulls = problem.A.back(problem.Y[:, 0]) / (problem.weight or 1.0)
    return float((pulls if positive else np.abs(pulls)).max(initial=0.0)) / l1_ratio


def quadratic(problem: Problem, target: int = 0) -> Quadratic:
    """What coordinate descent needs of a problem, for one of its targets."""
    p, _ = problem.width
    products = problem.products.value / (problem.weight or 1.0)
    return Quadratic(products[:p, :p], products[:p, p + target], float(products[p + target, p + target]))
