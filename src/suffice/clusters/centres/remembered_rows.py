"""Passes of k-means that remember of each row its centre, how far that is at most and how far all others are at least.

u(x) + |movement of the own centre| < l(x) - |largest movement of another|   =>   the row stays, and is not looked at

The same for half the distance from the own centre to the next. What rounding could turn is looked at, so that all
labels are those of passes which compare every row with every centre. Sums are changed by the rows that moved, which
moments allow: what adds can be taken away. For rows in memory, 20 bytes a row.

G. Hamerly, Making k-means even faster (2010).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from suffice.clusters.centres.centre_model import Centres
from suffice.core.block import Array, Block
from suffice.core.double_double import quick
from suffice.core.learner import Always, Source, learn
from suffice.core.shares import Shares
from suffice.core.summary import Together
from suffice.numerics.loop import inner, loop
from suffice.numerics.tiles import ROWS
from suffice.sources.engines.memory import MemorySource
from suffice.spaces.nearest_centre import CentreProducts, in_tiles, nearest_in_buffer, tile_buffers
from suffice.summaries.moments import Moments

STRETCH = 512  # rows whose bounds are compared before any is looked at
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
        return cls(
            products, centres, own, others, _half_gaps(centres, slack), float(products.squares.max()) ** 0.5, slack
        )


class RememberedRows:
    """Labels and bounds of the rows of a table in memory, and the moments of their clusters: a learner in passes."""

    def __init__(self, n: int, K: int, d: int) -> None:
        """Nothing is known yet."""
        self.labels = np.full(n, -1, dtype=np.int32)
        self.most, self.least = np.full(n, np.inf), np.full(n, -np.inf)
        self.total = Moments.empty(K, d)
        self.movement: Movement | None = None

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
        came, left = learn(Always(self), source, model).summary.parts
        self.total = self.total + came
        if left.rows.any():
            self.total = _without(self.total, left)
        return self.total

    def summarize(self, block: Block, model: Any = None) -> Together:
        """Moments of the rows that moved, by where they came to and by what they left."""
        (X,), at = block.parts, slice(block.start, block.start + block.n)
        assert self.movement is not None
        before, labels, shift = self.labels[at].copy(), self.labels[at], self._shift()
        m, p = self.movement, self.movement.products
        state = labels, self.most[at], self.least[at]
        buffers = tile_buffers(*m.centres.shape)
        moves = m.own, m.others, m.half, m.reach, m.slack
        _move_rows(
            X, p.middle, p.twice, p.squares, m.centres, moves, state, buffers, np.empty(STRETCH + 1, dtype=np.int64)
        )
        if shift is None:  # the first pass
            came = Moments.of(X, Shares.hard(labels, len(m.centres), block.w))
            return Together((came, Moments.empty(*m.centres.shape)))
        return Together(_moves(X, block.w, (labels, before), shift, len(m.centres)))

    def estimate(self, summary: Together, model: Any = None) -> Together:
        """What moved."""
        return summary

    def _shift(self) -> Array | None:
        """One for all passes, so that sums need not be moved."""
        return self.total.shift if self.total.rows.any() else None


def _moves(X: Array, w: Array | None, labels: tuple[Array, Array], shift: Array, K: int) -> tuple[Moments, Moments]:
    """Moments of the rows whose two labels differ, by the first label and by the second."""
    d = X.shape[1]
    rows, weight, sums = np.zeros((2, K), dtype=np.int64), np.zeros((2, K, 2)), np.zeros((2, K, 4, d))
    weights = np.empty(0) if w is None else np.ascontiguousarray(w, dtype=np.float64)
    _add_moves(X, weights, *labels, shift, rows, weight, sums)
    came, left = (
        Moments(
            shift,
            rows[side][:, None].repeat(d, axis=1),
            quick(*(weight[side, :, half][:, None].repeat(d, axis=1) for half in (0, 1))),
            quick(sums[side, :, 0], sums[side, :, 1]),
            quick(sums[side, :, 2], sums[side, :, 3]),
        )
        for side in (0, 1)
    )
    return came, left


def _without(total: Moments, left: Moments) -> Moments:
    """What stays where these rows leave, which are known to be there: the general way looks whether they could be."""
    rows = total.rows - left.rows
    sums = ((mine - theirs).where(rows > 0) for mine, theirs in zip(total.sums, left.sums, strict=True))
    weight = (total.weight - left.weight).where(rows > 0)
    return Moments(total.shift, rows, weight, *sums)


def _half_gaps(centres: Array, slack: float) -> Array:
    """Half the distance of each centre to the next (K,), rather less."""
    from suffice.spaces.euclidean import squared_distances

    gaps = squared_distances(centres)
    np.fill_diagonal(gaps, np.inf)
    return np.asarray(0.5 * np.sqrt(gaps.min(axis=1)) * (1.0 - max(slack, 1e-11)))


@loop
def _move_rows(
    X: Any, middle: Any, A: Any, squares: Any, centres: Any, moves: Any, state: Any, buffers: Any, rows: Any
) -> None:
    """Label the rows that may have another centre than before; the twin compares all of them.

    Rows in doubt are noted without a branch, which nobody could predict: first by old bounds, then by the distance.
    """
    B, G, found = buffers
    reach, slack = moves[3], moves[4]
    n, d = X.shape
    for start in range(0, n, len(rows) - 1):
        count = _in_doubt(X, centres, moves, state, start, min(n, start + len(rows) - 1), rows)
        for first in range(0, count, ROWS):
            some = rows[first : min(first + ROWS, count)]
            for r in range(len(some)):
                for j in range(d):
                    B[j, r] = X[some[r], j] - middle[j]
            nearest_in_buffer(A, B, G, squares, found)
            _note(B, found, reach, slack, some, state)


@loop
def _add_moves(X: Any, w: Any, to: Any, of: Any, shift: Any, rows: Any, weight: Any, sums: Any) -> None:
    """Rows, weights and sums (first and second, each as high and low) of what came to a centre and of what left it."""
    n, d = X.shape
    for i in range(n):
        one = w[i] if len(w) else 1.0
        if to[i] == of[i] or one == 0.0:
            continue
        for side in range(2):
            k = of[i] if side else to[i]
            rows[side, k] += 1
            old, new = weight[side, k, 0], weight[side, k, 0] + one
            back = new - old
            weight[side, k, 0], weight[side, k, 1] = new, weight[side, k, 1] + ((old - (new - back)) + (one - back))
            for j in range(d):
                z = X[i, j] - shift[j]
                first, high = one * z, sums[side, k, 0, j]
                new = high + first
                back = new - high
                sums[side, k, 0, j] = new
                sums[side, k, 1, j] += (high - (new - back)) + (first - back)
                second, high = first * z, sums[side, k, 2, j]
                new = high + second
                back = new - high
                sums[side, k, 2, j] = new
                sums[side, k, 3, j] += (high - (new - back)) + (second - back)


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
    doubtful, d = 0, X.shape[1]
    for at in range(count):
        i = rows[at]
        k = labels[i]
        a0 = a1 = a2 = a3 = 0.0  # four sums, none of which waits for another
        for j in range(0, d - 3, 4):
            g0, g1 = X[i, j] - centres[k, j], X[i, j + 1] - centres[k, j + 1]
            g2, g3 = X[i, j + 2] - centres[k, j + 2], X[i, j + 3] - centres[k, j + 3]
            a0, a1, a2, a3 = a0 + g0 * g0, a1 + g1 * g1, a2 + g2 * g2, a3 + g3 * g3
        for j in range(d - d % 4, d):
            a0 += (X[i, j] - centres[k, j]) ** 2
        u = np.sqrt((a0 + a1) + (a2 + a3)) * (1.0 + slack)
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
