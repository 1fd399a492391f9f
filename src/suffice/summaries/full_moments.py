"""FullMoments: row count, weight, sum and products of all pairs of columns, per component.

    W = sum_i w_i,   S = sum_i w_i (x_i - c),   Q = sum_i w_i (x_i - c)(x_i - c)'

Each block is centred near the mean of each component in it and multiplied, in tiles or by BLAS; the change to the
carried shift c, and everything between blocks, is done in pairs. A shared shift alone would get the variance of a
component 1e8 standard deviations away wrong by a factor of ten. Products are rounded inside a block, so that forgetting
costs more than it does with `Moments`: the relative error of a variance is then about 2^-53 (largest |x - mean| ever
added / sd)^2 / n.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.core.loop import CHUNK
from suffice.core.pairs import Pair, exact, stack, two_sum
from suffice.core.registry import saved
from suffice.core.shares import Shares
from suffice.core.summary import Index, Summary, spread
from suffice.core.tally import Tally, remaining, remaining_weight
from suffice.core.tiles import tiles_pay
from suffice.summaries.moments import SETTLED
from suffice.summaries.power_sums import LARGEST, middle
from suffice.summaries.shared_sums import keeps_digits
from suffice.summaries.tiled_products import TILED, tiled_products

ROWS = 4 * CHUNK  # rows multiplied at a time: fewer would spend the time on pairs


@saved
@dataclass(frozen=True)
class FullMoments(Summary):
    """Count, weight, sums and products of columns about a carried shift, per component; no cell may be missing.

    >>> X = np.array([[1e8, 0.0], [1e8 + 2.0, 2.0], [7.0, 7.0]])
    >>> FullMoments.of(X, Shares.hard(np.array([0, 0, 1]), 2)).covariance[0]
    array([[1., 1.],
           [1., 1.]])
    """

    shift: Array  # (d,)
    rows: Array  # (K,) int64
    weight: Pair  # (K,) each
    first: Pair  # (K, d) sum of w (x - shift)
    second: Pair  # (K, d, d) sum of w (x - shift)(x - shift)'

    @classmethod
    def of(cls, X: Array, R: Shares, shift: Array | None = None, beside: Array | None = None) -> FullMoments:
        """Summarize the rows X (n, d) with shares R; more columns may lie beside those of X."""
        beside = np.empty((len(X), 0)) if beside is None else beside
        shift = np.append(middle(X), middle(beside)) if shift is None else shift
        route, step = (_tiled, TILED) if tiles_pay(X.size, len(shift)) else (_chunk, ROWS)
        if 0 < len(X) <= step:
            return cls(shift, *route(X, beside, R, shift))
        total = cls.empty(R.K, shift)
        for a in range(0, len(X), step):
            total = total._with(*route(X[a : a + step], beside[a : a + step], R[a : a + step], shift))
        return total

    @classmethod
    def empty(cls, K: int, shift: Array) -> FullMoments:
        """No rows."""
        sums = (exact(np.zeros((K, *(len(shift),) * axes))) for axes in range(3))
        return cls(shift, np.zeros(K, dtype=np.int64), *sums)

    @classmethod
    def sum(cls, parts: Sequence[FullMoments]) -> FullMoments:
        """Bring all to one shift, then add."""
        shift = next((part.shift for part in parts if part.rows.any()), parts[0].shift)
        total = parts[0].about(shift)
        for part in parts[1:]:
            other = part.about(shift)
            total = total._with(other.rows, other.weight, other.first, other.second)
        return total

    def _with(self, rows: Array, weight: Pair, first: Pair, second: Pair) -> FullMoments:
        """More rows about the same shift."""
        sums = self.weight + weight, self.first + first, self.second + second
        return FullMoments(self.shift, self.rows + rows, *sums)

    def __sub__(self, other: FullMoments) -> FullMoments:
        """Take rows away; a component whose last row leaves is exactly empty."""
        other = other.about(self.shift)
        rows = remaining(self.rows, other.rows)
        weight = remaining_weight(self.weight, other.weight, rows)
        first, second = self.first - other.first, self.second - other.second
        left = rows > 0
        return FullMoments(self.shift, rows, weight, first.where(left[:, None]), second.where(left[:, None, None]))

    def scale(self, factor: float) -> FullMoments:
        """Weights decay."""
        by = exact(factor)
        return FullMoments(self.shift, self.rows, self.weight * by, self.first * by, self.second * by)

    def spread(self, index: Index, K: int) -> FullMoments:
        """Move components."""
        sums = (Pair(*(spread(half, index, K) for half in pair)) for pair in (self.weight, self.first, self.second))
        return FullMoments(self.shift, spread(self.rows, index, K), *sums)

    def about(self, shift: Array) -> FullMoments:
        """The same rows about another shift."""
        if shift is self.shift or np.array_equal(shift, self.shift):
            return self
        sums = moved(self.weight, self.first, self.second, two_sum(self.shift, -shift))
        return FullMoments(shift, self.rows, self.weight, *sums)

    def pooled(self) -> FullMoments:
        """All components as one (K = 1)."""
        sums = (Pair(*(half[None] for half in pair.sum(0))) for pair in (self.weight, self.first, self.second))
        return FullMoments(self.shift, self.rows.sum(keepdims=True), *sums)

    @property
    def mean(self) -> Pair:
        """Mean of each column (K, d), as a pair: subtract high, then low. 0 where there is no row."""
        return (exact(self.shift) + self.first / _column(self.weight)).where(self.rows[:, None] > 0)

    @property
    def scatter(self) -> Pair:
        """Sum of w (x - mean)(x - mean)' (K, d, d); exactly 0 in the rows and columns of columns that are constant."""
        spread_out = self.second - outer(self.first, self.first / _column(self.weight))
        squares, sizes = (np.diagonal(pair.high, axis1=1, axis2=2) for pair in (spread_out, self.second))
        tells = squares > SETTLED * np.abs(sizes)
        return spread_out.where(tells[:, :, None] & tells[:, None, :])

    @property
    def covariance(self) -> Array:
        """Scatter over weight (K, d, d), symmetric: the maximum-likelihood covariance; 0 where there is no row."""
        weight = np.where(self.rows > 0, self.weight.value, 1.0)
        covariance = self.scatter.value / weight[:, None, None]
        return (covariance + covariance.transpose(0, 2, 1)) / 2.0


