"""A least-squares problem as a triangle: what is left of n rows once nothing more than p columns and t targets matters.

    minimise over B:  |A B - Y|^2 + |C|^2        with A (p, p) and C (t, t) upper triangles

It has the same normal equations, residual sum of squares and singular values as the rows, and is solved from A, never
from A'A.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from functools import cached_property
from math import fsum, sqrt

import numpy as np
from scipy.linalg.lapack import dpotrf, dpotrs, dtrcon, dtrtrs

from suffice.core.block import Array
from suffice.core.double_double import Pair, exact, two_product
from suffice.linear.terms import ByTerm, Term, term_name
from suffice.numerics.arrays import every
from suffice.summaries.full_moments import FullMoments, diagonal
from suffice.summaries.least_squares import EPSILON, Triangle
from suffice.summaries.roots.product_roots import SAFE_ROOT, SMALL
from suffice.summaries.rows_summary import products_of
from suffice.summaries.sharp_products import ROWS, products, slices
from suffice.summaries.shifted_sums import vanished, vanishing
from suffice.summaries.triangular import triangle_of

BY_TERMS = 1024  # products whose sums Python adds up exactly, faster than NumPy adds pairs call by call
BY_SLICES = 8192  # products of pairs that BLAS multiplies faster, in slices
AT_ONCE = 64  # columns whose products are held at a time
STEPS = 5  # corrections at most; each adds as many digits as the triangle has
SETTLED = 2.0**-40  # a correction, relative, whose square is what is left to correct
LAST_BIT = 2.0**-45  # the same where nothing shall be left of coefficients that are small, either
TINY = 1e-300
SOUND = 1e-6  # reciprocal of an estimated condition number above which it is not looked at more closely
DOUBT = 100.0  # times that an estimate may be too small
NONE = 2.0**-100  # of the largest coefficient, in units of its column: what pairs cannot tell from 0
SAFE = 1e-6  # relative error of coefficients that is let pass without a word


class IllConditioned(UserWarning):
    """Fewer than six digits of the coefficients are safe."""


@dataclass(frozen=True)
class Problem:
    """A triangle about a point (`shift`), which with an intercept lies apart from the means by `offset`."""

    terms: tuple[Term, ...]
    triangle: Triangle | Array  # (p + t, p + t) of terms and targets, or what has it below its first row and column
    shift: Array  # (p + t,)
    offset: Pair  # (p + t,) mean - shift; 0 without an intercept
    products: Pair  # (p + t, p + t) of terms and targets, about their means if there is an intercept
    rows: int
    weight: float
    intercept: bool
    noise: float  # singular values of A, its columns made of length 1, that are smaller are not known
    taken: bool  # whether the triangle comes from products that rows were taken away from
    bound: float = np.inf  # that the condition number of the correlations of terms that vary is below, if known

    @classmethod
    def of(cls, summary: ByTerm, terms: tuple[Term, ...], intercept: bool) -> Problem:
        """The problem that a summary holds for some of its terms."""
        kept = products_of(summary.align(terms).summary)
        moments, triangle = kept.moments, kept.triangle(0)
        T: Triangle | Array = triangle
        shift = triangle.shift if triangle.rows else np.zeros(len(triangle.shift))
        moments = moments.about(shift if intercept else np.zeros(len(shift))).settled()
        _refuse_vanishing(moments, terms)
        products = moments.scatter if intercept else moments.second
        offset = moments.offset
        offset = Pair(offset.high[0], offset.low[0])
        if not intercept:
            T = triangle_of(triangle.T[:, 1:] + shift * triangle.T[:, :1])
            T[:, diagonal(moments.second).high[0] == 0.0] = 0.0  # columns of zeros, whatever taking rows away has left
            shift, offset = moments.shift, exact(np.zeros(len(shift)))
        return cls(
            terms,
            T,
            shift,
            offset,
            Pair(products.high[0], products.low[0]),
            triangle.rows,
            triangle.weight,
            intercept,
            triangle.noise,
            bool(np.count_nonzero(kept.taken)),
            triangle.bound if intercept else np.inf,
        )

    def some(self, kept: Array) -> Problem:
        """The problem of some of its terms (p,)."""
        t, m = self.width[1], int(kept.sum())
        T = triangle_of(np.block([[self.A[:, kept], self.Y], [np.zeros((t, m)), self.C]]))
        both = np.append(kept, np.ones(t, dtype=bool))
        return replace(
            self,
            terms=tuple(term for term, here in zip(self.terms, kept, strict=True) if here),
            triangle=T,
            shift=self.shift[both],
            offset=Pair(*(half[both] for half in self.offset)),
            products=Pair(*(half[np.ix_(both, both)] for half in self.products)),
        )

    @property
    def whole(self) -> Problem:
        """Itself: a problem that is known by its rows has to be made whole first."""
        return self

    @property
    def width(self) -> tuple[int, int]:
        """Numbers of terms and of targets."""
        p = len(self.terms)
        return p, len(self.shift) - p

    @cached_property
    def _T(self) -> Array:
        return self.triangle if isinstance(self.triangle, np.ndarray) else self.triangle.T[1:, 1:]

    @cached_property
    def A(self) -> Array:
        """(p, p) the terms, about their means if there is an intercept."""
        return self._T[: len(self.terms), : len(self.terms)]

    @cached_property
    def Y(self) -> Array:
        """(p, t) the targets, as far as the terms could reach them."""
        return self._T[: len(self.terms), len(self.terms) :]

    @cached_property
    def C(self) -> Array:
        """(t, t) the rest of the targets."""
        return self._T[len(self.terms) :, len(self.terms) :]

    @cached_property
    def length(self) -> Array:
        """Length of each column of A (p,)."""
        return np.asarray(np.sqrt(np.add.reduce(self.A * self.A)))

    @cached_property
    def unit(self) -> tuple[Array, Array, Array]:
        """Singular value decomposition of A, its columns made of length 1: what is left of it in any units."""
        if not len(self.A):
            return self.A, np.zeros(0), self.A
        U, S, V = np.linalg.svd(self.A / np.where(self.length > 0, self.length, 1.0))
        return U, S, V

    @cached_property
    def singular(self) -> Array:
        """Singular values of A, in the units of the table."""
        return np.linalg.svd(self.A, compute_uv=False) if len(self.A) else np.zeros(0)

    @cached_property
    def _values(self) -> Array:
        """Singular values of A, its columns made of length 1."""
        known = vars(self).get("unit")
        if known is not None or not len(self.A):
            return np.zeros(0) if known is None else np.asarray(known[1])
        return np.linalg.svd(self.A / np.where(self.length > 0, self.length, 1.0), compute_uv=False)

    @cached_property
    def _sound(self) -> float:
        """A share of the largest singular value, columns made of length 1, above which all are; 0 where it is little.

        From an estimate of the condition number, which takes a tenth of the time that all singular values take.
        """
        if not len(self.A) or not every(self.length):
            return 0.0
        if self.bound < SAFE_ROOT:
            return 1.0 / sqrt(self.bound)
        reciprocal, info = dtrcon((self.A / self.length).T, uplo="L")
        return float(reciprocal) / (DOUBT * len(self.A)) if info == 0 and reciprocal > SOUND else 0.0

    def rank(self, tol: float = 0.0) -> int:
        """How many directions of the terms the rows fill; a smaller share of the largest than `tol` is none."""
        if self._sound > max(tol, self.noise):
            return len(self.A)
        values = self._values
        return int((values > max(tol, self.noise) * values[0]).sum()) if len(values) and values[0] > 0 else 0

    def condition(self, tol: float = 0.0) -> float:
        """Largest over smallest singular value, columns made of length 1, of the directions that are filled."""
        values, rank = self._values, self.rank(tol)
        return float(values[0] / values[rank - 1]) if rank else 1.0

    def error(self, tol: float = 0.0) -> float:
        """About how much of the coefficients rounding may have moved, relative."""
        return self._moved(self.condition(tol))

    def _moved(self, condition: float) -> float:
        return (self.noise * condition) ** 2 if self.taken else EPSILON * condition

    def residual(self, coef: Array) -> Array:
        """Sums of squares and products of the residuals of coefficients (p, t): (t, t)."""
        apart = self.Y - self.A @ coef
        return np.asarray(apart.T @ apart + self.C.T @ self.C)

    def square(self, target: int) -> float:
        """Sum of squares of one target, about its mean if there is an intercept."""
        return float(self.products.high[self.width[0] + target, self.width[0] + target])

    def total(self) -> Array:
        """Sums of squares and products of the targets (t, t), about their means if there is an intercept."""
        return np.asarray(self.Y.T @ self.Y + self.C.T @ self.C)

    def warn(self, owner: str, tol: float = 0.0) -> None:
        """Say so where fewer than six digits are safe."""
        sound = self._sound
        if not (sound > max(tol, self.noise) and self._moved(1.0 / sound) <= SAFE) and self.error(tol) > SAFE:
            warnings.warn(
                f"{owner}: fewer than 6 digits of the coefficients are safe, because columns nearly depend on one "
                f"another (condition number {self.condition(tol):.1e}). Leave one of them out, or use Ridge.",
                IllConditioned,
                stacklevel=2,
            )


def _refuse_vanishing(moments: FullMoments, terms: tuple[Term, ...]) -> None:
    """Say which term, or that a target, is in a unit whose squares vanish: it would pass for constant."""
    found = vanishing(moments)
    if len(found):
        own = found[0] < len(terms)
        raise vanished("X", repr(term_name(terms[found[0]]))) if own else vanished("fit", "y")


def least_squares(problem: Problem, tol: float = 0.0) -> Array:
    """Coefficients (p, t) of least squares; of all that do as well, the shortest.

    A term that does not vary has none, whatever the units of the others: it is left out first.
    """
    if not every(problem.length):
        live, coef = problem.length > 0.0, np.zeros(problem.width)
        coef[live] = least_squares(problem.some(live), tol)
        return coef
    p, _ = problem.width
    rank = problem.rank(tol)
    if rank == p:
        return np.asarray(solve_upper(problem.A, problem.Y)) if p else problem.Y
    U, S, V = problem.unit
    length = np.where(problem.length > 0, problem.length, 1.0)[:, None]

    def reach(Y: Array) -> Array:
        return np.asarray(V[:rank].T @ ((U[:, :rank].T @ Y) / S[:rank, None]) / length)

    coef = reach(problem.Y)
    free = V[rank:].T / length  # directions in which A does not change
    free /= np.sqrt((free**2).sum(axis=0))
    coef = coef - free @ np.linalg.lstsq(free, coef, rcond=None)[0]
    for _ in range(2):  # rounding along columns of other lengths is taken back
        coef = coef + reach(problem.Y - problem.A @ coef)
    return coef


def ridge(problem: Problem, penalty: float, targets: Array | slice = slice(None)) -> tuple[Array, Array]:
    """Coefficients (p, t) of |A B - Y|^2 + penalty |B|^2, of some targets, and the triangle they are solved from."""
    p, _ = problem.width
    Y = problem.Y[:, targets]
    if problem.bound < SAFE_ROOT:  # products tell it as well as their triangle does
        products = problem.products.value
        T, _ = dpotrf(products[:p, :p] + _diagonal(penalty, p))
        return np.asarray(dpotrs(T, products[:p, p:][:, targets])[0]), T
    T = triangle_of(np.vstack([np.hstack([problem.A, Y]), _pull(penalty, p, Y.shape[1])]))
    return np.asarray(solve_upper(T[:p, :p], T[:p, p:])) if p else Y, T[:p, :p]


def positive(problem: Problem, penalty: Array) -> Array:
    """Coefficients (p, t) of the same, none below 0, one penalty a target (t,)."""
    from scipy.optimize import nnls

    p, t = problem.width
    coef = np.zeros((p, t))
    for j in range(t):
        rows = np.vstack([np.hstack([problem.A, problem.Y[:, [j]]]), _pull(penalty[j], p, 1)])
        coef[:, j] = nnls(rows[:, :p], rows[:, p])[0]
    return coef


def solve_upper(T: Array, B: Array, transposed: bool = False) -> Array:
    """X with T X = B, or T'X = B, for an upper triangle T whose diagonal has no 0."""
    X, info = dtrtrs(T.T, B, lower=1, trans=0 if transposed else 1)
    if info:
        raise np.linalg.LinAlgError("a triangle with a 0 on its diagonal has no inverse")
    return np.asarray(X)


