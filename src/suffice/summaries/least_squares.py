"""LeastSquaresSummary: what least squares keeps of the rows: products of columns, and a triangle where they fall short.

The matrix of products (`FullMoments`) adds and subtracts. Solving with it costs the square of the condition number of
the columns in digits. Where plain products show that this is harmless they are all that is kept: a block costs one
matrix product. Otherwise products are taken sharp (`sharp_products`), with digits to spare for the square. Where even
these fall short, the triangle (`TriangularFactor`) is kept beside them, which costs the condition number itself, but
only adds. Harmless blocks stay harmless in any sum: a relative error of the quadratic form v'Gv stays one when other
rows are added to G. After rows were taken away the products alone speak, and `noise` says how well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

import numpy as np

from suffice.core.added_columns import AddedColumns
from suffice.core.affine import Affine, Linear
from suffice.core.block import Array
from suffice.core.double_double import Pair
from suffice.core.registry import saved
from suffice.core.shares import Shares
from suffice.core.summary import Index, Summary, spread
from suffice.numerics.loop import CHUNK
from suffice.summaries.full_moments import KEPT, FullMoments
from suffice.summaries.leaving import SHARP as SHARP_SHARE
from suffice.summaries.plain_products import plain_moments
from suffice.summaries.power_sums import middle
from suffice.summaries.roots.labelled_products import labelled_products, labelled_root
from suffice.summaries.roots.paired_root import paired_root
from suffice.summaries.roots.product_roots import SMALL, bound_is_known, enough, factor_of, harmless, known_bound
from suffice.summaries.sharp_products import few_moments, paired_moments, sharpened
from suffice.summaries.triangular import TriangularFactor, triangle_of

EPSILON = 2.0**-52


Chunk = tuple[Array, Array, Shares]  # columns, more columns, and whose the rows are
PairedChunk = tuple[Pair, Array, Shares]


@dataclass(frozen=True)
class Triangle:
    """What least squares is solved from: one component's triangle about a shift, and the rounding it carries."""

    shift: Array  # (m,)
    rows: int
    weight: float
    noise: float  # singular values of T, its columns made of length 1, that are smaller are not known
    bound: float  # that the condition number of the correlations is below, where that is known; not of targets
    kept: LeastSquaresSummary
    k: int

    @cached_property
    def T(self) -> Array:
        """(m + 1, m + 1), found when it is first asked for: products alone tell some models."""
        return np.asarray(self.kept._factor().triangle[self.k])


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
    def of(cls, X: Array, R: Shares) -> LeastSquaresSummary:
        """Summarize the rows X (n, m), targets among the columns, with shares R."""
        nothing = np.empty((len(X), 0))
        at = range(0, max(len(X), 1), CHUNK)
        return cls.of_chunks(lambda: ((X[a : a + CHUNK], nothing[a : a + CHUNK], R[a : a + CHUNK]) for a in at))

    @classmethod
    def of_chunks(
        cls, chunks: Callable[[], Iterable[Chunk]], paired: Callable[[], Iterable[PairedChunk]] | None = None
    ) -> LeastSquaresSummary:
        """Summarize rows that come in chunks; they come again, up to twice, where plain products fall short.

        Of columns that are rounded, `paired` has those that are not, for products that shall hardly round.
        """
        coming = iter(chunks())
        X, Y, R = first = next(coming)
        sharp = few_moments(X, R, Y, paired)  # a chunk that is so short is the only one
        never = np.zeros((R.K, X.shape[1] + Y.shape[1]))
        if sharp is None:
            moments = _plain(chain([first], coming))
            if moments.rows.sum() > SMALL and harmless(moments):
                return cls(moments, None, never)
            if paired is None:
                sharp = FullMoments.sum([sharpened(X, R, moments, Y) for X, Y, R in chunks()])
            else:
                sharp = FullMoments.sum([paired_moments(P, R, Y, moments.shift) for P, Y, R in paired()])
        if enough(sharp):
            return cls(sharp, None, never)
        triangles = [TriangularFactor.of(np.hstack([X, Y]), R, sharp.shift) for X, Y, R in chunks()]
        return cls(sharp, TriangularFactor.sum(triangles), never)

    @classmethod
    def sum(cls, parts: Sequence[LeastSquaresSummary]) -> LeastSquaresSummary:
        """Add the products; keep a triangle only where it is needed and all parts still have theirs."""
        moments = FullMoments.sum([part.moments for part in parts])
        taken = np.max([part.taken for part in parts], axis=0)
        needed = not (taken.any() or enough(moments))
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
        return LeastSquaresSummary(self.moments.among(places, m), factor, taken)

    def columns(self, places: Index) -> LeastSquaresSummary:
        """What is kept of some columns, in any order."""
        at = np.asarray(places, dtype=np.intp)
        if np.array_equal(at, np.arange(self.taken.shape[1])):
            return self
        factor = self.factor
        if factor is not None:
            picked = factor.triangle[:, :, np.append(0, at + 1)]
            factor = TriangularFactor(factor.shift[at], factor.rows, np.stack([triangle_of(T) for T in picked]))
        return LeastSquaresSummary(self.moments.columns(at), factor, self.taken[:, at])

    def shifted(self, places: Index, by: float) -> LeastSquaresSummary:
        """With so much added to some columns in every row, which moves their shift alone."""
        shift = self.moments.shift.copy()
        shift[places] += by
        factor = None if self.factor is None else replace(self.factor, shift=shift)
        return LeastSquaresSummary(replace(self.moments, shift=shift), factor, self.taken)

    def push(self, by: Affine | Linear | AddedColumns) -> LeastSquaresSummary:
        """What is kept of the rows once their columns are mapped; scaled ones keep their condition numbers."""
        factor = None if self.factor is None else self.factor.push(by)
        return LeastSquaresSummary(self.moments.push(by), factor, by.squares(self.taken))

    def labelled(self, Y: Array, weight: Array) -> LeastSquaresSummary:
        """All components as one, where rows of component k have targets Y[k] (K, t) and weigh weight[k] times as much.

        The columns of targets need no rows: in component k they are Y[k] times the column of ones.
        """
        (K, t), m = Y.shape, self.taken.shape[1]
        moments = labelled_products(self.moments, Y, weight)
        total = float(moments.weight.value[0]) if self.taken.any() else 0.0
        taken = np.append(self.taken.max(axis=0), np.full(t, total))[None]
        if taken.any():
            return LeastSquaresSummary(moments, None, taken)
        root = labelled_root(moments, m) if self.factor is None else None
        if root is not None:
            factor = TriangularFactor(moments.shift, moments.rows, root.T[None])
            found = LeastSquaresSummary(moments, factor, taken)
            object.__setattr__(found, "_bound", root.condition)
            return found
        T = self._factor().triangle * np.sqrt(weight)[:, None, None]
        T = np.concatenate([T, T[:, :, :1] * Y[:, None, :]], axis=2).reshape(K * (m + 1), m + 1 + t)
        return LeastSquaresSummary(moments, TriangularFactor(moments.shift, moments.rows, triangle_of(T)[None]), taken)

    @property
    def rows(self) -> Array:
        """Rows of each component (K,)."""
        return self.moments.rows

    @property
    def weight(self) -> Array:
        """Weight of each component (K,)."""
        return self.moments.weight.value

    def triangle(self, k: int = 0) -> Triangle:
        """The triangle of one component, from the factor if there is one."""
        shift, rows = (self.factor or self.moments).shift, int(self.moments.rows[k])
        weight = float(self.moments.weight.high[k] + self.moments.weight.low[k])
        left = bool(np.count_nonzero(self.taken))
        noise = self._noise(k) if left else float((len(shift) + 1) * EPSILON)
        T = None if self.factor is None and bound_is_known(self.moments, k) else self._factor().triangle[k]
        known = np.inf if self.factor is not None or left else known_bound(self.moments, k)
        found = Triangle(shift, rows, weight, noise, vars(self).get("_bound", known), self, k)
        if T is not None:
            vars(found)["T"] = T
        return found

    def _noise(self, k: int) -> float:
        """The square root of the rounding of the products where these alone speak, else the rounding of a triangle."""
        m = self.taken.shape[1] + 1
        if not self.taken[k].any():
            return float(m * EPSILON)
        squares = _squares(self.moments)[k]
        lost: Array = np.divide(self.taken[k], squares, out=np.ones(m - 1), where=squares > 0)
        paired = self.moments.sharp and paired_root(Pair(*(half[k] for half in self.moments.scatter))) is not None
        share = SHARP_SHARE if paired else EPSILON
        return float(max(m * EPSILON, np.sqrt(m * share * float(lost.max(initial=1.0)))))

    def _factor(self) -> TriangularFactor:
        """The triangle; that of the products is kept once it was asked for, if it is small."""
        known: TriangularFactor | None = self.factor or vars(self).get("_root")
        if known is None:
            known = factor_of(self.moments)
            if known.triangle.size <= KEPT:
                vars(self)["_root"] = known
        return known


def _plain(chunks: Iterable[Chunk]) -> FullMoments:
    """Plain products of all chunks."""
    moments: FullMoments | None = None
    for X, Y, R in chunks:
        shift = np.append(middle(X), middle(Y)) if moments is None else moments.shift
        more = plain_moments(X, R, shift, Y)
        moments = more if moments is None else FullMoments.sum([moments, more])
    assert moments is not None
    return moments


def _squares(moments: FullMoments) -> Array:
    """Sum of squares about the mean of each component and column (K, m)."""
    return np.diagonal(moments.scatter.value, axis1=1, axis2=2).copy()


def _nobody(K: int) -> Shares:
    return Shares.hard(np.zeros(0, dtype=np.int32), K)
