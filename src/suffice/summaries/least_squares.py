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
from itertools import chain
from typing import NamedTuple

import numpy as np

from suffice.core.added_columns import AddedColumns
from suffice.core.affine import Affine, Linear
from suffice.core.block import Array
from suffice.core.double_double import Pair, exact
from suffice.core.registry import saved
from suffice.core.shares import Shares
from suffice.core.summary import Index, Summary, spread
from suffice.numerics.loop import CHUNK
from suffice.summaries.full_moments import KEPT, FullMoments
from suffice.summaries.leaving import SHARP as SHARP_SHARE
from suffice.summaries.paired_root import paired_root
from suffice.summaries.plain_products import plain_moments
from suffice.summaries.power_sums import middle
from suffice.summaries.sharp_products import FEW, few_moments, paired_moments, sharpened
from suffice.summaries.triangular import TriangularFactor, triangle_of

HARMLESS = 1e5  # condition number of the matrix of correlations up to which plain products keep 11 digits
SHARP = 1e8  # condition number of columns up to which sharp products, whose error is squared by it, keep 11 digits
EPSILON = 2.0**-52
SMALL = FEW


Chunk = tuple[Array, Array, Shares]  # columns, more columns, and whose the rows are
PairedChunk = tuple[Pair, Array, Shares]


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
        moments = _labelled(self.moments, Y, weight)
        total = float(moments.weight.value[0]) if self.taken.any() else 0.0
        taken = np.append(self.taken.max(axis=0), np.full(t, total))[None]
        if taken.any():
            return LeastSquaresSummary(moments, None, taken)
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
        paired = self.moments.sharp and paired_root(Pair(*(half[k] for half in self.moments.scatter))) is not None
        share = SHARP_SHARE if paired else EPSILON
        return float(max(m * EPSILON, np.sqrt(m * share * float(lost.max(initial=1.0)))))

    def _factor(self) -> TriangularFactor:
        """The triangle; that of the products is kept once it was asked for, if it is small."""
        known: TriangularFactor | None = self.factor or vars(self).get("_root")
        if known is None:
            known = factor_of(self.moments)
            if known.triangle.size <= KEPT:
                object.__setattr__(self, "_root", known)
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


def harmless(moments: FullMoments) -> bool:
    """Whether the products of every component that has rows keep 11 digits, targets included."""
    return all(_condition(S) < HARMLESS for S, n in zip(moments.scatter.value, moments.rows, strict=True) if n)


def enough(moments: FullMoments) -> bool:
    """Whether the triangle need not be kept: products that are plain are harmless, and sharp ones tell it as well."""
    live, values = np.flatnonzero(moments.rows), moments.scatter.value
    varying = (np.diagonal(values, axis1=1, axis2=2) > 0).sum(axis=1)
    if (moments.rows[live] <= varying[live]).any():  # about their mean, n rows have n - 1 directions at most
        return False
    found: list[float] = []
    for k in live:
        found.append(_condition(values[k]))
        if not found[-1] < SHARP**2:  # of correlations, where it is squared
            return False
    worst_first = live[np.argsort(found, kind="stable")[::-1]]
    odd = worst_first[: int(np.sum(np.array(found) >= HARMLESS))]
    return all(_tells(Pair(*(half[k] for half in moments.scatter))) for k in odd)


def _tells(S: Pair) -> bool:
    """Whether the columns that vary have a condition number that sharp products keep six digits of, at least."""
    T = paired_root(S)
    if T is None:
        return False
    length = np.sqrt((T**2).sum(axis=0))
    values = np.linalg.svd(T[:, length > 0] / length[length > 0], compute_uv=False)[: int((length > 0).sum())]
    return bool(not len(values) or values[0] < SHARP * values[-1])


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
        S = Pair(*(half[k] for half in moments.scatter))
        T = _quick_root(S.value) if moments.rows[k] > SMALL else None
        T = paired_root(S) if T is None else T
        triangle[k, 1:, 1:] = _root(S.value) if T is None else T
    return TriangularFactor(moments.shift, moments.rows, triangle)


def _quick_root(S: Array) -> Array | None:
    """The same where products are plain, and pairs would make them no better; None where that would cost digits."""
    if not (np.diagonal(S) > 0).all() or not _condition(S) < HARMLESS:
        return None
    length = np.sqrt(np.diagonal(S))
    return np.asarray(np.linalg.cholesky((S + S.T) / 2.0 / length[:, None] / length).T * length)


def _root(S: Array) -> Array:
    """The triangle T with T'T = S, the nearest where rounding has left S without one."""
    length = np.sqrt(np.diagonal(S))
    scale = np.where(length > 0, length, 1.0)
    values, vectors = np.linalg.eigh((S + S.T) / 2.0 / scale[:, None] / scale)
    return triangle_of(np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.T * length)


def _squares(moments: FullMoments) -> Array:
    """Sum of squares about the mean of each component and column (K, m)."""
    return np.diagonal(moments.scatter.value, axis1=1, axis2=2).copy()


def _labelled(moments: FullMoments, Y: Array, weight: Array) -> FullMoments:
    """Products of the columns (1, x - shift, y) of all components as one."""
    K, m, t = len(Y), len(moments.shift), Y.shape[1]
    halves = zip(moments.weight, moments.first, moments.second, strict=True)
    G = Pair(*(np.zeros((K, 1 + m, 1 + m)) for _ in range(2)))
    for whole, (W, S, Q) in zip(G, halves, strict=True):
        whole[:, 0, 0], whole[:, 0, 1:], whole[:, 1:, 0], whole[:, 1:, 1:] = W, S, S, Q
    G = G * exact(weight[:, None, None])
    ones = Pair(*(half[:, :, :1] for half in G))
    with_y = ones * exact(Y[:, None, :])  # (K, 1 + m, t)
    y_y = Pair(*(half[:, :1, :1] for half in G)) * (exact(Y[:, :, None]) * exact(Y[:, None, :]))
    side, cross, corner = G.sum(0), with_y.sum(0), y_y.sum(0)
    first = Pair(*(np.append(a[0, 1:], b[0])[None] for a, b in zip(side, cross, strict=True)))
    second = Pair(
        *(np.block([[a[1:, 1:], b[1:]], [b[1:].T, c]])[None] for a, b, c in zip(side, cross, corner, strict=True))
    )
    shift = np.append(moments.shift, np.zeros(t))
    noise = np.append(weight @ moments.noise, np.zeros(t))[None]
    rows, total = moments.rows.sum(keepdims=True), Pair(*(a[0, :1] for a in side))
    return FullMoments(shift, rows, total, first, second, noise=noise, sharp=moments.sharp)


def _nobody(K: int) -> Shares:
    return Shares.hard(np.zeros(0, dtype=np.int32), K)
