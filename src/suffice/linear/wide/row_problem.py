"""A least-squares problem as its rows: for tables with more columns than rows, and for sparse ones.

Dense rows are solved in the dual, of size rows x rows: B = A'Z with (AA' + penalty) Z = Y, corrected by the residuals
of the rows themselves; where rows depend on one another by an orthogonal factor of A'. Sparse rows are solved by
conjugate gradients. What only products of columns tell has them made (`whole`).
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg.lapack import dlange, dpocon, dpotrf, dpotrs

from suffice.core.block import Array
from suffice.linear.regression.least_squares_problem import SAFE, IllConditioned, Problem
from suffice.linear.terms import ByTerm, Term
from suffice.linear.wide.centred_rows import CentredRows
from suffice.linear.wide.conjugate_gradients import conjugate_gradients
from suffice.numerics.blas_threads import one_thread_if_few
from suffice.numerics.row_products import row_products
from suffice.summaries.least_squares import EPSILON
from suffice.summaries.rows_summary import RowsSummary

FAR = 100.0  # how much longer rows may be from 0 than from their mean before they are moved, as digits would be lost
SINGULAR = 1e-11  # reciprocal condition number of AA' below which an orthogonal factor is taken instead
FEW = 500  # sparse rows up to which the dual takes less time than steps of conjugate gradients
ROUGH = 1e-4  # the same below which the answer is corrected
CORRECTIONS = 2


@dataclass(frozen=True)
class RowProblem:
    """Rows, and what is asked of them: with an intercept they are about their mean."""

    terms: tuple[Term, ...]
    kept: RowsSummary
    intercept: bool

    @property
    def width(self) -> tuple[int, int]:
        """Numbers of terms and of targets."""
        return self.kept.width, int(self.kept.Y.shape[1])

    @property
    def rows(self) -> int:
        """How many there are."""
        return len(self.kept.codes)

    @cached_property
    def weight(self) -> float:
        """Of all rows."""
        return float(self.kept.weights.sum())

    @cached_property
    def A(self) -> CentredRows:
        """The rows; columns that lie far off are moved first."""
        X, weights = self.kept.X, self.kept.weights
        near = CentredRows.of(X, weights, self.intercept)
        if self.intercept and not self.kept.sparse and self.rows:
            squares = float(weights @ self._lengths)
            if squares > FAR * (squares - self.weight * (near.mean @ near.mean)):
                return CentredRows.of(X - X[0], weights, True)
        return near

    @cached_property
    def _products(self) -> Array:
        """Of the rows with one another, as they are (n, n)."""
        return row_products(self.kept.X)

    @property
    def _lengths(self) -> Array:
        """Of the rows, squared (n,); products of all of them, which take longer, tell these where they are there."""
        X = self.kept.X
        known = "_products" in vars(self)
        return np.asarray(np.diagonal(self._products) if known else np.einsum("ij,ij->i", X, X))

    @cached_property
    def centre(self) -> Array:
        """The mean of each term (p,); 0 without an intercept."""
        moved = self.A.X is not self.kept.X
        return self.kept.X[0] + self.A.mean if moved else self.A.mean

    @cached_property
    def level(self) -> Array:
        """The mean of each target (t,); 0 without an intercept."""
        weights = self.kept.weights
        return np.asarray(weights @ self.kept.Y / self.weight if self.intercept else np.zeros(self.width[1]))

    @cached_property
    def Y(self) -> Array:
        """The targets about their means, by the roots of the weights (n, t)."""
        return np.asarray(self.A.root[:, None] * (self.kept.Y - self.level))

    @cached_property
    def whole(self) -> Problem:
        """The same problem from products of columns, if there is room for these."""
        rows = np.full((1, self.width[0]), self.rows, dtype=np.int64)
        return Problem.of(ByTerm(self.terms, rows, self.width[1], self.kept.full), self.terms, self.intercept)

    def solve(self, penalty: float, owner: str, tol: float = 0.0, targets: Array | slice = slice(None)) -> Array:
        """Coefficients (p, t) of |A B - Y|^2 + penalty |B|^2, of some targets; the shortest where there are several."""
        products = None if self.kept.sparse or not self.rows else self._products  # before `A`, which reads its lengths
        Y = self.Y[:, targets]
        if not (self.rows and self.width[0]):
            return np.zeros((self.width[0], Y.shape[1]))
        if self.kept.sparse and self.rows > FEW:
            return self._descended(Y, penalty, owner)
        with one_thread_if_few(self.rows * self.width[0]):
            found = self._dual(Y, penalty, products)
            return self._factored(Y, penalty, owner, tol) if found is None else found

    def _descended(self, Y: Array, penalty: float, owner: str) -> Array:
        found = conjugate_gradients(self.A, Y, penalty)
        if not found.settled:
            warnings.warn(
                f"{owner}: conjugate gradients have not settled after {found.steps} steps, because columns nearly "
                "depend on one another. Use Ridge, or a larger penalty.",
                IllConditioned,
                stacklevel=2,
            )
        return found.coef

    def _dual(self, Y: Array, penalty: float, products: Array | None) -> Array | None:
        """By Cholesky's factor of AA' + penalty; None where rows depend on one another."""
        A = self.A
        K = A.gram(products.copy() if products is not None and A.X is self.kept.X else None)
        size = float(np.trace(K)) / len(K)
        if not np.isfinite(size):
            return np.full((self.width[0], Y.shape[1]), np.nan)
        if self.intercept and penalty < size:  # rows about their mean add to 0: a direction that no target has
            unit = A.root / np.sqrt(self.weight)
            K += np.multiply.outer(size * unit, unit)
        K.flat[:: len(K) + 1] += penalty
        norm = float(dlange("1", K.T))
        L, bad = dpotrf(K.T, lower=1, clean=0, overwrite_a=1)
        share = 0.0 if bad or not norm else float(dpocon(L, norm, uplo="L")[0])
        if share < SINGULAR:
            return None
        Z = dpotrs(L, Y, lower=1)[0]
        coef = A.back(Z)
        for _ in range(CORRECTIONS if share < ROUGH else 0):
            Z = Z + dpotrs(L, Y - A.times(coef) - penalty * Z, lower=1)[0]
            coef = A.back(Z)
        return coef

    def _factored(self, Y: Array, penalty: float, owner: str, tol: float) -> Array:
        """By an orthogonal factor of A' and the singular values of the other."""
        Q, R = np.linalg.qr(self.A.filled().T)
        U, S, V = np.linalg.svd(R)
        live = self._cut(S, tol) < S
        if not live.any():
            return np.zeros((self.width[0], Y.shape[1]))
        if penalty == 0.0 and EPSILON * S[0] / S[live][-1] > SAFE:
            warnings.warn(
                f"{owner}: fewer than 6 digits of the coefficients are safe, because rows nearly depend on one another "
                f"(condition number {S[0] / S[live][-1]:.1e}). Leave them out, or use Ridge.",
                IllConditioned,
                stacklevel=2,
            )
        filter_ = S[live] / (S[live] ** 2 + penalty)
        return np.asarray(Q @ (U[:, live] @ (filter_[:, None] * (V[live] @ Y))))

    def _cut(self, S: Array, tol: float) -> float:
        return float(max(tol, max(self.rows, self.width[0]) * EPSILON) * S.max(initial=0.0))

    @cached_property
    def singular(self) -> Array:
        """Singular values of the rows, as many as rows or terms, in the units of the table."""
        if self.kept.sparse:
            return self.whole.singular
        return np.linalg.svd(self.A.filled(), compute_uv=False) if self.rows else np.zeros(0)

    def rank(self, tol: float = 0.0) -> int:
        """How many directions of the terms the rows fill."""
        return int((self.singular > self._cut(self.singular, tol)).sum())

    def condition(self, tol: float = 0.0) -> float:
        """Largest over smallest singular value of the directions that are filled."""
        rank = self.rank(tol)
        return float(self.singular[0] / self.singular[rank - 1]) if rank else 1.0

    def error(self, tol: float = 0.0) -> float:
        """About how much of the coefficients rounding may have moved, relative."""
        return EPSILON * self.condition(tol)

    def residual(self, coef: Array) -> Array:
        """Sums of squares and products of the residuals of coefficients (p, t): (t, t)."""
        apart = self.Y - self.A.times(coef)
        return np.asarray(apart.T @ apart)

    def square(self, target: int) -> float:
        """Sum of squares of one target, about its mean if there is an intercept."""
        return float(self.Y[:, target] @ self.Y[:, target])

    def total(self) -> Array:
        """Sums of squares and products of the targets (t, t), about their means if there is an intercept."""
        return np.asarray(self.Y.T @ self.Y)

    def levels(self, coef: Array) -> tuple[Array, Array]:
        """f at the centre and f(0) of each target (t,)."""
        zero = self.level - self.centre @ coef if self.intercept else np.zeros(self.width[1])
        return self.level, zero
