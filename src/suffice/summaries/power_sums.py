"""Weight, sum and sum of squares of each column about a shift, per component: the pass over the rows behind `Moments`.

One result, three routes: a compiled loop where each row belongs to one component, its NumPy twin for small tables (and
as the loop's oracle), and matrix products where rows are shared among components. Laws hold them together.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from suffice.core.bad_cells import bad_cell
from suffice.core.block import Array
from suffice.core.double_double import RUN, Pair, even_run, exact, padded, quick, run_totals, two_sum
from suffice.core.errors import bad
from suffice.core.shares import Shares
from suffice.numerics.arrays import every
from suffice.numerics.loop import CHUNK, fma, loop, side_by_side
from suffice.summaries.shifted_sums import SharedSums, shared

FIRST = 64  # rows whose median is the shift
LEAST, HEAD = 5, 1 << 16  # rows that it is taken of at least, and cells from which they are fewer: wide tables
BROAD = 1_024  # columns above which another thread may fill the sums of half of them
BROADEST = 8_192  # columns whose sums the loop fills at a time at most: those of two classes stay in the cache
LARGEST = 1e140  # squares of larger cells could be too large to be split and added
CELLS = 8_192  # cells of several components that the twin takes at a time, which stay in the cache
MANY = 64  # components up to which a matrix product sums whole numbers faster than pairs do
EXACT = 2.0**53  # below this, sums of whole numbers are exact
SMALL = 2.0**20  # size of whole numbers whose squares a chunk of rows sums exactly
FEW = 4096  # components times columns whose sums of a chunk stay in the cache
FOLDS = (64, 4096, 262144)  # rows after which the loop folds sums of few rows into sums of more


def power_sums(X: Array, R: Shares, shift: Array) -> SharedSums:
    """Rows, weight, sum of w (x - shift) and of w (x - shift)^2, per component and column."""
    with np.errstate(over="ignore", invalid="ignore"):  # infinite cells are refused below
        if R.codes.shape[1] > 1:
            sums = shared(X, R, shift)
        else:
            sums = scattered(X, R, shift) if _add_rows.pays(X.size) else _add_rows.instead(twin, X, R, shift)
    if not every(sums[3].high <= LARGEST**2):
        _check_size(X, R, bool(np.isfinite(sums[3].high).all()))
    return sums


def middle(X: Array) -> Array:
    """Median of the first rows of each column, over cells that are present and not too large; 0 where there is none."""
    few = min(FIRST, max(LEAST, HEAD // max(X.shape[1], 1)))
    head = np.asarray(X[:few], dtype=np.float64)
    if not len(head):
        return np.zeros(X.shape[1])
    fine, lower = np.abs(head) <= LARGEST, (len(head) - 1) // 2
    if few == FIRST and every(fine):
        return np.asarray(np.partition(head, lower, axis=0)[lower])
    cells, count = np.where(fine, head, np.inf), fine.sum(axis=0)
    if few < FIRST and len(cells) <= FIRST // 4:
        _least_first(cells)
    else:
        cells.sort(axis=0)
    picked = cells[np.maximum(count - 1, 0) // 2, np.arange(X.shape[1])]
    return np.where(count > 0, picked, 0.0)


def _least_first(cells: Array) -> None:
    """Bring the smaller half of few rows in order, all columns side by side: sorting them one by one takes longer."""
    for i in range((len(cells) + 1) // 2):
        for j in range(i + 1, len(cells)):
            larger = np.maximum(cells[i], cells[j])
            np.minimum(cells[i], cells[j], out=cells[i])
            cells[j] = larger


def _check_size(X: Array, R: Shares, finite: bool) -> None:
    """Refuse the first cell that is infinite or too large to be squared and added, or the weight that makes it so."""
    sizes = np.where(R.claimed[:, None], np.abs(np.where(np.isnan(X), 0.0, X)), 0.0)
    if (sizes > LARGEST).any():
        remedy = "Correct the cell or mark it as missing (NaN)."
        raise bad_cell(X, sizes > LARGEST, f"finite and at most {LARGEST:g} in size", remedy)
    if not finite:
        raise bad("X", "weights", "such that sums of squares stay finite", float(R.share.max()), "Use smaller weights.")


def twin(X: Array, R: Shares, shift: Array) -> SharedSums:
    """Each row in one component, in NumPy: rows sorted by component, and the sums of many components at a time."""
    plain = R.plain
    if plain and R.K <= MANY and len(X) and (t := whole_numbers(X, shift)) is not None:
        return _whole_sums(t, R)
    codes, d = R.codes[:, 0], X.shape[1]
    live = np.flatnonzero(codes >= 0 if plain else (codes >= 0) & (R.share[:, 0] != 0.0))
    order = live[np.argsort(codes[live], kind="stable")]
    owner, lengths = _segments(np.bincount(codes[live], minlength=R.K))
    width = 2 if plain else 3
    counted, totals = np.zeros((len(owner), d), dtype=np.int64), np.zeros((2, len(owner), width * d))
    ends, at_once = lengths.cumsum(), max(CELLS // max(d, 1), 1)
    for some in _blocks((ends - 1) // at_once):
        mine = order[ends[some][0] - lengths[some][0] : ends[some][-1]]
        share = None if plain else R.share[mine]
        counted[some], totals[:, some] = _terms(X[mine], share, shift, lengths[some])
    rows, sums = np.zeros((R.K, d), dtype=np.int64), np.zeros((2, R.K, width * d))
    begins = np.ones(len(owner), dtype=bool)
    np.not_equal(owner[1:], owner[:-1], out=begins[1:])
    first = begins.nonzero()[0]
    rows[owner[first]], sums[:, owner[first]] = counted[first], totals[:, first]
    for i in (~begins).nonzero()[0]:  # more rows of a component than are taken at a time
        k = owner[i]
        rows[k] += counted[i]
        sums[:, k] = Pair(*sums[:, k]) + Pair(*totals[:, i])
    once, twice, *weight = (Pair(*sums[:, :, j * d : (j + 1) * d]) for j in range(width))
    return rows, weight[0] if weight else exact(rows), once, twice


def _blocks(numbers: Array) -> list[slice]:
    """Where equal numbers, in rising order, lie side by side."""
    if not len(numbers):
        return []
    edges = [0, *((numbers[1:] != numbers[:-1]).nonzero()[0] + 1).tolist(), len(numbers)]
    return [slice(a, b) for a, b in pairwise(edges)]


def whole_numbers(X: Array, shift: Array) -> Array | None:
    """X less the shift, if it is whole and sums of its squares are below 2^53, so that plain sums of them are exact."""
    if not every(shift == np.rint(shift)) or not every(X[:FIRST] == np.rint(X[:FIRST])):
        return None
    t: Array = np.subtract(X, shift, dtype=np.float64)
    reach = max(float(t.max(initial=0.0)), -float(t.min(initial=0.0)))  # NaN and infinity are not below
    return t if len(t) * reach * reach < EXACT and (t == np.rint(t)).all() else None


def _whole_sums(t: Array, R: Shares) -> SharedSums:
    """The sums of whole numbers, by matrix products that do not round."""
    codes = R.codes[:, 0]
    hot = np.zeros((len(t), R.K + 1))  # the last is of nobody
    hot[np.arange(len(t)), codes] = 1.0
    hot = hot[:, : R.K]
    rows = np.repeat(np.rint(hot.sum(axis=0)).astype(np.int64)[:, None], t.shape[1], axis=1)
    return rows, exact(rows), exact(hot.T @ t), exact(hot.T @ (t * t))


def _segments(counts: Array) -> tuple[Array, Array]:
    """Runs of rows of one component, at most a chunk of them: the component and the length of each."""
    pieces = -(-counts // CHUNK)
    owner = np.arange(len(counts)).repeat(pieces)
    lengths = np.full(len(owner), CHUNK, dtype=np.int64)
    met = counts.nonzero()[0]
    lengths[pieces.cumsum()[met] - 1] = counts[met] - (pieces[met] - 1) * CHUNK
    return owner, lengths


def _terms(x: Array, share: Array | None, shift: Array, lengths: Array) -> tuple[Array, Array]:
    """Rows (S, d), and the sums of t, t^2 and, with shares, w as high and low halves (2, S, 2 d or 3 d), of S runs."""
    x = x.astype(np.float64, copy=False)
    present = ~np.isnan(x)
    everywhere = every(present)
    t = two_sum(x if everywhere else np.where(present, x, shift), -shift)
    w = None if share is None else exact(np.where(present, share, 0.0))
    if w is None:
        kinds = [t, t.square()]
    else:
        first = w * t
        kinds = [first, first * t, w]
    starts = lengths.cumsum() - lengths
    if everywhere:
        rows = lengths[:, None].repeat(x.shape[1], axis=1)
    else:
        rows = np.add.reduceat(present, starts, axis=0, dtype=np.int64)
    if len(lengths) == 1:  # nothing is copied together: it would not stay in the cache
        summed = [pair.sum(0) for pair in kinds]
        return rows, np.stack([np.concatenate(half)[None] for half in zip(*summed, strict=True)])
    terms = Pair(*(np.concatenate(half, axis=1) for half in zip(*kinds, strict=True)))
    return rows, np.stack(_run_sums(terms, lengths))


def _run_sums(terms: Pair, lengths: Array) -> Pair:
    """Sums over runs of rows (S, m), all side by side: each cut into shorter runs, of whose sums the same is done."""
    high, low = terms
    while (longest := int(lengths.max())) > 1:
        length = min(longest, RUN) if longest <= RUN else even_run(longest)
        pieces = -(-lengths // length)
        starts = (lengths.cumsum() - lengths).repeat(pieces)
        nth = np.arange(len(starts)) - (pieces.cumsum() - pieces).repeat(pieces)
        step = pieces.repeat(pieces)  # of rows that are far apart, so that pieces differ in length by one at most
        at = starts + nth + np.arange(length)[:, None] * step  # (length, pieces)
        at = np.where(at < starts + lengths.repeat(pieces), at, len(high))  # the row after the last is of zeros
        high, low = run_totals(*(padded(half, len(half) + 1)[at] for half in (high, low)))
        lengths = pieces
    return Pair(high, low)


def scattered(X: Array, R: Shares, shift: Array) -> SharedSums:
    """Each row in one component, compiled; some columns at a time, by a thread that may be idle too."""
    d = X.shape[1]
    if d <= BROAD:
        return _narrow_sums(X, 0, R, shift)
    step = -(-d // (2 * -(-d // (2 * BROADEST))))  # as many runs for either thread
    starts = range(0, d, step)
    found: dict[int, SharedSums] = {}

    def fill(some: range) -> None:
        for a in some:
            found[a] = _narrow_sums(X, a, R, shift[a : a + step])

    side_by_side(lambda: fill(starts[::2]), lambda: fill(starts[1::2]))
    rows, *sums = zip(*(found[a] for a in starts), strict=True)
    joined = (Pair(*(np.concatenate(half, axis=1) for half in zip(*pairs, strict=True))) for pairs in sums)
    return np.concatenate(rows, axis=1), *joined  # type: ignore[return-value]


def _narrow_sums(X: Array, start: int, R: Shares, shift: Array) -> SharedSums:
    """The same of some columns, as many as shifts; where the table lies as the loop reads it none is copied."""
    d, levels = len(shift), 1 + sum(len(X) >= fold for fold in FOLDS)
    if not (X.flags.c_contiguous and X.dtype == np.float64):
        X, start = X[:, start : start + d], 0
    width = -(-(d + 1) // 8) * 8  # whole vector registers: the scalar rest of 30 columns would double the time
    rows, missing = np.zeros(R.K, dtype=np.int64), np.zeros((R.K, d), dtype=np.int64)
    sums = np.zeros((R.K, levels, 6, width))
    padded, cells = np.zeros(width), np.zeros(width)
    padded[:d] = shift
    alike = R.plain
    whole = alike and R.K * width <= FEW and bool(((padded == np.floor(padded)) & (np.abs(padded) < SMALL)).all())
    for a in range(0, len(X), CHUNK):
        chunk = np.ascontiguousarray(X[a : a + CHUNK], dtype=np.float64)
        codes = np.ascontiguousarray(R.codes[a : a + CHUNK, 0])
        whole = whole and _whole_chunk(chunk, (start, d), codes, padded, rows, sums[:, 0])
        if whole:
            continue
        w = None if alike else np.ascontiguousarray(R.share[a : a + CHUNK, 0])
        _add_rows(chunk, start, codes, w, padded, cells, rows, missing, sums, FOLDS)
    present, met = rows[:, None] - missing, 1 + sum(int(rows.max(initial=0)) >= fold for fold in FOLDS)
    first, second = (_all_levels(sums[:, :met, m : m + 2, :d]) for m in (0, 2))
    if alike:
        return present, exact(present), first, second
    lost, total = _all_levels(sums[:, :met, 4:, :d]), _all_levels(sums[:, :met, 4:, -1:])
    return present, (total - lost).where(present > 0), first, second


def _whole_chunk(X: Array, some: tuple[int, int], codes: Array, shift: Array, rows: Array, sums: Array) -> bool:
    """Whether all cells of a chunk are whole numbers, not too large: then plain sums are exact, and were added."""
    met, plain = np.zeros(len(rows), dtype=np.int64), np.zeros((len(rows), 2, len(shift)))
    if not _add_whole_rows(X, *some, codes, shift, met, plain):
        return False
    rows += met
    for m in (0, 1):
        total = two_sum(sums[:, 2 * m], plain[:, m])
        sums[:, 2 * m] = total.high
        sums[:, 2 * m + 1] += total.low
    return True


def _all_levels(sums: Array) -> Pair:
    """The sum (K, d) of the levels that were met (K, levels, high or low, d)."""
    high, low = sums[:, :, 0], sums[:, :, 1]
    return quick(high[:, 0], low[:, 0]) if sums.shape[1] == 1 else Pair(high, low).sum(axis=1)


@loop
def _add_rows(X, start, codes, w, shift, cells, rows, missing, sums, folds):  # type: ignore[no-untyped-def]
    """Add columns of a chunk. sums[k, 0] holds first sums, second sums and the weights of missing cells, each as high
    and low; the last column of the weights is that of all rows. A missing cell is put at the shift, where it adds
    nothing. Every 64 rows of a component are folded into sums[k, 1], every 4096 into sums[k, 2] and so on: low parts
    that grow over more rows would round off what they are kept for.
    """
    n, d = X.shape[0], missing.shape[1]
    width = cells.shape[0]
    for i in range(n):
        k = codes[i]
        one = 1.0 if w is None else w[i]
        if k < 0 or one == 0.0:
            continue
        gaps, row = 0, X[i, start : start + d]
        for j in range(d):
            x = row[j]
            gap = x != x
            cells[j] = shift[j] if gap else x
            gaps += gap
        total = sums[k, 0]
        if gaps:
            for j in range(d):
                if row[j] != row[j]:
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


@loop
def _add_whole_rows(X, start, d, codes, shift, rows, sums):  # type: ignore[no-untyped-def]
    """Sums and sums of squares of d columns of a chunk of whole numbers; False as soon as there is another cell.

    A missing one is another, too. A third of the work that pairs of floats take.
    """
    for i in range(X.shape[0]):
        k = codes[i]
        if k < 0:
            continue
        row = X[i, start : start + d]
        first, second = sums[k, 0], sums[k, 1]
        others = 0
        for j in range(d):
            x = row[j]
            t = x - shift[j]
            others += (np.floor(x) != x) + (not abs(t) < SMALL)
            first[j] += t
            second[j] += t * t
        if others:
            return False
        rows[k] += 1
    return True
