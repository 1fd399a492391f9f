"""LeastSquaresSummary: what least squares keeps of the rows: products of columns, and a triangle where they fall short.

The matrix of products (`FullMoments`) adds and subtracts. Solving with it costs the square of the condition number of
the columns in digits. Where that would be too much, the triangle (`TriangularFactor`) is kept beside it, which costs
the condition number itself, but only adds; the products are then sharp (`sharp_products`), and correct what the
triangle says. Where the products show a harmless condition number, the triangle follows from them and is not kept: a
block then costs one matrix product. Harmless blocks stay harmless in any sum: a relative error of the quadratic form
v'Gv stays one when other rows are added to G. After rows were taken away the products alone speak, and `noise` says how
well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.pairs import Pair
from suffice.core.registry import saved
from suffice.core.shares import Shares
from suffice.core.summary import Index, Summary, spread
from suffice.summaries.full_moments import FullMoments
from suffice.summaries.power_sums import middle
from suffice.summaries.sharp_products import sharp_moments
from suffice.summaries.triangular import TriangularFactor, triangle_of

HARMLESS = 1e5  # condition number of the matrix of correlations up to which it keeps 11 digits
EPSILON = 2.0**-52
SMALL = 2048  # rows whose products are sharp whatever their condition number


class Triangle(NamedTuple):
    """What least squares is solved from: one component's triangle about a shift, and the rounding it carries."""

    shift: Array  # (m,)
    rows: int
    weight: float
    T: Array  # (m + 1, m + 1)
    noise: float  # singular values of T, its columns made of length 1, that are smaller are not known


@saved
@dataclass(frozen=True)
class LeastSquaresSummary(Summary):
    """Products of columns, with the triangle beside them where their condition number asks for it, per component.

    >>> X = np.array([[1.0, 2.0], [2.0, 3.0], [3.0, 5.0], [4.0, 4.0]])
    >>> kept = LeastSquaresSummary.of(X, Shares.hard(np.zeros(4, dtype=int), 1))
    >>> kept.factor is None, kept.triangle(0).T.round(2).tolist()
    (True, [[2.0, 1.0, 1.0], [0.0, 2.24, 1.79], [0.0, 0.0, 1.34]])
    """

    moments: FullMoments
    factor: TriangularFactor | None  # None: it follows from the moments, or rows were taken away
    taken: Array  # (K, m) largest sum of squares from which rows were taken away; 0 where that never happened

    @classmethod
    def of(cls, X: Array, R: Shares, shift: Array | None = None) -> LeastSquaresSummary:
        """Summarize the rows X (n, m), targets among the columns, with shares R."""
        shift = middle(X) if shift is None else shift
        moments, calm = FullMoments.of(X, R, shift), np.zeros((R.K, len(shift)))
        if harmless(moments):
            return cls(sharp_moments(X, R, shift) if len(X) <= SMALL else moments, None, calm)
        return cls(sharp_moments(X, R, shift), TriangularFactor.of(X, R, shift), calm)

    @classmethod
    def sum(cls, parts: Sequence[LeastSquaresSummary]) -> LeastSquaresSummary:
        """Add the products; keep a triangle only where it is needed and all parts still have theirs."""
        moments = FullMoments.sum([part.moments for part in parts])
        taken = np.max([part.taken for part in parts], axis=0)
        needed = not (taken.any() or harmless(moments))
        factor = TriangularFactor.sum([part._factor() for part in parts]) if needed else None
        return cls(moments, factor, taken)

    def __sub__(self, other: LeastSquaresSummary) -> LeastSquaresSummary:
        """Take rows away from the products; the triangle is lost, and a component without rows is as new."""
        moments = self.moments - other.moments
        taken = np.maximum(self.taken, _squares(self.moments)) if other.moments.rows.any() else self.taken
        taken = np.where(moments.rows[:, None] > 0, taken, 0.0)
        factor = None if taken.any() or other.moments.rows.any() else self.factor
        if not moments.rows.any():
            factor = TriangularFactor.of(np.zeros((0, taken.shape[1])), _nobody(len(taken)), moments.shift)
        return LeastSquaresSummary(moments, factor, taken)

    def scale(self, factor: float) -> LeastSquaresSummary:
        """Weights decay."""
        triangle = None if self.factor is None else self.factor.scale(factor)
        return LeastSquaresSummary(self.moments.scale(factor), triangle, self.taken * factor)

    def spread(self, index: Index, K: int) -> LeastSquaresSummary:
        """Move components."""
        factor = None if self.factor is None else self.factor.spread(index, K)
        return LeastSquaresSummary(self.moments.spread(index, K), factor, spread(self.taken, index, K))

    def among(self, places: Index, m: int) -> LeastSquaresSummary:
        """The same columns at some places of m, in rising order; the others were 0 in every row."""
        factor = None if self.factor is None else self.factor.among(places, m)
        taken = np.zeros((len(self.taken), m))
        taken[:, places] = self.taken
        return LeastSquaresSummary(_among(self.moments, np.asarray(places, dtype=np.intp), m), factor, taken)

    def columns(self, places: Index) -> LeastSquaresSummary:
        """What is kept of some columns, in any order."""
        at = np.asarray(places, dtype=np.intp)
        if np.array_equal(at, np.arange(self.taken.shape[1])):
            return self
        factor = self.factor
        if factor is not None:
            picked = factor.triangle[:, :, np.append(0, at + 1)]
            factor = TriangularFactor(factor.shift[at], factor.rows, np.stack([triangle_of(T) for T in picked]))
        return LeastSquaresSummary(_columns(self.moments, at), factor, self.taken[:, at])

    def triangle(self, k: int = 0) -> Triangle:
        """The triangle of one component, from the factor if there is one."""
        factor, rows = self._factor(), int(self.moments.rows[k])
        weight = float(self.moments.weight.value[k])
        return Triangle(factor.shift, rows, weight, factor.triangle[k], self._noise(k))

    def _noise(self, k: int) -> float:
        """The square root of the rounding of the products where these alone speak, else the rounding of a triangle."""
        m = self.taken.shape[1] + 1
        if not self.taken[k].any():
            return float(m * EPSILON)
        squares = _squares(self.moments)[k]
        lost: Array = np.divide(self.taken[k], squares, out=np.ones(m - 1), where=squares > 0)
        return float(np.sqrt(m * EPSILON * float(lost.max(initial=1.0))))

    def _factor(self) -> TriangularFactor:
        return self.factor if self.factor is not None else factor_of(self.moments)