def _pull(penalty: float, p: int, t: int) -> Array:
    """Rows that pull p coefficients towards 0: a penalty is data."""
    return np.hstack([_diagonal(np.sqrt(penalty), p), np.zeros((p, t))])


def _diagonal(number: float, p: int) -> Array:
    """So many times the unit matrix (p, p)."""
    out = np.zeros((p, p))
    out.flat[:: p + 1] = number
    return out


def refined(
    problem: Problem, T: Array, coef: Array, penalty: float = 0.0, targets: Array | slice = slice(None)
) -> Pair:
    """Coefficients corrected until the products agree: T'T db = c - G b, where c - G b is taken in pairs.

    Where residuals are large, a triangle alone costs the square of the condition number in digits; sharp products do
    not. What does not shrink from step to step is left out.
    """
    p, _ = problem.width
    G, c = (Pair(*(half[:p, at] for half in problem.products)) for at in (slice(p), slice(p, None)))
    c = c if isinstance(targets, slice) else Pair(c.high[:, targets], c.low[:, targets])
    G = G.plus(_diagonal(penalty, p)) if penalty else G
    found, before = exact(coef), 0.5
    length = np.sqrt(np.add.reduce(T * T))[:, None]
    sizes = np.abs(coef * length)
    largest, plain = np.maximum.reduce(sizes, axis=None, initial=TINY), True
    for _ in range(STEPS):
        gap = lacking(c, G, found, plain)
        step = solve_upper(T, solve_upper(T, gap, transposed=True))
        size = np.maximum.reduce(np.abs(step * length), axis=None, initial=0.0) / largest
        if not size < before:
            break
        found, before, plain = found.plus(step), size / 2.0, False
        sizes = np.abs(found.high * length)
        if size < (SETTLED if problem.rows > SMALL else LAST_BIT):  # few rows are worth the last bit
            break
        largest = np.maximum.reduce(sizes, axis=None, initial=TINY)
    tells = sizes > NONE * np.maximum.reduce(sizes, initial=0.0)
    return found if every(tells) else found.where(tells)


