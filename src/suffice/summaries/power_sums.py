"""Weight, sum and sum of squares of each column about a shift, per component: the pass over the rows behind `Moments`.

One result, three routes: a compiled loop where each row belongs to one component, its NumPy twin for small tables (and
as the loop's oracle), and matrix products where rows are shared among components. Laws hold them together.
"""

from __future__ import annotations

import numpy as np

from suffice.core.block import Array
from suffice.core.double_double import Pair, exact, two_sum
from suffice.core.errors import Said, bad
from suffice.core.shares import Shares
from suffice.numerics.loop import CHUNK, fma, loop, pays
from suffice.summaries.shifted_sums import SharedSums, shared

FIRST = 64  # rows whose median is the shift
LARGEST = 1e140  # squares of larger cells could be too large to be split and added
CELLS = 8_192  # cells of several components that the twin takes at a time, which stay in the cache
FOLDS = (64, 4096, 262144)  # rows after which the loop folds sums of few rows into sums of more


def power_sums(X: Array, R: Shares, shift: Array) -> SharedSums:
    """Rows, weight, sum of w (x - shift) and of w (x - shift)^2, per component and column."""
    route = shared if R.codes.shape[1] > 1 else scattered if pays(X.size) else twin
    with np.errstate(over="ignore", invalid="ignore"):  # infinite cells are refused below
        sums = route(X, R, shift)
    if not (sums[3].high <= LARGEST**2).all():
        _check_size(X, R, bool(np.isfinite(sums[3].high).all()))
    return sums