def harmless(moments: FullMoments) -> bool:
    """Whether the products of every component that has rows keep 11 digits, targets included."""
    return all(_condition(S) < HARMLESS for S, n in zip(moments.scatter.value, moments.rows, strict=True) if n)


def _condition(S: Array) -> float:
    """Condition number of the correlations of the columns that vary; infinite where rounding hides it."""
    spread_out = np.sqrt(np.diagonal(S))
    S, spread_out = S[spread_out > 0][:, spread_out > 0], spread_out[spread_out > 0]
    if not len(S):
        return 1.0
    values = np.linalg.eigvalsh(S / spread_out[:, None] / spread_out)
    return float(values[-1] / values[0]) if values[0] > 0 else np.inf


def factor_of(moments: FullMoments) -> TriangularFactor:
    """The triangle that products say: as good as they are."""
    K, m = len(moments.rows), len(moments.shift)
    triangle = np.zeros((K, m + 1, m + 1))
    for k in np.flatnonzero(moments.rows):
        root = np.sqrt(moments.weight.value[k])
        triangle[k, 0, 0] = root
        triangle[k, 0, 1:] = moments.first.value[k] / root
        triangle[k, 1:, 1:] = _root(moments.scatter.value[k])
    return TriangularFactor(moments.shift, moments.rows, triangle)


def _root(S: Array) -> Array:
    """The triangle T with T'T = S, the nearest where rounding has left S without one."""
    length = np.sqrt(np.diagonal(S))
    scale = np.where(length > 0, length, 1.0)
    values, vectors = np.linalg.eigh((S + S.T) / 2.0 / scale[:, None] / scale)
    return triangle_of(np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.T * length)


def _squares(moments: FullMoments) -> Array:
    """Sum of squares about the mean of each component and column (K, m)."""
    return np.diagonal(moments.scatter.value, axis1=1, axis2=2).copy()


def _among(moments: FullMoments, at: Array, m: int) -> FullMoments:
    wide = FullMoments.empty(len(moments.rows), np.zeros(m))
    wide.shift[at] = moments.shift
    for mine, theirs in zip(moments.first, wide.first, strict=True):
        theirs[:, at] = mine
    for mine, theirs in zip(moments.second, wide.second, strict=True):
        theirs[:, at[:, None], at] = mine
    return FullMoments(wide.shift, moments.rows, moments.weight, wide.first, wide.second)


def _columns(moments: FullMoments, at: Array) -> FullMoments:
    first = Pair(*(half[:, at] for half in moments.first))
    second = Pair(*(half[:, at[:, None], at] for half in moments.second))
    return FullMoments(moments.shift[at], moments.rows, moments.weight, first, second)


def _nobody(K: int) -> Shares:
    return Shares.hard(np.zeros(0, dtype=np.int32), K)
