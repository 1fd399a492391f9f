"""Standard errors, tests, intervals and criteria of coefficients whose covariance is known. No scikit-learn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, ndtri, stdtr, stdtrit

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.linear.results_table import table_text
from suffice.numerics.memory import memory


@dataclass(frozen=True)
class CoefficientTests:
    """What may be said of coefficients, under a penalty as far as its pull lets be said: they are drawn towards 0.

    Parameters
    ----------
    owner : the estimator, for messages
    names : what the coefficients belong to
    coefficients : one a name
    covariance : of the coefficients
    parameters : how many of them are free; a penalty leaves fewer than there are
    n : number of rows, by weight
    log_likelihood : of the targets
    degrees : degrees of freedom of the residuals; infinity where the noise has no variance of its own

    >>> found = CoefficientTests("Ridge", ("x",), np.array([2.0]), np.array([[1.0]]), 1.0, 9.0, -4.0)
    >>> found.p_values.round(4).tolist(), found.aic
    ([0.0455], 10.0)
    """

    owner: str
    names: tuple[str, ...]
    coefficients: Array  # (q,)
    covariance: Array  # (q, q)
    parameters: float
    n: float
    log_likelihood: float
    degrees: float = float("inf")

    @property
    def standard_errors(self) -> Array:
        """Standard errors of the coefficients."""
        return np.asarray(np.sqrt(np.diagonal(self.covariance)))

    @property
    def t_values(self) -> Array:
        """Coefficients over their standard errors; normal where degrees of freedom are infinite."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(self.coefficients / self.standard_errors)

    @property
    def p_values(self) -> Array:
        """Probability of a t value at least as far from 0, were the coefficient 0."""
        t = -np.abs(self.t_values)
        return np.asarray(2.0 * (ndtr(t) if np.isinf(self.degrees) else stdtr(self.degrees, t)))

    def confidence(self, level: float = 0.95) -> Array:
        """Intervals of the coefficients (q, 2): low and high.

        Parameters
        ----------
        level : how often such intervals hold what the coefficients are about, their pull towards 0 left aside
        """
        if not 0.0 < level < 1.0:
            raise bad(self.owner, "level", "between 0 and 1", level, "0.95 is usual.")
        at = (1.0 + level) / 2.0
        half = (ndtri(at) if np.isinf(self.degrees) else stdtrit(self.degrees, at)) * self.standard_errors
        return np.stack([self.coefficients - half, self.coefficients + half], axis=1)

    @property
    def aic(self) -> float:
        """Akaike's criterion: 2 (number of parameters) - 2 log likelihood."""
        return 2.0 * self.parameters - 2.0 * self.log_likelihood

    @property
    def bic(self) -> float:
        """Schwarz' criterion: log(n) (number of parameters) - 2 log likelihood."""
        return float(np.log(self.n)) * self.parameters - 2.0 * self.log_likelihood

    def __str__(self) -> str:
        """The table of coefficients, and what is said of the whole below it."""
        columns = self.coefficients, self.standard_errors, self.t_values, self.p_values, *self.confidence().T
        return table_text(self.names, columns, self._said())

    def _said(self) -> Sequence[tuple[str, float]]:
        return (
            ("rows", self.n),
            ("parameters", self.parameters),
            ("log likelihood", self.log_likelihood),
            ("AIC", self.aic),
            ("BIC", self.bic),
        )


def check_room(owner: str, q: int) -> None:
    """Refuse results of so many coefficients, before anything is made, where their covariance would not fit."""
    need = 4 * 8 * q**2
    if need > memory() // 2:
        rule = "so few that their covariance fits into half of the memory"
        raise bad(owner, "the coefficients", rule, Said(f"{q:,}, for {need:,} bytes"), "Use fewer columns.")


def check_rows(owner: str, rows: int, columns: int, remedy: str = "Use fewer columns.") -> None:
    """Refuse results of more coefficients than rows, before anything is made: some could be anything."""
    if rows < columns:
        rule = "at most as many as rows for results, which leave no standard errors otherwise"
        got = Said(f"{columns:,} in {rows:,} rows")
        raise bad(owner, "the coefficients", rule, got, remedy)