Sums = tuple[Array, Pair, Pair, Pair]  # rows, weight, first and second about the shift


def _tiled(X: Array, beside: Array, R: Shares, shift: Array) -> Sums:
    """By a loop, from products about the mean of the first rows of each component; far from there, the other way."""
    with np.errstate(over="ignore", invalid="ignore"):
        centre, rows, weight, first, second = tiled_products(X, beside, R)
        squares = np.diagonal(second, axis1=1, axis2=2)
        near = keeps_digits(weight[:, None], first, squares)
    if not (near & (squares <= LARGEST**2))[rows > 0].all():
        parts = [_chunk(X[a : a + ROWS], beside[a : a + ROWS], R[a : a + ROWS], shift) for a in range(0, len(X), ROWS)]
        counts, *sums = (list(each) for each in zip(*parts, strict=True))
        return np.sum(counts, axis=0), *(stack(some).sum(0) for some in sums)
    whole = exact(rows) if R.plain else Tally.of(R).weight
    return rows, whole, *moved(whole, exact(first), exact(second), two_sum(centre, -shift))


def _chunk(X: Array, beside: Array, R: Shares, shift: Array) -> Sums:
    """By BLAS, from products about the mean of each component."""
    X = np.hstack([X, beside]) if beside.shape[1] else np.asarray(X, dtype=np.float64)
    _check_cells(X, R)
    K, d = R.K, len(shift)
    tally = Tally.of(R)
    centre, first, second = np.tile(shift, (K, 1)), np.zeros((K, d)), np.zeros((K, d, d))
    once = R.plain and R.codes.shape[1] == 1  # every row in one component, with weight 1
    for k in np.flatnonzero(tally.rows):
        row, entry = (np.flatnonzero(R.codes[:, 0] == k), 0) if once else np.nonzero((R.codes == k) & R.live)
        z, w = X[row], R.share[row, entry]
        centre[k] += w @ (z - shift) / w.sum()
        z -= centre[k]
        first[k] = w @ z
        if not once:
            z *= np.sqrt(w)[:, None]
        second[k] = z.T @ z
    return tally.rows, tally.weight, *moved(tally.weight, exact(first), exact(second), two_sum(centre, -shift))


def moved(weight: Pair, first: Pair, second: Pair, t: Pair) -> tuple[Pair, Pair]:
    """Sums about a shift that is less by t: S' = S + W t, Q' = Q + t S' + S t' + W t t'  (outer products)."""
    sums = first + _column(weight) * t
    return sums, second + outer(t, first) + outer(sums, t)


def outer(a: Pair, b: Pair) -> Pair:
    """Products of all pairs of columns (..., d, d)."""
    return _column(a) * Pair(b.high[..., None, :], b.low[..., None, :])


def _column(a: Pair) -> Pair:
    """With one more axis, at the end."""
    return Pair(a.high[..., None], a.low[..., None])


def _check_cells(X: Array, R: Shares) -> None:
    """Refuse rows with missing or too large cells; the products of their other columns would be of other rows."""
    odd = ~(np.abs(X) <= LARGEST)
    if not odd.any() or not (odd := odd & R.claimed[:, None]).any():
        return
    row, column = np.argwhere(odd)[0]
    cell = X[row, column]
    if np.isnan(cell):
        raise bad(
            "X",
            f"column {column}",
            "present in every row for a full covariance",
            Said(f"a missing cell in row {row} of its block"),
            "Fill it in, leave the row out, or use independent columns, which leave out the cell alone.",
        )
    raise bad(
        "X",
        f"column {column}",
        f"finite and at most {LARGEST:g} in size",
        Said(f"{cell} in row {row} of its block"),
        "Correct the cell or leave the row out.",
    )