def middle(X: Array) -> Array:
    """Median of the first rows of each column, over cells that are present and not too large; 0 where there is none."""
    head = np.asarray(X[:FIRST], dtype=np.float64)
    cells = np.sort(np.where(np.abs(head) <= LARGEST, head, np.nan), axis=0)  # NaN goes last
    if not len(cells):
        return np.zeros(X.shape[1])
    count = (~np.isnan(cells)).sum(axis=0)
    picked = cells[np.maximum(count - 1, 0) // 2, np.arange(X.shape[1])]
    return np.where(count > 0, picked, 0.0)


def _check_size(X: Array, R: Shares, finite: bool) -> None:
    """Refuse the first cell that is infinite or too large to be squared and added, or the weight that makes it so."""
    sizes = np.where(R.claimed[:, None], np.abs(np.where(np.isnan(X), 0.0, X)), 0.0)
    if (sizes > LARGEST).any():
        row, column = np.argwhere(sizes > LARGEST)[0]
        raise bad(
            "X",
            f"column {column}",
            f"finite and at most {LARGEST:g} in size",
            Said(f"{X[row, column]} in row {row} of its block"),
            "Correct the cell or mark it as missing (NaN).",
        )
    if not finite:
        raise bad("X", "weights", "such that sums of squares stay finite", float(R.share.max()), "Use smaller weights.")


def twin(X: Array, R: Shares, shift: Array) -> SharedSums:
    """Each row in one component, in NumPy: rows sorted by component, and the sums of many components at a time."""
    codes, d = R.codes[:, 0], X.shape[1]
    live = np.flatnonzero((codes >= 0) & (R.share[:, 0] != 0.0))
    order = live[np.argsort(codes[live], kind="stable")]
    owner, lengths = _segments(np.bincount(codes[live], minlength=R.K))
    counted, totals = np.zeros((len(owner), d), dtype=np.int64), np.zeros((2, len(owner), 3 * d))
    ends, at_once = np.cumsum(lengths), max(CELLS // max(d, 1), 1)
    for some in np.split(np.arange(len(owner)), np.flatnonzero(np.diff((ends - 1) // at_once)) + 1):
        if len(some):
            mine = order[ends[some[0]] - lengths[some[0]] : ends[some[-1]]]
            counted[some], totals[:, some] = _terms(X[mine], R.share[mine], shift, lengths[some])
    rows, sums = np.zeros((R.K, d), dtype=np.int64), np.zeros((2, R.K, 3 * d))
    first = np.flatnonzero(np.diff(owner, prepend=-1))
    rows[owner[first]], sums[:, owner[first]] = counted[first], totals[:, first]
    for i in np.flatnonzero(np.diff(owner, prepend=-1) == 0):  # more rows of a component than are taken at a time
        k = owner[i]
        rows[k] += counted[i]
        sums[:, k] = Pair(*sums[:, k]) + Pair(*totals[:, i])
    weight, once, twice = (Pair(*sums[:, :, j * d : (j + 1) * d]) for j in range(3))
    return rows, weight, once, twice


def _segments(counts: Array) -> tuple[Array, Array]:
    """Runs of rows of one component, at most a chunk of them: the component and the length of each."""
    pieces = -(-counts // CHUNK)
    owner = np.repeat(np.arange(len(counts)), pieces)
    lengths = np.full(len(owner), CHUNK, dtype=np.int64)
    met = np.flatnonzero(counts)
    lengths[np.cumsum(pieces)[met] - 1] = counts[met] - (pieces[met] - 1) * CHUNK
    return owner, lengths


def _terms(x: Array, share: Array, shift: Array, lengths: Array) -> tuple[Array, Array]:
    """Rows (S, d), and the sums of w, w t and w t^2 as high and low halves (2, S, 3 d), of S runs of rows."""
    x = x.astype(np.float64)
    present = ~np.isnan(x)
    t = two_sum(np.where(present, x, shift), -shift)
    w = exact(np.where(present, share, 0.0))
    first = w * t
    if len(lengths) == 1:  # nothing is copied together: it would not stay in the cache
        summed = [w.sum(0), first.sum(0), (first * t).sum(0)]
        return present.sum(axis=0)[None], np.stack([np.concatenate(half)[None] for half in zip(*summed, strict=True)])
    terms = Pair(*(np.concatenate(half, axis=1) for half in zip(w, first, first * t, strict=True)))
    starts = np.cumsum(lengths) - lengths
    return np.add.reduceat(present, starts, axis=0, dtype=np.int64), np.stack(_run_sums(terms, lengths))


def _run_sums(terms: Pair, lengths: Array) -> Pair:
    """SharedSums over runs of rows (S, m), each by halves as `Pair.sum`, all runs side by side."""
    high, low = terms
    while lengths.max() > 1:
        half, starts = lengths // 2, np.cumsum(lengths) - lengths
        left = lengths - half
        within = np.arange(left.sum()) - np.repeat(np.cumsum(left) - left, left)
        reach = np.repeat(half, left)
        paired, at = within < reach, np.repeat(starts, left) + within + np.where(within < reach, 0, reach)
        some = at[paired]
        added = Pair(high[some], low[some]) + Pair(high[some + reach[paired]], low[some + reach[paired]])
        high, low, lengths = high[at], low[at], left
        high[paired], low[paired] = added
    return Pair(high, low)


def scattered(X: Array, R: Shares, shift: Array) -> SharedSums:
    """Each row in one component, compiled."""
    d = X.shape[1]
    width = -(-(d + 1) // 8) * 8  # whole vector registers: the scalar rest of 30 columns would double the time
    rows, missing = np.zeros(R.K, dtype=np.int64), np.zeros((R.K, d), dtype=np.int64)
    sums = np.zeros((R.K, len(FOLDS) + 1, 6, width))
    padded, cells = np.zeros(width), np.zeros(width)
    padded[:d] = shift
    alike = R.plain
    for a in range(0, len(X), CHUNK):
        chunk = np.ascontiguousarray(X[a : a + CHUNK], dtype=np.float64)
        codes = np.ascontiguousarray(R.codes[a : a + CHUNK, 0])
        w = None if alike else np.ascontiguousarray(R.share[a : a + CHUNK, 0])
        _add_rows(chunk, codes, w, padded, cells, rows, missing, sums, FOLDS)
    present = rows[:, None] - missing
    first, second, lost = (Pair(sums[:, :, m], sums[:, :, m + 1]).sum(axis=1) for m in (0, 2, 4))
    weight = Pair(lost.high[:, -1:], lost.low[:, -1:]) - Pair(lost.high[:, :d], lost.low[:, :d])
    weight = exact(present) if alike else weight.where(present > 0)
    return present, weight, Pair(first.high[:, :d], first.low[:, :d]), Pair(second.high[:, :d], second.low[:, :d])


@loop
def _add_rows(X, codes, w, shift, cells, rows, missing, sums, folds):  # type: ignore[no-untyped-def]
    """Add a chunk. sums[k, 0] holds first sums, second sums and the weights of missing cells, each as high and low; the
    last column of the weights is that of all rows. A missing cell is put at the shift, where it adds nothing. Every 64
    rows of a component are folded into sums[k, 1], every 4096 into sums[k, 2] and so on: low parts that grow over more
    rows would round off what they are kept for.
    """
    n, d = X.shape
    width = cells.shape[0]
    for i in range(n):
        k = codes[i]
        one = 1.0 if w is None else w[i]
        if k < 0 or one == 0.0:
            continue
        gaps = 0
        for j in range(d):
            x = X[i, j]
            gap = x != x
            cells[j] = shift[j] if gap else x
            gaps += gap
        total = sums[k, 0]
        if gaps:
            for j in range(d):
                if X[i, j] != X[i, j]:
                    missing[k, j] += 1
                    high = total[4, j] + one
                    v = high - total[4, j]
                    total[5, j] += (total[4, j] - (high - v)) + (one - v)
                    total[4, j] = high
        if w is not None:
            high = total[4, width - 1] + one
            v = high - total[4, width - 1]
            total[5, width - 1] += (total[4, width - 1] - (high - v)) + (one - v)
            total[4, width - 1] = high
        for j in range(width):
            x, c = cells[j], shift[j]
            t = x - c
            b = t - x
            te = (x - (t - b)) - (c + b)
            q, qe = t, te
            if w is not None:
                q = one * t
                qe = fma(one, t, -q) + one * te
            high = total[0, j] + q
            v = high - total[0, j]
            total[1, j] += ((total[0, j] - (high - v)) + (q - v)) + qe
            total[0, j] = high
            p = q * t
            pe = fma(q, t, -p) + (q * te + qe * t)
            high = total[2, j] + p
            v = high - total[2, j]
            total[3, j] += ((total[2, j] - (high - v)) + (p - v)) + pe
            total[2, j] = high
        rows[k] += 1
        level = 0
        while level < len(folds) and rows[k] % folds[level] == 0:
            below, above = sums[k, level], sums[k, level + 1]
            for m in range(0, 4 if w is None else 6, 2):
                for j in range(width):
                    high = above[m, j] + below[m, j]
                    v = high - above[m, j]
                    low = (above[m, j] - (high - v)) + (below[m, j] - v) + (above[m + 1, j] + below[m + 1, j])
                    above[m, j] = high + low
                    above[m + 1, j] = low - (above[m, j] - high)
                    below[m, j] = 0.0
                    below[m + 1, j] = 0.0
            level += 1
