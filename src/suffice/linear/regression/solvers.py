"""Solvers: which coefficients a model takes for a least-squares problem. No scikit-learn."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np

from suffice.core.block import Array
from suffice.core.double_double import Pair, exact
from suffice.core.errors import Said, bad
from suffice.core.registry import saved
from suffice.linear.regression.least_squares_problem import Problem, least_squares, positive, refined, ridge
from suffice.linear.wide.row_problem import RowProblem
from suffice.numerics.arrays import every

ALIKE = 2.0**-40  # singular values that differ by less, relative to the largest, are taken for equal


class NotUnique(UserWarning):
    """Other coefficients would do as well."""


@saved
@dataclass(frozen=True)
class LeastSquares:
    """The least sum of squares; of all coefficients that reach it, the shortest."""

    tol: float = 0.0

    @property
    def quadratic(self) -> float | None:
        """The penalty of squares under which products of columns say it all; None: a limit of its own decides."""
        return 0.0 if self.tol == 0.0 else None

    def solve(self, problem: Problem | RowProblem, owner: str) -> Pair:
        """Coefficients (p, t)."""
        if isinstance(problem, RowProblem):
            return exact(problem.solve(0.0, owner, self.tol))
        problem.warn(owner, self.tol)
        if every(problem.length):
            return self._found(problem)
        live, coef = problem.length > 0.0, exact(np.zeros(problem.width))
        for half, new in zip(coef, self._found(problem.some(live)), strict=True):
            half[live] = new
        return coef

    def _found(self, problem: Problem) -> Pair:
        coef = least_squares(problem, self.tol)
        return refined(problem, problem.A, coef) if problem.rank(self.tol) == len(coef) > 0 else exact(coef)


@saved
@dataclass(frozen=True)
class Positive:
    """The least sum of squares with no coefficient below 0, and a penalty on their squares, if any."""

    penalty: tuple[float, ...] = (0.0,)  # one for all targets, or one each

    def solve(self, problem: Problem | RowProblem, owner: str) -> Pair:
        """Coefficients (p, t)."""
        problem = problem.whole
        return exact(positive(problem, penalties(self.penalty, problem, owner)))


@saved
@dataclass(frozen=True)
class Shrunken:
    """The least sum of squares plus a penalty on the squares of the coefficients."""

    penalty: tuple[float, ...] = (1.0,)  # one for all targets, or one each

    @property
    def quadratic(self) -> float | None:
        """The penalty of squares under which products of columns say it all; None: there are several."""
        return self.penalty[0] if len(self.penalty) == 1 else None

    def solve(self, problem: Problem | RowProblem, owner: str) -> Pair:
        """Coefficients (p, t)."""
        if len(self.penalty) == 1 and self.penalty[0] > 0.0:
            return self._pulled(problem, self.penalty[0], slice(None), owner)
        penalty, coef = penalties(self.penalty, problem, owner), exact(np.zeros(problem.width))
        for value in np.unique(penalty):
            mine = np.flatnonzero(penalty == value)
            found = (
                self._pulled(problem, float(value), mine, owner) if value > 0 else LeastSquares().solve(problem, owner)
            )
            for half, new in zip(coef, found, strict=True):
                half[:, mine] = new if value > 0 else new[:, mine]
        return coef

    def _pulled(self, problem: Problem | RowProblem, penalty: float, targets: Array | slice, owner: str) -> Pair:
        if isinstance(problem, RowProblem):
            return exact(problem.solve(penalty, owner, targets=targets))
        coef, T = ridge(problem, penalty, targets)
        return refined(problem, T, coef, penalty, targets) if len(coef) else exact(coef)


@saved
@dataclass(frozen=True)
class Orthogonal:
    """Coefficients from the directions in which terms and targets together spread least; of several, the shortest."""

    def solve(self, problem: Problem | RowProblem, owner: str) -> Pair:
        """Coefficients (p, t): -V_x V_y^+ for the right singular vectors (V_x, V_y) of the least spread."""
        p, _ = problem.width
        problem = problem.whole
        values, V = self._spread(problem)
        alike = max(ALIKE, 4.0 * problem.noise) * values[0] if problem.rows > 1 else np.inf  # one row spreads nowhere
        least = values <= values[p] + alike
        if least[:p].any() and values[p] > alike:
            warnings.warn(
                f"{owner}: the plane is not unique, because rows spread alike in {int(least.sum())} directions. The "
                "one with the smallest coefficients was taken; other units of the columns may help.",
                NotUnique,
                stacklevel=2,
            )
        x, y = V[least, :p].T, V[least, p:].T
        if np.linalg.svd(y, compute_uv=False)[-1] <= ALIKE:
            raise bad(owner, "the plane", "a function of the columns", Said("one that is upright"), "Swap x and y.")
        return exact(-x @ np.linalg.pinv(y))

    def error(self, problem: Problem | RowProblem) -> float:
        """About how much of the coefficients rounding may have moved: large where spreads are nearly alike."""
        problem = problem.whole
        p, _ = problem.width
        values, _ = self._spread(problem)
        gap = float(values[p - 1] - values[p]) if p else 0.0
        return float(problem.noise * values[0] / gap) ** (2 if problem.taken else 1) if gap > 0 else 1.0

    def _spread(self, problem: Problem) -> tuple[Array, Array]:
        p, t = problem.width
        joint = np.vstack([np.hstack([problem.A, problem.Y]), np.hstack([np.zeros((t, p)), problem.C])])
        _, values, V = np.linalg.svd(joint)
        return values, V


def penalties(given: tuple[float, ...], problem: Problem | RowProblem, owner: str) -> Array:
    """One penalty a target (t,)."""
    t = problem.width[1]
    if len(given) not in (1, t):
        rule = (
            f"one number, or one for each of {t} targets (Number of targets and number of penalties do not correspond: "
            f"{len(given)} != {t})"
        )
        raise bad(owner, "alpha", rule, list(given), "Give as many as there are targets.")
    return np.broadcast_to(np.asarray(given, dtype=np.float64), (t,))
