"""What a least-squares fit lets one say of its coefficients, from the summary alone.

    cov(coef) = s^2 (X'X)^-1,   s^2 = (sum of squared residuals) / (n - p - 1)

Weights are copies: n is their sum. The likelihood is that of normal noise on the target alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import solve_triangular
from scipy.special import betainc, stdtr, stdtrit

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.linear.coefficient_tests import check_rows
from suffice.linear.regression.least_squares_problem import Problem
from suffice.linear.regression.linear_learner import LinearModel
from suffice.linear.results_table import table_text
from suffice.linear.wide.row_problem import RowProblem
from suffice.summaries.triangular import triangle_of


class FTest(NamedTuple):
    """A test of a smaller model within a larger one."""

    F: float
    p: float
    df: tuple[float, float]


@dataclass(frozen=True)
class LinearResults:
    """Standard errors, tests, intervals and criteria of one target of a least-squares fit.

    Parameters
    ----------
    model : the fitted model
    fitted : what reads tables as the model does
    target : the number of the target

    >>> from suffice import LinearRegression
    >>> found = LinearRegression().fit([[1.0], [2.0], [3.0], [4.0]], [1.0, 3.0, 2.0, 4.0]).results()
    >>> found.names, found.standard_errors.round(4).tolist(), round(found.r_squared, 4)
    (('intercept', 'x0'), [1.1619, 0.4243], 0.64)
    """

    model: LinearModel
    fitted: Any
    target: int = 0

    def __post_init__(self) -> None:
        """Refuse a fit that leaves coefficients open; one of rows before products of their columns are made."""
        p, t = self.model.problem.width
        if isinstance(self.model.problem, RowProblem):
            more = p + self.model.problem.intercept
            check_rows(self._owner, self.model.problem.rows, more, "Use fewer columns, or Ridge, which has results.")
        if not 0 <= self.target < t:
            raise bad(self._owner, "target", f"the number of a target, below {t}", self.target, "Number from 0.")
        if self.problem.rank() < p:
            rule = "independent of one another for results"
            got = Said(f"{p} columns of rank {self.problem.rank()}")
            raise bad(self._owner, "the columns", rule, got, "Leave out those that follow from others.")

    @property
    def problem(self) -> Problem:
        """The least-squares problem."""
        return self.model.problem.whole

    @property
    def _owner(self) -> str:
        return self.model.design.owner

    @property
    def names(self) -> tuple[str, ...]:
        """What the coefficients belong to, the intercept first."""
        return (*(["intercept"] if self.problem.intercept else []), *self.model.names)

    @property
    def coefficients(self) -> Array:
        """The intercept, if there is one, and the coefficients."""
        first = [self.model.intercept[self.target]] if self.problem.intercept else []
        return np.append(first, self.model.coef[self.target])

    @property
    def n(self) -> float:
        """Number of rows, by weight."""
        return self.problem.weight

    @property
    def degrees(self) -> float:
        """Degrees of freedom of the residuals."""
        return self.n - len(self.names)

    @cached_property
    def squares(self) -> float:
        """Sum of squared residuals."""
        return float(self.problem.residual(self.model.coef.T)[self.target, self.target])

    @cached_property
    def total(self) -> float:
        """Sum of squares of the target, about its mean if there is an intercept."""
        return float(self.problem.total()[self.target, self.target])

    @property
    def noise_variance(self) -> float:
        """Variance of the noise that is most likely: the sum of squared residuals over n; too small on average."""
        return self.squares / self.n

    @property
    def residual_variance(self) -> float:
        """Variance of the noise without that bias: over n less the number of coefficients; nan if none are left."""
        return self.squares / self.degrees if self.degrees > 0 else float("nan")

    @cached_property
    def _root(self) -> Array:
        """(p', p') matrix whose product with its transpose is (X'X)^-1, the intercept first."""
        inverse = np.asarray(solve_triangular(self.problem.A, np.eye(len(self.problem.A))))
        if not self.problem.intercept:
            return inverse
        mean = self.problem.shift[: len(inverse)] + self.problem.offset.value[: len(inverse)]
        top = np.append(1.0 / np.sqrt(self.n), -mean @ inverse)
        return np.vstack([top, np.hstack([np.zeros((len(inverse), 1)), inverse])])

    @property
    def covariance(self) -> Array:
        """Covariance of the coefficients."""
        return np.asarray(self.residual_variance * (self._root @ self._root.T))

    @property
    def standard_errors(self) -> Array:
        """Standard errors of the coefficients."""
        return np.asarray(np.sqrt(self.residual_variance * (self._root**2).sum(axis=1)))

    @property
    def t_values(self) -> Array:
        """Coefficients over their standard errors."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(self.coefficients / self.standard_errors)

    @property
    def p_values(self) -> Array:
        """Probability of a t value at least as far from 0, were the coefficient 0."""
        return np.asarray(2.0 * stdtr(self.degrees, -np.abs(self.t_values)))

    def confidence(self, level: float = 0.95) -> Array:
        """Intervals of the coefficients (p', 2): low and high.

        Parameters
        ----------
        level : how often such intervals hold the true coefficient
        """
        half = self._quantile(level) * self.standard_errors
        return np.stack([self.coefficients - half, self.coefficients + half], axis=1)

    def interval(self, X: Any, level: float = 0.95, new: bool = True) -> Array:
        """Prediction, low and high of each row (n, 3).

        Parameters
        ----------
        X : table
        level : how often such intervals hold what they are about
        new : whether they are about a new row's target; otherwise about the mean of many such rows
        """
        block = self.fitted.block(X)
        z = self.model.matrix(block) - self.problem.shift[: len(self.problem.A)]
        if self.problem.intercept:
            z = z - self.problem.offset.value[: z.shape[1]]
        apart = (np.asarray(solve_triangular(self.problem.A, z.T, trans="T")) ** 2).sum(axis=0)
        apart += 1.0 / self.n if self.problem.intercept else 0.0
        half = self._quantile(level) * np.sqrt(self.residual_variance * (apart + float(new)))
        at = self.model.predict(block)[:, self.target]
        return np.stack([at, at - half, at + half], axis=1)

    def _quantile(self, level: float) -> float:
        if not 0.0 < level < 1.0:
            raise bad(self._owner, "level", "between 0 and 1", level, "0.95 is usual.")
        return float(stdtrit(self.degrees, (1.0 + level) / 2.0))

    @property
    def r_squared(self) -> float:
        """Share of the squares of the target that the model takes away; nan where there are none."""
        return 1.0 - self.squares / self.total if self.total > 0 else float("nan")

    @property
    def adjusted_r_squared(self) -> float:
        """The same of variances without bias."""
        free = self.n - float(self.problem.intercept)
        return 1.0 - (1.0 - self.r_squared) * free / self.degrees if self.degrees > 0 else float("nan")

    @property
    def log_likelihood(self) -> float:
        """Log of the density of the targets at the most likely coefficients and noise variance."""
        with np.errstate(divide="ignore"):
            return float(-0.5 * self.n * (np.log(2.0 * np.pi * self.noise_variance) + 1.0))

    @property
    def aic(self) -> float:
        """Akaike's criterion: 2 (number of coefficients) - 2 log likelihood."""
        return 2.0 * len(self.names) - 2.0 * self.log_likelihood

    @property
    def bic(self) -> float:
        """Schwarz' criterion: log(n) (number of coefficients) - 2 log likelihood."""
        return float(np.log(self.n)) * len(self.names) - 2.0 * self.log_likelihood

    @property
    def condition(self) -> float:
        """Condition number of the terms, each made of length 1."""
        return self.problem.condition()

    @property
    def inflation(self) -> Array:
        """Variance inflation factor of each term (p,): its variance over what it were if no term told of another."""
        inverse = np.asarray(solve_triangular(self.problem.A, np.eye(len(self.problem.A))))
        return np.asarray((inverse**2).sum(axis=1) * self.problem.length**2)

    @property
    def f_test(self) -> FTest:
        """Whether the terms tell anything at all."""
        return self._tested(self.total, len(self.problem.A))

    def without(self, *names: str) -> FTest:
        """Whether the model is better than one without some of its terms: the F test of nested models.

        Parameters
        ----------
        names : of terms, as in `names`; of a symbol, the column stands for all its levels
        """
        gone = [i for i, term in enumerate(self.model.terms) if self._named(i, term) & set(names)]
        known = set().union(*(self._named(i, term) for i, term in enumerate(self.model.terms)))
        strange = [name for name in names if name not in known]
        if strange or not names:
            raise bad(self._owner, "names", f"names of terms ({', '.join(self.model.names)})", names, "Correct them.")
        left = [i for i in range(len(self.problem.A)) if i not in gone]
        T = triangle_of(np.hstack([self.problem.A[:, left], self.problem.Y[:, [self.target]]]))
        rest = float(T[-1, -1] ** 2) + float((self.problem.C[:, self.target] ** 2).sum())
        return self._tested(rest, len(gone))

    def _named(self, i: int, term: Any) -> set[str]:
        return {self.model.names[i], *(str(factor.column) for factor in term if len(term) == 1)}

    def _tested(self, squares: float, terms: int) -> FTest:
        gap = max(squares - self.squares, 0.0) / max(terms, 1)
        with np.errstate(divide="ignore", invalid="ignore"):
            F = float(np.divide(gap, self.residual_variance))
        a, b = float(terms), self.degrees
        p = float(betainc(b / 2.0, a / 2.0, b / (b + a * F))) if np.isfinite(F) else 0.0 if F > 0 else float("nan")
        return FTest(F, p, (a, b))

    def effect(self, X: Any, change: float = 1.0, sample_weight: float = 1.0) -> Array:
        """How the coefficients would move if the targets of these rows were larger, one row at a time (n, p').

        Parameters
        ----------
        X : rows that the model has learned from
        change : by how much the target is larger
        sample_weight : the weight that the rows were learned with
        """
        matrix = self.model.matrix(self.fitted.block(X))
        full = np.hstack([np.ones((len(matrix), 1)), matrix]) if self.problem.intercept else matrix
        return np.asarray(change * sample_weight * (full @ self._root) @ self._root.T)

    def __str__(self) -> str:
        """The table of coefficients, and what is said of the whole below it."""
        columns = self.coefficients, self.standard_errors, self.t_values, self.p_values, *self.confidence().T
        return table_text(self.names, columns, self._said())

    def _said(self) -> Sequence[tuple[str, float]]:
        return (
            ("rows", self.n),
            ("R^2", self.r_squared),
            ("adjusted R^2", self.adjusted_r_squared),
            ("residual sd", float(np.sqrt(self.residual_variance))),
            ("log likelihood", self.log_likelihood),
            ("AIC", self.aic),
            ("BIC", self.bic),
            ("condition number", self.condition),
        )