def lacking(c: Pair, A: Pair, B: Pair, plain: bool = False) -> Array:
    """c - A B for pairs (p, q) and (q, t), rounded once; of a few products each sum is exact.

    `plain` says that the low halves of B are 0.
    """
    (p, q), t = A.high.shape, B.high.shape[1]
    if not 0 < p * q * t <= BY_TERMS:
        return (c - times(A, B)).value
    less, high_A = -B.high.T, A.high[:, None, :]
    high, error = two_product(high_A, less)  # (p, t, q)
    error += A.low[:, None, :] * less
    if not plain:
        error -= high_A * B.low.T
    terms = np.concatenate([high, error, c.high[:, :, None], c.low[:, :, None]], axis=2).reshape(p * t, 2 * q + 2)
    return np.array([fsum(own) for own in terms.tolist()]).reshape(p, t)


def times(A: Pair, B: Pair) -> Pair:
    """Matrix product of pairs (p, q) and (q, t): all products at once; many of them by slices."""
    if A.high.size * B.high.shape[1] > BY_SLICES and A.high.shape[1] <= ROWS:
        return products(slices(Pair(A.high.T, A.low.T)), slices(B))
    total = exact(np.zeros((A.high.shape[0], B.high.shape[1])))
    for a in range(0, A.high.shape[1], AT_ONCE):
        columns = Pair(*(half.T[a : a + AT_ONCE, :, None] for half in A))
        rows = Pair(*(half[a : a + AT_ONCE, None, :] for half in B))
        some = (columns * rows).sum(0)
        total = some if a == 0 else total + some
    return total
