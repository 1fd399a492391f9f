"""FullMoments: row count, weight, sum and products of all pairs of columns, per component.

    W = sum_i w_i,   S = sum_i w_i (x_i - c),   Q = sum_i w_i (x_i - c)(x_i - c)'

Each block is centred near the mean of each component in it and multiplied, in tiles or by BLAS; the change to the
carried shift c, and everything between blocks, is done in pairs. A shared shift alone would get the variance of a
component 1e8 standard deviations away wrong by a factor of ten. Products are rounded inside a block, so that forgetting
costs more than it does with `Moments`: the relative error of a variance is then about 2^-53 (largest |x - mean| ever
added / sd)^2 / n. How much that may be is kept (`noise`): a column that varies by no more is constant.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from suffice.core.added_columns import AddedColumns
from suffice.core.affine import Affine, Linear
from suffice.core.bad_cells import bad_cell
from suffice.core.block import Array
from suffice.core.double_double import Pair, exact, stack, two_sum
from suffice.core.errors import bad
from suffice.core.moved_sums import NEAR_MEAN, column, moved, outer
from suffice.core.registry import saved
from suffice.core.shares import Shares
from suffice.core.summary import Index, Summary, spread
from suffice.core.tally import Tally, remaining, remaining_weight
from suffice.numerics.arrays import every
from suffice.numerics.loop import CHUNK
from suffice.numerics.tiles import tiles_pay
from suffice.summaries.leaving import PRODUCTS, SHARP, SUMS, check_columns, check_directions, rounding, slack
from suffice.summaries.power_sums import LARGEST, middle
from suffice.summaries.shifted_sums import keeps_digits
from suffice.summaries.tiled_products import TILED, tiled_products

LARGEST_SUM = 1e290  # of squares; a larger one could be too large to be split
KEPT = 1 << 16  # products of all components up to which their scatter is kept once it was read
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
    noise: Array = field(default_factory=lambda: np.zeros(()), kw_only=True)  # (K, d) of the scatter that is rounding
    sharp: bool = field(default=False, kw_only=True)  # whether products hardly rounded: see `sharp_products`

    def __post_init__(self) -> None:
        """Of rows that were only summarized, and in files from before it was kept, there is none."""
        if self.noise.shape != self.first.high.shape:
            object.__setattr__(self, "noise", np.zeros(self.first.high.shape))

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
            total = total._with(other.rows, other.weight, other.first, other.second, other.noise)
        return replace(total, sharp=all(part.sharp for part in parts if part.rows.any()))

    def _with(self, rows: Array, weight: Pair, first: Pair, second: Pair, noise: Array | float = 0.0) -> FullMoments:
        """More rows about the same shift."""
        sums = self.weight + weight, self.first + first, self.second + second
        return self._holding(self.rows + rows, *sums, noise=self.noise + noise)

    def _holding(self, rows: Array, weight: Pair, first: Pair, second: Pair, *, noise: Array) -> FullMoments:
        """Other sums about the same shift, from the same kind of products."""
        return replace(self, rows=rows, weight=weight, first=first, second=second, noise=noise)

    def __sub__(self, other: FullMoments) -> FullMoments:
        """Take rows away; a component whose last row leaves is exactly empty, one with a single row does not vary."""
        taken, other = other.rows > 0, other.about(self.shift)
        rows = remaining(self.rows, other.rows)
        weight = remaining_weight(self.weight, other.weight, rows)
        held = column(self.weight), column(weight)
        sharp = self.sharp and (other.sharp or not taken.any())
        share = SHARP if sharp else PRODUCTS
        noise = rounding(share, self._squares, *held) + rounding(SUMS, diagonal(self.second), *held) + other.noise
        noise = np.where(taken[:, None], self.noise + noise, self.noise)
        first = (self.first - other.first).where((rows > 0)[:, None])
        left = FullMoments(self.shift, rows, weight, first, self.second - other.second, noise=noise, sharp=sharp)
        self._check(other, left, taken)
        several, equal = (rows > 1)[:, None, None], outer(first, first / column(weight))
        second = left.second.where(several) + equal.where(~several)
        return replace(left, second=second, noise=np.where(rows[:, None] > 0, noise, 0.0))

    def _check(self, other: FullMoments, left: FullMoments, taken: Array) -> None:
        """Refuse rows that cannot be among these."""
        gap = (self.mean - other.mean).value
        apart = np.abs((self._squares - other._squares).value) + self.weight.high[:, None] * gap**2
        allowed = slack(left.noise)
        check_columns(left.rows[taken, None], left._squares.high[taken], apart[taken], allowed[taken])
        some = np.flatnonzero(taken & (left.rows > 1))
        for k, S in zip(some, left.spread(_places(some, len(taken)), len(some))._spread_out.value, strict=True):
            check_directions(S, allowed[k])

    def settled(self) -> FullMoments:
        """As it is read: what taking rows away left in columns that are constant is taken out.

        It stays in the sums, as what is hidden by it would be missed where more rows come or go.
        """
        if not self.noise.any():
            return self
        constant = (self.noise > 0) & (self._squares.high <= self.noise)
        if not constant.any():
            return self
        mean_square = (self.first * (self.first / column(self.weight))).high
        share = SHARP if self.sharp else PRODUCTS  # of what squares err by, the square of a mean does
        at_shift = constant & (mean_square <= share * self.noise)
        first, both = self.first.where(~at_shift), ~(constant[:, :, None] | constant[:, None, :])
        equal = outer(first, first / column(self.weight))
        return replace(self, first=first, second=self.second.where(both) + equal.where(~both))

    def scale(self, factor: float) -> FullMoments:
        """Weights decay."""
        by = exact(factor)
        sums = self.weight * by, self.first * by, self.second * by
        return self._holding(self.rows, *sums, noise=self.noise * factor)

    def spread(self, index: Index, K: int) -> FullMoments:
        """Move components."""
        sums = (Pair(*(spread(half, index, K) for half in pair)) for pair in (self.weight, self.first, self.second))
        rows, noise = (spread(some, index, K) for some in (self.rows, self.noise))
        return self._holding(rows, *sums, noise=noise)

    def fewest(self) -> Array:
        """All of them: no cell is missing."""
        return self.rows

    def about(self, shift: Array) -> FullMoments:
        """The same rows about another shift."""
        if shift is self.shift or np.array_equal(shift, self.shift):
            return self
        first, second = moved(self.weight, self.first, self.second, two_sum(self.shift, -shift))
        noise = self.noise + SUMS * np.abs(diagonal(self.second).high)  # which may be little about the other
        return replace(self, shift=shift, first=first, second=second, noise=noise)

    def push(self, by: Affine | Linear | AddedColumns) -> FullMoments:
        """What is kept of the rows once their columns are mapped."""
        where = by.shift(self.shift)
        first, second = moved(self.weight, by.sums(self.first), by.products(self.second), exact(where.low))
        return replace(self, shift=where.high, first=first, second=second, noise=by.squares(self.noise))

    def columns(self, places: Index) -> FullMoments:
        """What is kept of some columns, in any order."""
        at = np.asarray(places, dtype=np.intp)
        first = Pair(*(half[:, at] for half in self.first))
        second = Pair(*(half[:, at[:, None], at] for half in self.second))
        return replace(self, shift=self.shift[at], first=first, second=second, noise=self.noise[:, at])

    def among(self, places: Index, m: int) -> FullMoments:
        """The same columns at some places of m; the others were 0 in every row."""
        at = np.asarray(places, dtype=np.intp)
        wide = FullMoments.empty(len(self.rows), np.zeros(m))
        wide.shift[at], wide.noise[:, at] = self.shift, self.noise
        for mine, theirs in zip(self.first, wide.first, strict=True):
            theirs[:, at] = mine
        for mine, theirs in zip(self.second, wide.second, strict=True):
            theirs[:, at[:, None], at] = mine
        return replace(self, shift=wide.shift, first=wide.first, second=wide.second, noise=wide.noise)

    def pooled(self) -> FullMoments:
        """All components as one (K = 1)."""
        sums = (Pair(*(half[None] for half in pair.sum(0))) for pair in (self.weight, self.first, self.second))
        rows, noise = (some.sum(axis=0, keepdims=True) for some in (self.rows, self.noise))
        return self._holding(rows, *sums, noise=noise)

    @property
    def mean(self) -> Pair:
        """Mean of each column (K, d), as a pair: subtract high, then low. 0 where there is no row."""
        mean = exact(self.shift) + self.offset
        return mean if every(self.rows) else mean.where(self.rows[:, None] > 0)

    @property
    def scatter(self) -> Pair:
        """Sum of w (x - mean)(x - mean)' (K, d, d); exactly 0 in the rows and columns of columns that are constant."""
        return self._kept("_scatter", self._read_scatter)

    @property
    def offset(self) -> Pair:
        """Mean less shift (K, d); 0 where there is no row."""
        return self._kept("_offset", self._read_offset)

    def _kept(self, name: str, read: Callable[[], Pair]) -> Pair:
        """What is asked for again and again is kept once it was read, if it is small."""
        known: Pair | None = vars(self).get(name)
        if known is None:
            known = read()
            if known.high.size <= KEPT:
                vars(self)[name] = known
        return known

    def _read_offset(self) -> Pair:
        if self._near_mean:  # of so little, float64 keeps enough digits
            return exact(self.first.high / self.weight.high[:, None])
        return self.first / column(self.weight)

    @property
    def _near_mean(self) -> bool:
        """Whether all have rows, and the shift is so near to every mean that it hardly adds to a scatter."""
        known: bool | None = vars(self).get("_near")
        if known is None:
            first, limit = self.first.high, NEAR_MEAN * self.weight.high
            squares = self.second.high.diagonal(axis1=1, axis2=2)
            known = every(first * first <= limit[:, None] * squares) and every(self.rows)
            vars(self)["_near"] = known
        return known

    def _read_scatter(self) -> Pair:
        spread_out = self._spread_out
        squares = spread_out.high.diagonal(axis1=1, axis2=2)
        sizes = self.second.high.diagonal(axis1=1, axis2=2)
        tells = squares > np.maximum(SUMS * np.abs(sizes), self.noise)
        return spread_out if every(tells) else spread_out.where(tells[:, :, None] & tells[:, None, :])

    @property
    def _spread_out(self) -> Pair:
        """Sum of w (x - mean)(x - mean)' (K, d, d), rounding and all; about the mean itself it is the second sum."""
        if self._near_mean:  # of so little, float64 keeps enough digits
            first = self.first.high
            return self.second.plus(first[:, :, None] * (first / -self.weight.high[:, None])[:, None, :])
        return self.second - outer(self.first, self.offset)

    @property
    def _squares(self) -> Pair:
        """Sum of w (x - mean)^2 (K, d), rounding and all."""
        return diagonal(self.second) - self.first * self.offset

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
    centre, first, second = shift[None].repeat(K, axis=0), np.zeros((K, d)), np.zeros((K, d, d))
    once = R.plain and R.codes.shape[1] == 1  # every row in one component, with weight 1
    with np.errstate(over="ignore", invalid="ignore"):  # weights that are too large are refused below
        for k in tally.rows.nonzero()[0]:
            if once:
                z = X[R.codes[:, 0] == k]
                centre[k] += np.add.reduce(z - shift) / len(z)
                z -= centre[k]
                first[k] = np.add.reduce(z)
            else:
                row, entry = np.nonzero((R.codes == k) & R.live)
                z, w = X[row], R.share[row, entry]
                centre[k] += w @ (z - shift) / w.sum()
                z -= centre[k]
                first[k] = w @ z
                z *= np.sqrt(w)[:, None]
            np.matmul(z.T, z, out=second[k])
    _check_weights(second, R)
    return tally.rows, tally.weight, *moved(tally.weight, exact(first), exact(second), two_sum(centre, -shift))


