"""QuarticMoments: full moments, and the sums of products of squares from which shrinkage is estimated, per component.

    G_jl = sum_i w_i u_ij^2 u_il,   F_jl = sum_i w_i u_ij^2 u_il^2        with u = x - c about the carried shift c

With them the sum of fourth powers of standardized distances, which Ledoit and Wolf's shrinkage needs, is known about
any mean and in any units, so that one pass serves where two were needed, and the estimate adds. Blocks are centred,
multiplied in tiles or by BLAS, and moved to the shift in pairs, as full moments are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import fsum

import numpy as np

from suffice.core.affine import Affine
from suffice.core.bad_cells import bad_cell
from suffice.core.block import Array
from suffice.core.double_double import Pair, exact, two_sum
from suffice.core.moved_sums import moved, outer
from suffice.core.registry import saved
from suffice.core.shares import Shares
from suffice.core.summary import Index, Summary, spread
from suffice.core.tally import Tally
from suffice.numerics.tiles import tiles_pay
from suffice.summaries.full_moments import ROWS, FullMoments, diagonal
from suffice.summaries.power_sums import middle
from suffice.summaries.shifted_sums import keeps_digits
from suffice.summaries.tiled_products import TILED
from suffice.summaries.tiled_quartics import tiled_quartics

SHORT = ROWS // 2  # rows of one column: BLAS wakes threads for products of longer ones, and waits for them
LARGEST = 2.0**240  # whose fourth power, added often, still is a number


@saved
@dataclass(frozen=True)
class QuarticMoments(Summary):
    """Full moments and products of squares about their shift, per component; no cell may be missing.

    >>> X = np.array([[1.0], [3.0], [8.0]])
    >>> QuarticMoments.of(X, Shares.hard(np.array([0, 0, 0]), 1)).central.ravel()  # 3^4 + 1 + 4^4
    array([338.])
    """

    full: FullMoments
    third: Pair  # (K, d, d) sum of w u_j^2 u_l
    fourth: Pair  # (K, d, d) sum of w u_j^2 u_l^2

    @classmethod
    def of(cls, X: Array, R: Shares, shift: Array | None = None) -> QuarticMoments:
        """Summarize the rows X (n, d) with shares R."""
        shift = middle(X) if shift is None else shift
        if len(X) and X.shape[1] == 1 and R.K == 1 and R.plain and not R.codes.any():
            return _column(X[:, 0], shift)
        route, step = (_tiled, TILED) if tiles_pay(X.size, len(shift)) else (_chunk, ROWS)
        if 0 < len(X) <= step:
            return route(X, R, shift)
        total = cls.empty(R.K, shift)
        for a in range(0, len(X), step):
            total = total + route(X[a : a + step], R[a : a + step], shift)
        return total

    @classmethod
    def empty(cls, K: int, shift: Array) -> QuarticMoments:
        """No rows."""
        return cls(FullMoments.empty(K, shift), *(exact(np.zeros((K, len(shift), len(shift)))) for _ in range(2)))

    @classmethod
    def sum(cls, parts: Sequence[QuarticMoments]) -> QuarticMoments:
        """Bring all to one shift, then add."""
        full = FullMoments.sum([part.full for part in parts])
        (first, *others) = (part.about(full.shift) for part in parts)
        third, fourth = first.third, first.fourth
        for part in others:
            third, fourth = third + part.third, fourth + part.fourth
        return cls(full, third, fourth)

    def __sub__(self, other: QuarticMoments) -> QuarticMoments:
        """Take rows away; a component whose last row leaves is exactly empty."""
        other = other.about(self.full.shift)
        full = self.full - other.full
        left = (full.rows > 0)[:, None, None]
        return QuarticMoments(full, (self.third - other.third).where(left), (self.fourth - other.fourth).where(left))

    def scale(self, factor: float) -> QuarticMoments:
        """Weights decay."""
        by = exact(factor)
        return QuarticMoments(self.full.scale(factor), self.third * by, self.fourth * by)

    def spread(self, index: Index, K: int) -> QuarticMoments:
        """Move components."""
        sums = (Pair(*(spread(half, index, K) for half in pair)) for pair in (self.third, self.fourth))
        return QuarticMoments(self.full.spread(index, K), *sums)

    def about(self, shift: Array) -> QuarticMoments:
        """The same rows about another shift."""
        if np.array_equal(shift, self.full.shift):
            return self
        t = two_sum(self.full.shift, -shift)
        sums = _moved(self, Pair(*(np.broadcast_to(half, self.full.first.high.shape) for half in t)))
        return QuarticMoments(self.full.about(shift), *sums)

    def push(self, by: Affine) -> QuarticMoments:
        """What is kept of the rows once their columns are mapped."""
        scale = exact(by.scale)
        column = Pair(*(half[:, None] for half in scale))
        first, second = self.full.first / scale, self.full.second / scale / column
        third = self.third / column / column / scale
        scaled = QuarticMoments(
            replace(self.full, first=first, second=second), third, self.fourth / column / column / scale / scale
        )
        low = by.shift(self.full.shift).low
        sums = _moved(scaled, exact(np.broadcast_to(low, first.high.shape)))
        return QuarticMoments(self.full.push(by), *sums)

    def pooled(self) -> QuarticMoments:
        """All components as one (K = 1)."""
        sums = (Pair(*(half[None] for half in pair.sum(0))) for pair in (self.third, self.fourth))
        return QuarticMoments(self.full.pooled(), *sums)

    @property
    def central(self) -> Array:
        """Sum of w (x_j - m_j)^2 (x_l - m_l)^2 about the mean of each component (K, d, d); never below 0.

        It is 0 where a column is constant, whatever rounding left.
        """
        gap = (exact(self.full.shift) - self.full.mean).where((self.full.rows > 0)[:, None])
        varies = diagonal(self.full.scatter).high > 0
        return np.maximum(_moved(self, gap)[1].where(varies[:, :, None] & varies[:, None, :]).value, 0.0)

    @property
    def third_central(self) -> Array:
        """Sum of w (x_j - m_j)^3 about the mean of each component (K, d); 0 where a column is constant."""
        gap = (exact(self.full.shift) - self.full.mean).where((self.full.rows > 0)[:, None])
        varies = diagonal(self.full.scatter).high > 0
        return diagonal(_moved(self, gap)[0]).where(varies).value


def _tiled(X: Array, R: Shares, shift: Array) -> QuarticMoments:
    """By a loop, from products about the mean of the first rows of each component; far from there, the other way."""
    with np.errstate(over="ignore", invalid="ignore"):
        (centre, rows, weight, first, second), third, fourth = tiled_quartics(X, R)
        squares, fourths = (np.diagonal(some, axis1=1, axis2=2) for some in (second, fourth))
        fine = keeps_digits(weight[:, None], first, squares) & (fourths <= LARGEST**4)
    if not fine[rows > 0].all():
        parts = [_chunk(X[a : a + ROWS], R[a : a + ROWS], shift) for a in range(0, len(X), ROWS)]
        return QuarticMoments.sum(parts)
    return _about_shift(Tally.of(R), centre, first, (second, third, fourth), shift)


def _chunk(X: Array, R: Shares, shift: Array) -> QuarticMoments:
    """By BLAS, from products about the mean of each component."""
    X = np.asarray(X, dtype=np.float64)
    check_cells(X, R, LARGEST)
    K, d = R.K, len(shift)
    tally = Tally.of(R)
    centre, first, sums = np.tile(shift, (K, 1)), np.zeros((K, d)), np.zeros((3, K, d, d))
    for k in np.flatnonzero(tally.rows):
        row, entry = np.nonzero((R.codes == k) & R.live)
        w, x = R.share[row, entry][:, None], X[row]
        centre[k] += (w * (x - shift)).sum(axis=0) / w.sum()
        u = x - centre[k]
        square = u * u
        first[k], sums[1, k] = (w * u).sum(axis=0), square.T @ (w * u)
        for i, half in ((0, np.sqrt(w) * u), (2, np.sqrt(w) * square)):
            sums[i, k] = half.T @ half  # symmetric to the last bit, or moving there and back would not be exact
    return _about_shift(tally, centre, first, list(sums), shift)


def _column(x: Array, shift: Array) -> QuarticMoments:
    """The same of one column whose cells weigh 1: nothing is picked or weighed, and the parts of all chunks are added
    exactly, about one mean, so that only the sums of all rows are moved.
    """
    n, starts = len(x), range(0, len(x), SHORT)
    if not max(abs(x.min()), abs(x.max())) <= LARGEST:
        check_cells(x[:, None], Shares.hard(np.zeros(n, dtype=np.int32), 1), LARGEST)
    centre = shift + fsum((x[a : a + SHORT] - shift).sum() for a in starts) / n
    chunks = (_powers(x[a : a + SHORT] - centre) for a in starts)
    first, *sums = (np.array(fsum(parts)) for parts in zip(*chunks, strict=True))
    tally = Tally(np.array([n]), exact(np.array([float(n)])))
    return _about_shift(tally, centre[None], first[None, None], [total[None, None, None] for total in sums], shift)


def _powers(u: Array) -> tuple[float, float, float, float]:
    """Sums of the first four powers."""
    square = u * u
    return float(u.sum()), float(u @ u), float(square @ u), float(square @ square)


def _about_shift(tally: Tally, centre: Array, first: Array, sums: Sequence[Array], shift: Array) -> QuarticMoments:
    """Sums about the centres, moved to the shift: all from the very same, or they would not agree in all digits."""
    second, third, fourth = (exact(some) for some in sums)
    about, t = FullMoments(shift, tally.rows, tally.weight, exact(first), second), two_sum(centre, -shift)
    full = FullMoments(shift, tally.rows, tally.weight, *moved(tally.weight, about.first, second, t))
    return QuarticMoments(full, *_moved(QuarticMoments(about, third, fourth), t))


def _moved(kept: QuarticMoments, t: Pair) -> tuple[Pair, Pair]:
    """Third and fourth sums about shifts that are less by t (K, d); nothing else of the summary is moved."""
    S, Q, G, F = kept.full.first, kept.full.second, kept.third, kept.fourth
    squares = diagonal(Q)  # (K, d)
    W, two = Pair(*(half[:, None] for half in kept.full.weight)), exact(2.0)
    tt, double = t * t, two * t
    third = G + outer(squares + double * S + tt * W, t) + _rows(double) * Q + outer(tt, S)
    fourth = F + _columns(double) * G + _rows(double) * _turned(G) + _rows(double) * _columns(double) * Q
    fourth = fourth + outer(squares + double * S, tt) + outer(tt, squares + double * S + tt * W)
    return third, fourth


def _rows(a: Pair) -> Pair:
    return Pair(a.high[..., :, None], a.low[..., :, None])


def _columns(a: Pair) -> Pair:
    return Pair(a.high[..., None, :], a.low[..., None, :])


def _turned(a: Pair) -> Pair:
    return Pair(*(np.swapaxes(half, 1, 2) for half in a))


def check_cells(X: Array, R: Shares, largest: float) -> None:
    """Refuse missing cells, and cells whose fourth power is too large to be added."""
    odd = ~(np.abs(X) <= largest) & R.claimed[:, None]
    if odd.any():
        rule = f"present and at most {largest:g} in size for fourth powers"
        raise bad_cell(X, odd, rule, "Correct the cell, or give the shrinkage as a number.")
