"""Weight, sum and sum of squares of each column about a shift, per component: the pass over the rows behind `Moments`.

One result, three routes: a compiled loop where each row belongs to one component, its NumPy twin for small tables (and as
the loop's oracle), and matrix products where rows are shared among components. Laws hold them together.
"""

from __future__ import annotations

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import BadInput
from suffice.core.loop import CHUNK, WORTH, fma, loop
from suffice.core.pairs import Pair, exact, two_sum
from suffice.core.shares import Shares

FIRST = 64  # rows whose median is the shift
LARGEST = 1e150  # the square of a larger cell is not finite
Sums = tuple[Array, Pair, Pair, Pair]  # rows, weight, first, second; (K, d) each


def power_sums(X: Array, R: Shares, shift: Array) -> Sums:
    """Rows, weight, sum of w (x - shift) and of w (x - shift)^2, per component and column."""
    route = shared if R.codes.shape[1] > 1 else scattered if X.size >= WORTH else twin
    sums = route(X, R, shift)
    if not np.isfinite(sums[3].high).all():
        raise _not_finite(X)
    return sums


def middle(X: Array) -> Array:
    """Median of the first rows of each column, over cells that are present and finite; 0 where there is none."""
    head = np.asarray(X[:FIRST], dtype=np.float64)
    cells = np.sort(np.where(np.isfinite(head), head, np.nan), axis=0)  # NaN goes last
    if not len(cells):
        return np.zeros(X.shape[1])
    count = (~np.isnan(cells)).sum(axis=0)
    picked = cells[np.maximum(count - 1, 0) // 2, np.arange(X.shape[1])]
    return np.where(count > 0, picked, 0.0)


def _not_finite(X: Array) -> BadInput:
    """Name the first cell that is infinite or whose square is."""
    row, column = np.argwhere(np.abs(np.where(np.isnan(X), 0.0, X)) > LARGEST)[0]
    return BadInput(
        f"X: column {column} must be finite and at most 1e150 in size, got {X[row, column]} (infinity or a value too "
        f"large) in row {row} of its block. Correct the cell or mark it as missing (NaN)."
    )


def shared(X: Array, R: Shares, shift: Array) -> Sums:
    """Rows shared among components: matrix products per chunk, chunks added as pairs.

    Ten times faster than scattering for 20 components. Within a chunk the error is that of plain sums about the shift.
    """
    d = X.shape[1]
    rows, sums = np.zeros((R.K, d), dtype=np.int64), [exact(np.zeros((R.K, d)))] * 3
    for a in range(0, len(X), CHUNK):
        chunk, share = X[a : a + CHUNK].astype(np.float64), R[a : a + CHUNK].dense()
        present = ~np.isnan(chunk)
        t = np.where(present, chunk - shift, 0.0)
        rows += np.rint((share != 0.0).T.astype(np.float64) @ present).astype(np.int64)
        sums = [old + exact(share.T @ new) for old, new in zip(sums, (present, t, t * t), strict=True)]
    weight, first, second = (pair.where(rows > 0) for pair in sums)
    return rows, weight, first, second


def twin(X: Array, R: Shares, shift: Array) -> Sums:
    """Each row in one component, in NumPy."""
    d = X.shape[1]
    rows, sums = np.zeros((R.K, d), dtype=np.int64), np.zeros((3, 2, R.K, d))
    for k in range(R.K):
        mine = np.flatnonzero((R.codes[:, 0] == k) & (R.share[:, 0] != 0.0))
        for a in range(0, len(mine), CHUNK):
            some = mine[a : a + CHUNK]
            x = X[some].astype(np.float64)
            present = ~np.isnan(x)
            t = two_sum(np.where(present, x, shift), -shift)
            w = exact(np.where(present, R.share[some], 0.0))
            rows[k] += present.sum(axis=0)
            for i, terms in enumerate((w, w * t, (w * t) * t)):
                sums[i, :, k] = Pair(*sums[i, :, k]) + _tree(terms)
    weight, first, second = (Pair(high, low) for high, low in sums)
    return rows, weight, first, second


def _tree(terms: Pair) -> Pair:
    """Sum over rows by halves: as many pair additions as the row count has bits."""
    high, low = terms
    while len(high) > 1:
        half = len(high) // 2
        added = Pair(high[:half], low[:half]) + Pair(high[half : 2 * half], low[half : 2 * half])
        high = np.concatenate([added.high, high[2 * half :]])
        low = np.concatenate([added.low, low[2 * half :]])
    return Pair(high[0], low[0])


def scattered(X: Array, R: Shares, shift: Array) -> Sums:
    """Each row in one component, compiled."""
    d = X.shape[1]
    width = -(-d // 8) * 8  # whole vector registers: the scalar rest of 30 columns would double the time
    rows, sums = np.zeros((R.K, width), dtype=np.int64), np.zeros((R.K, 6, width))
    padded, cells = np.zeros(width), np.zeros(width)
    padded[:d] = shift
    alike = R.alike and R.share.flat[0] == 1.0
    for a in range(0, len(X), CHUNK):
        chunk = np.ascontiguousarray(X[a : a + CHUNK], dtype=np.float64)
        codes = np.ascontiguousarray(R.codes[a : a + CHUNK, 0])
        w = None if alike else np.ascontiguousarray(R.share[a : a + CHUNK, 0])
        _add_rows(chunk, codes, w, padded, rows, sums, cells)
    rows, sums = rows[:, :d], sums[:, :, :d]
    weight = exact(rows.astype(np.float64)) if alike else Pair(sums[:, 0], sums[:, 1])
    return rows, weight, Pair(sums[:, 2], sums[:, 3]), Pair(sums[:, 4], sums[:, 5])


@loop
def _add_rows(X, codes, w, shift, rows, sums, cells):  # type: ignore[no-untyped-def]
    """Add a chunk. sums[k] holds weight, first and second, each as high and low, renormalised every 512 rows."""
    n, d = X.shape
    for start in range(0, n, 512):
        for i in range(start, min(n, start + 512)):
            k = codes[i]
            if k < 0 or (w is not None and w[i] == 0.0):
                continue
            count, total = rows[k], sums[k]
            for j in range(d):
                cells[j] = X[i, j]
            for j in range(cells.shape[0]):
                x, c = cells[j], shift[j]
                present = x == x
                t = x - c
                b = t - x
                te = (x - (t - b)) - (c + b)
                t = t if present else 0.0
                te = te if present else 0.0
                count[j] += 1 if present else 0
                q, qe = t, te
                if w is not None:
                    one = w[i] if present else 0.0
                    high = total[0, j] + one
                    v = high - total[0, j]
                    total[1, j] += (total[0, j] - (high - v)) + (one - v)
                    total[0, j] = high
                    q = one * t
                    qe = fma(one, t, -q) + one * te
                high = total[2, j] + q
                v = high - total[2, j]
                total[3, j] += ((total[2, j] - (high - v)) + (q - v)) + qe
                total[2, j] = high
                p = q * t
                pe = fma(q, t, -p) + (q * te + qe * t)
                high = total[4, j] + p
                v = high - total[4, j]
                total[5, j] += ((total[4, j] - (high - v)) + (p - v)) + pe
                total[4, j] = high
        for k in range(sums.shape[0]):
            for m in range(0, 6, 2):
                for j in range(d):
                    high = sums[k, m, j] + sums[k, m + 1, j]
                    sums[k, m + 1, j] -= high - sums[k, m, j]
                    sums[k, m, j] = high