def _check_weights(second: Array, R: Shares) -> None:
    """Refuse weights that make products too large to be split and added, which the cells alone are not."""
    if not every(second.diagonal(axis1=1, axis2=2) <= LARGEST_SUM):
        raise bad("X", "weights", "such that sums of squares stay finite", float(R.share.max()), "Use smaller weights.")


def diagonal(a: Pair) -> Pair:
    """The products of each column with itself (K, d)."""
    return Pair(*(np.diagonal(half, axis1=1, axis2=2) for half in a))


def _places(some: Array, K: int) -> Array:
    """Where some of K components go, if the others are dropped."""
    index = np.full(K, -1)
    index[some] = np.arange(len(some))
    return index


def _check_cells(X: Array, R: Shares) -> None:
    """Refuse rows with missing or too large cells; the products of their other columns would be of other rows."""
    if max(-float(X.min(initial=0.0)), float(X.max(initial=0.0))) <= LARGEST:  # NaN is not
        return
    odd = ~(np.abs(X) <= LARGEST) & R.claimed[:, None]
    if not odd.any():
        return
    if np.isnan(X[odd][0]):
        rule = "present in every row for a full covariance"
        remedy = "Fill it in, leave the row out, or use independent columns, which leave out the cell alone."
        raise bad_cell(X, odd, rule, remedy, missing=True)
    raise bad_cell(X, odd, f"finite and at most {LARGEST:g} in size", "Correct the cell or leave the row out.")
