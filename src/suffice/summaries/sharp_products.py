"""FullMoments by products that hardly round: numbers are cut into slices of few bits, which BLAS multiplies exactly.

A product of two slices of 21 bits has 42, and 1024 of them add up without rounding in the 53 bits of a float64. What
the first slices leave is multiplied as it is, and so is what two slices leave, which errs by about 2^-90 of the largest
cells. Four products in place of one: for blocks whose columns nearly depend on one another, and for small ones. In
large tables a loop does the same for the price of three (`sharp_tiles`).
Reference: K. Ozaki et al., Error-free transformations of matrix multiplication (2012).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.double_double import Pair, exact, quick, two_sum
from suffice.core.moved_sums import moved
from suffice.core.shares import Shares
from suffice.core.tally import Tally
from suffice.numerics.tiles import tiles_pay
from suffice.summaries.full_moments import FullMoments
from suffice.summaries.power_sums import LARGEST, middle, whole_numbers
from suffice.summaries.sharp_tiles import Guide, sharp_products

BITS = 21
NEAR = 2.0**30  # times its extent that a column may be away from 0, to be cut about a centre without pairs
COARSE, FINE = (
    1.5 * 2.0 ** (52 - BITS),
    1.5 * 2.0 ** (52 - 2 * BITS),
)  # added and taken away: what a slice holds is left
LEAST = -900  # exponents that are smaller have no inverse; squares of such numbers are 0
FEW = 2048  # rows whose products are sharp whatever their condition number
FAR = 2.0**-12  # of the squares of a column about a centre: what it varies by at least where the centre is near
ROWS = 1024  # 2 * BITS and the bits of this number are below 53; the slices of some 50 columns stay in the cache


def sharp_moments(X: Array, R: Shares, shift: Array, beside: Array | None = None) -> FullMoments:
    """The same as `FullMoments.of`, for cells that it has let pass."""
    return sharpened(X, R, FullMoments.of(X, R, shift, beside), beside)


def sharpened(X: Array, R: Shares, plain: FullMoments, beside: Array | None = None) -> FullMoments:
    """The same from plain moments of these rows, and perhaps of others."""
    beside = np.empty((len(X), 0)) if beside is None else beside
    if tiles_pay(X.size, len(plain.shift)):
        return _tiled(X, beside, R, plain)
    return _of_each(np.hstack([X, beside]).astype(np.float64, copy=False), R, plain.shift)


def paired_moments(P: Pair, R: Shares, beside: Array, shift: Array) -> FullMoments:
    """Of columns that come as pairs, with plain ones beside."""
    x, low = np.hstack([P.high, beside]), np.hstack([P.low, np.zeros(beside.shape)])
    return _of_each(x, R, shift, low if low.any() else None)


def few_moments(X: Array, R: Shares, beside: Array, paired: Any = None) -> FullMoments | None:
    """The same for a few rows, without plain moments; None where others do it, or name a bad cell.

    Of columns that are rounded, `paired` gives those that are not.
    """
    if not (0 < len(X) <= FEW and R.plain and R.codes.shape[1] == 1):
        return None
    if (
        R.K == 1
        and len(X) <= ROWS
        and paired is None
        and X.size
        and not float(X[0, 0]).is_integer()
        and not np.count_nonzero(R.codes)
    ):
        columns = np.empty((X.shape[1] + beside.shape[1], len(X)))
        columns[: X.shape[1]], columns[X.shape[1] :] = X.T, beside.T
        return _alike(columns, np.add.reduce(columns, axis=1) / len(X))
    x = np.concatenate([X, beside], axis=1, dtype=np.float64)
    if not max(-float(x.min()), float(x.max())) <= LARGEST:  # NaN is not
        return None
    if paired is not None:
        return paired_moments(next(iter(paired()))[0], R, beside, middle(x))
    return _of_each(x, R, middle(x))


def _of_each(x: Array, R: Shares, shift: Array, low: Array | None = None) -> FullMoments:
    """Component by component, some rows at a time; rows of one component that are few stay about their mean."""
    if not R.K:
        return FullMoments.empty(0, shift)
    everybody = R.K == 1 and R.plain and len(x) and R.codes.min() == 0
    once = R.plain and R.codes.shape[1] == 1
    t = whole_numbers(x, shift) if once and low is None else None
    if t is not None:
        return _whole(t, R, shift)
    if everybody and len(x) <= ROWS:
        return _one(x, None, shift, low)
    found = _about_one_centre(x, R, shift) if once and low is None and R.K > 1 and len(x) <= FEW else None
    if found is not None:
        return found
    parts = [_component(x, R, k, shift, bool(everybody), low) for k in range(R.K)]
    if R.K == 1:
        return parts[0]
    rows, noise = (np.concatenate([getattr(part, name) for part in parts]) for name in ("rows", "noise"))
    halves = ([getattr(part, name) for part in parts] for name in ("weight", "first", "second"))
    sums = (Pair(*(np.concatenate(half) for half in zip(*pairs, strict=True))) for pairs in halves)
    return FullMoments(shift, rows, *sums, noise=noise, sharp=True)


def _component(x: Array, R: Shares, k: int, shift: Array, everybody: bool, low: Array | None = None) -> FullMoments:
    """The rows of one component about the shift."""
    if R.plain and R.codes.shape[1] == 1:
        row, share = slice(None) if everybody else np.flatnonzero(R.codes[:, 0] == k), None
    else:
        row, entry = np.nonzero((R.codes == k) & R.live)
        share = R.share[row, entry]
    mine, fine = x[row], None if low is None else low[row]
    cuts = [slice(a, a + ROWS) for a in range(0, len(mine), ROWS)]
    pieces = [
        _one(mine[cut], None if share is None else share[cut], shift, None if fine is None else fine[cut]).about(shift)
        for cut in cuts
    ]
    if len(pieces) == 1:
        return pieces[0]
    return FullMoments.sum(pieces) if pieces else FullMoments.empty(1, shift)


def _whole(t: Array, R: Shares, shift: Array) -> FullMoments:
    """Of whole numbers about the shift, whose plain sums and products do not round at all; codes are one a row."""
    first, second = np.zeros((R.K, len(shift))), np.zeros((R.K, len(shift), len(shift)))
    rows = np.bincount(R.codes[:, 0] + 1, minlength=R.K + 1)[1:]  # the first is nobody
    for k in np.flatnonzero(rows):
        mine = t if rows[k] == len(t) else t[R.codes[:, 0] == k]
        first[k] = np.add.reduce(mine, axis=0)
        np.matmul(mine.T, mine, out=second[k])
    return FullMoments(shift, rows, exact(rows), exact(first), exact(second), sharp=True)


def _about_one_centre(x: Array, R: Shares, shift: Array) -> FullMoments | None:
    """Of few rows, all components about the mean of all rows; None where one of them lies far from there.

    What they then share is done once. Far away is where a column varies so little that it might pass for constant.
    """
    codes, m = R.codes[:, 0], len(shift)
    rows = np.bincount(codes + 1, minlength=R.K + 1)[1:]  # the first is nobody
    if not 0 < rows.max() <= ROWS:
        return None
    columns = np.ascontiguousarray(x[np.argsort(codes, kind="stable")[len(x) - rows.sum() :]].T)
    about = _centred(columns, shift + np.add.reduce(columns - shift[:, None], axis=1) / columns.shape[1])
    assert about is not None  # cells were let pass
    cut, later = about.cut, _later(about.cut)
    both, little, sums = np.empty((R.K, m, 3 * m)), np.empty((R.K, m, m)), np.empty((R.K, 3 * m))
    for k, end in enumerate(np.cumsum(rows).tolist()):
        mine, rest = cut[:, end - rows[k] : end], later[:, end - rows[k] : end]
        np.matmul(mine[:m], mine.T, out=both[k])
        np.matmul(rest, rest.T, out=little[k])
        np.add.reduce(mine, axis=1, out=sums[k])
    first = _total(*sums.reshape(R.K, 3, m).transpose(1, 0, 2))
    first, second = about.in_units(first, _added(both, both[..., m:].transpose(0, 2, 1), little))
    squares = np.diagonal(second.high, axis1=1, axis2=2)
    if not (squares - first.high**2 / np.maximum(rows, 1)[:, None] >= FAR * squares).all():
        return None
    return FullMoments(about.about, rows, exact(rows), first, second, sharp=True)


def _tiled(X: Array, beside: Array, R: Shares, plain: FullMoments) -> FullMoments:
    """By a loop."""
    guide = Guide(plain.mean.high, plain.weight.high, np.diagonal(plain.scatter.value, axis1=1, axis2=2))
    tally = Tally.of(R)
    centre, first, second = sharp_products(X, beside, R, guide)
    sums = moved(tally.weight, first, second, two_sum(centre, -plain.shift))
    return FullMoments(plain.shift, tally.rows, tally.weight, *sums, sharp=True)


def _one(x: Array, w: Array | None, shift: Array, low: Array | None = None) -> FullMoments:
    """Rows of one component: multiplied about their mean, as bits far from the mean would be lost; not moved back."""
    n, columns = len(x), np.ascontiguousarray(x.T)  # what is done to each column then runs along memory
    if w is None and low is None:
        found = _alike(columns, shift + np.add.reduce(columns - shift[:, None], axis=1) / n)
        assert found is not None  # cells were let pass
        return found
    centre = shift + (np.add.reduce(x - shift) / n if w is None else w @ (x - shift) / w.sum())
    weight = (
        exact(np.array([float(n)])) if w is None else Tally.of(Shares.hard(np.zeros(n, dtype=np.int32), 1, w)).weight
    )
    z = two_sum(columns, -centre[:, None])
    z = z if low is None else z.plus(low.T)
    right = _cut(z)
    left = right if w is None or (w == 1.0).all() else _cut(z * exact(w))
    return _moments(n, weight, _Slices(centre, right, None), left)


def _alike(columns: Array, centre: Array) -> FullMoments | None:
    """Rows of one component that weigh alike, as columns (m, n), about a point near the centre; None of bad cells."""
    n, found = columns.shape[1], _centred(columns, centre)
    return None if found is None else _moments(n, exact(np.array([float(n)])), found, found.cut)


def _moments(n: int, weight: Pair, right: _Slices, left: Array) -> FullMoments:
    """Of n rows, from slices of their columns, and the same times their weights (3 m, n)."""
    first = _total(*np.add.reduce(left, axis=1).reshape(3, -1))
    first, second = right.in_units(first, products(left, right.cut))
    sums = Pair(first.high[None], first.low[None]), Pair(second.high[None], second.low[None])
    return FullMoments(right.about, np.array([n]), weight, *sums, sharp=True)


def products(left: Array, right: Array) -> Pair:
    """Sums of products of columns (k, m), from their slices (3 k, n) and (3 m, n) with at most `ROWS` rows."""
    k, m = len(left) // 3, len(right) // 3
    there = left[:k] @ right.T
    back = there[:, m:].T if left is right else left[k:] @ right[:m].T
    return _added(there, back, _later(left) @ _later(right).T)


def _later(cut: Array) -> Array:
    """What the first slices leave of columns (m, n): so little that its products with one another may round."""
    _, second, rest = cut.reshape(3, -1, cut.shape[1])
    return np.asarray(second + rest)


def _added(there: Array, back: Array, little: Array) -> Pair:
    """Products of first slices with all three (..., k, 3 m), of the other two with them (..., 2 k, m), and the rest."""
    k, m = there.shape[-2], little.shape[-1]
    little += there[..., 2 * m :] + back[..., k:, :]
    return _total(there[..., :m], there[..., m : 2 * m] + back[..., :k, :], little)


def _total(first: Array, second: Array, rest: Array) -> Pair:
    """Sum of what is large, less, and so little that what it rounds off is not seen."""
    high, error = two_sum(first, second)
    return quick(high, error + rest)


class _Slices(NamedTuple):
    """Columns about a point as slices (3 m, n), each column in a unit of its own, which is a power of two."""

    about: Array  # (m,)
    cut: Array
    unit: Array | None  # (m,) None where all are 1

    def in_units(self, first: Pair, second: Pair) -> tuple[Pair, Pair]:
        """Sums (..., m) and products (..., m, m) of the slices as those of the columns; nothing rounds."""
        if self.unit is None:
            return first, second
        both = self.unit[:, None] * self.unit
        return Pair(first.high * self.unit, first.low * self.unit), Pair(second.high * both, second.low * both)


def _centred(columns: Array, centre: Array) -> _Slices | None:
    """Columns (m, n) about a point near the centre (m,); None where a cell is missing or too large.

    A column that is not far from 0 for its extent is rounded to the first slice before the centre, in as many bits, is
    taken away: neither rounds, and no pairs are needed. In units of its extent, all columns are rounded alike.
    """
    least, most = np.minimum.reduce(columns, axis=1), np.maximum.reduce(columns, axis=1)
    size = np.maximum(most, -least)
    if not np.maximum.reduce(size) <= LARGEST:  # NaN is not
        return None
    reach = np.maximum(most - centre, centre - least)
    if not np.logical_and.reduce(size <= NEAR * reach):  # far from 0, the centre was rounded
        centre = centre + np.add.reduce(columns - centre[:, None], axis=1) / columns.shape[1]
        return _Slices(centre, _cut(two_sum(columns, -centre[:, None])), None)
    unit = _unit(reach)
    centre = centre / unit
    near = (centre + COARSE) - COARSE
    beyond = ((centre - near) + FINE) - FINE
    out = np.empty((3, *columns.shape))
    first, second, rest = out
    np.multiply(columns, (1.0 / unit)[:, None], out=rest)
    np.add(rest, COARSE, out=second)
    second -= COARSE
    np.subtract(second, near[:, None], out=first)
    rest -= second
    np.add(rest, FINE, out=second)
    second -= FINE
    rest -= second
    second -= beyond[:, None]
    return _Slices((near + beyond) * unit, out.reshape(3 * len(columns), -1), unit)


def slices(z: Pair) -> Array:
    """Two slices of each column of z (n, m) and what is left of it, one below the other (3 m, n)."""
    return _cut(Pair(np.ascontiguousarray(z.high.T), z.low.T))


def _cut(z: Pair) -> Array:
    """The same of columns that lie along the first axis (m, n)."""
    m, n = z.high.shape
    out = np.empty((3, m, n))
    first, second, rest = out
    unit = _unit(np.maximum.reduce(np.abs(z.high), axis=1))[:, None]
    for piece, whole, rounds in ((first, z.high, COARSE * unit), (second, rest, FINE * unit)):
        np.add(whole, rounds, out=piece)
        piece -= rounds
        np.subtract(whole, piece, out=rest)
    rest += z.low  # last, where it is not rounded off
    return out.reshape(3 * m, n)


def _unit(size: Array) -> Array:
    """The power of two above each size."""
    return np.ldexp(1.0, np.maximum(np.frexp(size)[1], LEAST))
