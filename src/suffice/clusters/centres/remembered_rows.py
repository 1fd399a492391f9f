"""Passes of k-means that remember of each row its centre, how far that is at most and how far all others are at least.

u(x) + |movement of the own centre| < l(x) - |largest movement of another|   =>   the row stays, and is not looked at

The same for half the distance from the own centre to the next. What rounding could turn is looked at, so that all
labels are those of passes which compare every row with every centre. Sums are changed by the rows that moved, which
moments allow: what adds can be taken away. For rows in memory, 20 bytes a row.

G. Hamerly, Making k-means even faster (2010).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from suffice.clusters.centres.centre_model import Centres
from suffice.core.block import Array, Block
from suffice.core.double_double import quick
from suffice.core.learner import Always, Source, learn
from suffice.core.shares import Shares
from suffice.numerics.least_products import squared_distance, turn_rows
from suffice.numerics.loop import inner, loop
from suffice.numerics.tiles import ROWS
from suffice.sources.engines.memory import MemorySource
from suffice.spaces.nearest_centre import CentreProducts, in_tiles, nearest_in_buffer, tile_buffers
from suffice.summaries.moments import Moments

STRETCH = 512  # rows whose bounds are compared before any is looked at
MANY = 128  # centres from which the distance to the own one is worth taking alone; of fewer all are, 64 rows at a time
ALONE = 1 << 24  # products of cells and centres of a pass from which another thread pays: it begins too late for less
EPS = float(np.finfo(np.float64).eps)


class Movement(NamedTuple):
    """Where centres are, and how far they came since the last pass."""

    products: CentreProducts
    centres: Array  # (K, d)
    own: Array  # (K,) how far each moved, at most
    others: Array  # (K,) how far any other moved, at most
    half: Array  # (K,) half the distance to the next centre, at least
    reach: float  # the largest length of a centre about their mean
    slack: float  # share of squared lengths by which products may err

    @classmethod
    def between(cls, before: Array, centres: Array) -> Movement:
        """From one pass to the next."""
        K, d = centres.shape
        products, slack = CentreProducts.of(centres), 8.0 * (d + 8) * EPS
        own = np.sqrt(((centres - before) ** 2).sum(axis=1)) * (1.0 + slack)
        order = np.argsort(own)
        others = np.full(K, own[order[-1]])
        others[order[-1]] = own[order[-2]] if K > 1 else 0.0
        half, reach = _half_gaps(products, slack), float(products.squares.max()) ** 0.5
        return cls(products, centres, own, others, half, reach, slack)


class RememberedRows:
    """Labels and bounds of the rows of a table in memory, and the moments of their clusters: a learner in passes."""

    def __init__(self, n: int, K: int, d: int) -> None:
        """Nothing is known yet."""
        self.labels = np.full(n, -1, dtype=np.int32)
        self.most, self.least = np.full(n, np.inf), np.full(n, -np.inf)
        self.total = Moments.empty(K, d)
        self.movement: Movement | None = None
        self.looked_at = [n]  # rows in doubt, of each block of the last pass

    @classmethod
    def of(cls, source: Source, K: int) -> RememberedRows | None:
        """For rows in memory that are worth a loop; else nothing."""
        if not isinstance(source, MemorySource) or K < 2 or source.table.n == 0:
            return None
        (X,) = source.block(slice(0, source.table.n)).parts
        return cls(len(X), K, X.shape[1]) if in_tiles(X, K) else None

    def over(self, source: Source, model: Centres) -> Moments:
        """One pass: the moments of all rows by their nearest centre."""
        before = model.centres if self.movement is None else self.movement.centres
        self.movement = Movement.between(before, model.centres)
        few = sum(self.looked_at) * model.centres.size < ALONE
        self.looked_at = []
        moved = learn(Always(self), replace(source, threads=1) if few else source, model).summary  # type: ignore[type-var]
        self.total = _moved(self.total, moved) if self.total.rows.any() else moved
        return self.total

    def summarize(self, block: Block, model: Any = None) -> Moments:
        """Moments of the rows that moved: those that came less those that left, which no rows could have."""
        (X,), at = block.parts, slice(block.start, block.start + block.n)
        assert self.movement is not None
        before, labels, shift = self.labels[at].copy(), self.labels[at], self._shift()
        m, p = self.movement, self.movement.products
        state = labels, self.most[at], self.least[at]
        buffers = tile_buffers(X.shape[1])
        moves = m.own, m.others, m.half, m.reach, m.slack
        rows = np.empty(STRETCH + 1, dtype=np.int64)
        self.looked_at.append(_move_rows(X, p.middle, p.twice, m.centres, moves, state, buffers, rows))
        if shift is None:  # the first pass
            return Moments.of(X, Shares.hard(labels, len(m.centres), block.w))
        return _moves(X, block.w, (labels, before), shift, len(m.centres))

    def estimate(self, summary: Moments, model: Any = None) -> Moments:
        """What moved."""
        return summary

    def _shift(self) -> Array | None:
        """One for all passes, so that sums need not be moved."""
        return self.total.shift if self.total.rows.any() else None


def _moves(X: Array, w: Array | None, labels: tuple[Array, Array], shift: Array, K: int) -> Moments:
    """Moments of the rows whose two labels differ, by the first label, less those by the second."""
    d = X.shape[1]
    rows, weight, sums = np.zeros(K, dtype=np.int64), np.zeros((K, 2)), np.zeros((K, 4, d))
    weights = np.empty(0) if w is None else np.ascontiguousarray(w, dtype=np.float64)
    _add_moves(X, weights, *labels, shift, rows, weight, sums)
    held = (weight[:, half, None].repeat(d, axis=1) for half in (0, 1))
    pairs = quick(*held), quick(sums[:, 0], sums[:, 1]), quick(sums[:, 2], sums[:, 3])
    return Moments(shift, rows[:, None].repeat(d, axis=1), *pairs)


def _moved(total: Moments, moved: Moments) -> Moments:
    """Rows that leave are known to be there: the general way looks whether they could be."""
    rows = total.rows + moved.rows
    mine, theirs = ((some.weight, *some.sums) for some in (total, moved))
    return Moments(total.shift, rows, *((a + b).where(rows > 0) for a, b in zip(mine, theirs, strict=True)))


def _half_gaps(products: CentreProducts, slack: float) -> Array:
    """Half the distance of each centre to the next (K,), rather less: what products may err by is taken off."""
    K, squares = len(products.squares), products.squares
    both = np.add.outer(squares, squares)
    gaps = products.twice[:-1, :K].T @ products.twice[:-1, :K]
    gaps *= -0.5
    gaps += (1.0 - slack) * both
    np.fill_diagonal(gaps, np.inf)
    return np.asarray(0.5 * np.sqrt(np.maximum(gaps.min(axis=1), 0.0)))


@loop
def _move_rows(X: Any, middle: Any, A: Any, centres: Any, moves: Any, state: Any, buffers: Any, rows: Any) -> Any:
    """Label the rows that may have another centre than before, and count them; the twin compares all of them.

    Rows in doubt are noted without a branch, which nobody could predict: first by old bounds, then by the distance.
    """
    B, found = buffers
    reach, slack, n, total = moves[3], moves[4], len(X), 0
    for start in range(0, n, len(rows) - 1):
        count = _in_doubt(X, centres, moves, state, start, min(n, start + len(rows) - 1), rows)
        total += count
        for first in range(0, count, ROWS):
            some = rows[first : min(first + ROWS, count)]
            turn_rows(X, some, len(some), middle, B)
            nearest_in_buffer(A, B, found)
            _note(B, found, reach, slack, some, state)
    return total


@loop
def _add_moves(X: Any, w: Any, to: Any, of: Any, shift: Any, rows: Any, weight: Any, sums: Any) -> None:
    """Rows, weights and sums (first and second, each as high and low) of what came to a centre less what left it."""
    n, d = X.shape
    for i in range(n):
        one = w[i] if len(w) else 1.0
        if to[i] == of[i] or one == 0.0:
            continue
        for side in range(2):
            k, one = (of[i], -one) if side else (to[i], one)
            rows[k] += 1 - 2 * side
            old, new = weight[k, 0], weight[k, 0] + one
            back = new - old
            weight[k, 0], weight[k, 1] = new, weight[k, 1] + ((old - (new - back)) + (one - back))
            for j in range(d):
                z = X[i, j] - shift[j]
                first, high = one * z, sums[k, 0, j]
                new = high + first
                back = new - high
                sums[k, 0, j] = new
                sums[k, 1, j] += (high - (new - back)) + (first - back)
                second, high = first * z, sums[k, 2, j]
                new = high + second
                back = new - high
                sums[k, 2, j] = new
                sums[k, 3, j] += (high - (new - back)) + (second - back)


@inner
def _in_doubt(X: Any, centres: Any, moves: Any, state: Any, start: Any, stop: Any, rows: Any) -> Any:
    """Move the bounds of a run of rows, and note which could have another centre; how many."""
    own, others, half, reach, slack = moves
    labels, most, least = state
    if labels[start] < 0:  # the first pass
        for i in range(start, stop):
            rows[i - start] = i
        return stop - start
    count = 0
    for i in range(start, stop):
        k = labels[i]
        u = (most[i] + own[k]) * (1.0 + slack)
        l = least[i] - others[k]  # noqa: E741
        l -= slack * abs(l)  # noqa: E741
        most[i], least[i] = u, l
        rows[count] = i
        count += not _stays(u, max(l, half[k]), reach, slack)
    if len(centres) < MANY:
        return count
    doubtful = 0
    for at in range(count):
        i = rows[at]
        k = labels[i]
        u = np.sqrt(squared_distance(X, centres, i, k)) * (1.0 + slack)
        most[i] = u
        rows[doubtful] = i
        doubtful += not _stays(u, max(least[i], half[k]), reach, slack)
    return doubtful


@inner
def _stays(u: Any, far: Any, reach: Any, slack: Any) -> Any:
    """Whether a centre at most u away is nearer than any that are at least so far, whatever products round off."""
    sure = (far - u) * (far + u) > slack * (u + 2.0 * reach) * (u + 2.0 * reach)
    return sure & (far > u)


@inner
def _note(B: Any, found: Any, reach: Any, slack: Any, rows: Any, state: Any) -> None:
    """Labels and bounds of the rows of a buffer."""
    labels, most, least = state
    near, second, which, norm = found[0], found[1], found[2], found[3]
    for r in range(ROWS):
        norm[r] = 0.0
    for j in range(len(B)):
        for r in range(ROWS):
            norm[r] += B[j, r] * B[j, r]
    for r in range(ROWS):
        wrong = slack * (norm[r] + reach * reach)
        near[r] = np.sqrt(max(near[r] + norm[r], 0.0) + wrong)
        second[r] = np.sqrt(max(second[r] + norm[r] - wrong, 0.0))
    for r in range(len(rows)):
        i = rows[r]
        labels[i], most[i], least[i] = int(which[r]), near[r], second[r]
