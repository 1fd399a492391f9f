"""Passes of k-means that remember of each row its centre, how far that is at most and how far all others are at least.

u(x) + |movement of the own centre| < l(x) - |largest movement of another|   =>   the row stays, and is not looked at

The same for half the distance from the own centre to the next. What rounding could turn is looked at, so that all
labels are those of passes which compare every row with every centre. Sums are changed by the rows that moved, which
moments allow: what adds can be taken away. For rows in memory; 20 bytes a row are held, and 4 a cell.

G. Hamerly, Making k-means even faster (2010).
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from suffice.clusters.centres.centre_model import Centres
from suffice.clusters.centres.moved_sums import MovedSums
from suffice.clusters.centres.row_looks import move_rows, new_room
from suffice.core.block import Array, Block
from suffice.core.learner import Always, Source, learn
from suffice.core.shares import Shares
from suffice.numerics.threads import in_threads, processors
from suffice.numerics.tiles import buffer
from suffice.sources.engines.memory import MemorySource
from suffice.spaces.nearest_centre import CentreProducts, in_tiles
from suffice.summaries.moments import Moments

RUNS = 16  # of rows, which threads take from one another; as many for any number of threads, so that sums are the same
LEAST = 4096  # rows of a run
ALONE = 1 << 24  # products of cells and centres of a pass from which another thread pays: it begins too late for less
TINY = 1e-24  # squared lengths whose products single precision may lose altogether
EPS, SINGLE = (float(np.finfo(kind).eps) for kind in (np.float64, np.float32))


class Movement(NamedTuple):
    """Where centres are, and how far they came since the last pass."""

    double: Any  # factors of products, and what they may err by, about the mean of the centres
    single: Any  # the same in single precision, about the origin
    centres: Array  # (K, d)
    own: Array  # (K,) how far each moved, at most
    others: Array  # (K,) how far any other moved, at most
    half: Array  # (K,) half the distance to the next centre, at least
    reach: float  # the largest length of a centre about their mean
    slack: float  # share of squared lengths by which products may err

    @classmethod
    def between(cls, before: Array, centres: Array, origin: Array) -> Movement:
        """From one pass to the next."""
        K, d = centres.shape
        products, slack = CentreProducts.of(centres), 8.0 * (d + 8) * EPS
        own = np.sqrt(((centres - before) ** 2).sum(axis=1)) * (1.0 + slack)
        order = np.argsort(own)
        others = np.full(K, own[order[-1]])
        others[order[-1]] = own[order[-2]] if K > 1 else 0.0
        half, reach = _half_gaps(products, slack), float(products.squares.max()) ** 0.5
        double = products.middle, products.twice, (reach * reach, slack, 0.0)
        return cls(double, _single(centres, origin), centres, own, others, half, reach, slack)


def _single(centres: Array, origin: Array) -> Any:
    """Factors in single precision; where they are not finite, no row is sure of its label."""
    products = CentreProducts.of(centres, origin)
    twice = buffer(*products.twice.shape, kind=np.float32)
    with np.errstate(over="ignore"):
        twice[:] = products.twice
        far, slack = np.float32(products.squares.max() + TINY), np.float32(8.0 * (len(origin) + 8) * SINGLE)
    return np.zeros(len(origin), dtype=np.float32), twice, (far, slack, np.float32(0.0))


class RememberedRows:
    """Labels and bounds of the rows of a table in memory, and the moments of their clusters: a learner in passes."""

    def __init__(self, X: Array, w: Array | None, K: int, threads: int) -> None:
        """Nothing is known yet."""
        n, d = X.shape
        self.X, self.K, self.threads = X, K, threads
        self.weights = np.empty(0) if w is None else np.ascontiguousarray(w, dtype=np.float64)
        self.labels = np.full(n, -1, dtype=np.int32)
        self.most, self.least = np.full(n, np.inf), np.full(n, -np.inf)
        self.single = np.empty((n, d), dtype=np.float32)  # about the origin; without rows where it decides too little
        self.origin = np.zeros(d)
        self.movement: Movement | None = None
        self.total, self.moved = Moments.empty(K, d), MovedSums.empty(0, K, self.origin)
        self.looked: list[tuple[int, int]] = []  # rows in doubt, and how many still were after the look, of each run
        self.rooms: list[Any] = []  # that no thread uses

    @classmethod
    def of(cls, source: Source, K: int) -> RememberedRows | None:
        """For rows in memory that are worth a loop; else nothing."""
        if not isinstance(source, MemorySource) or K < 2 or source.table.n == 0:
            return None
        block = source.block(slice(0, source.table.n))
        threads = processors() if source.threads is None else int(source.threads)
        return cls(block.parts[0], block.w, K, threads) if in_tiles(block.parts[0], K) else None

    def over(self, source: Source, model: Centres) -> Moments:
        """One pass: the moments of all rows by their nearest centre."""
        self.move_to(model.centres)
        if self.total.rows.any():
            self.follow()
        else:
            self.total = learn(Always(self), source, model).summary
            runs = min(RUNS, len(self.X) // max(LEAST, 32 * self.K))
            self.moved = MovedSums.empty(max(runs, 1), self.K, self.total.shift)
        return self.total

    def move_to(self, centres: Array) -> None:
        """Where centres are now."""
        if self.movement is None:
            self.origin = centres.mean(axis=0)
        before = centres if self.movement is None else self.movement.centres
        self.movement = Movement.between(before, centres, self.origin)

    def follow(self) -> None:
        """Look at the rows that may have another centre than in the last pass; sums follow those that have."""
        looked, unsure = (sum(counts) for counts in zip(*self.looked, strict=True))
        if 2 * unsure > looked:
            self.single = self.single[:0]
        edges = np.linspace(0, len(self.X), len(self.moved.rows) + 1).astype(int).tolist()
        runs = list(enumerate(pairwise(edges)))
        threads = 1 if looked * self.K * self.X.shape[1] < ALONE else self.threads
        self.looked = in_threads(lambda run, go_on: self._look(*run[1], self.moved.of_run(run[0])), runs, threads)
        self.total = self.moved.added_to(self.total)

    def summarize(self, block: Block, model: Any = None) -> Moments:
        """The first pass: moments of all rows, as they are labelled."""
        some = slice(block.start, block.start + block.n)
        self.looked.append(self._look(some.start, some.stop, MovedSums.empty(1, 0, self.origin).of_run(0)))
        return Moments.of(block.parts[0], Shares.hard(self.labels[some], self.K, block.w))

    def estimate(self, summary: Moments, model: Any = None) -> Moments:
        """What moved."""
        return summary

    def _look(self, start: int, stop: int, sums: Any) -> tuple[int, int]:
        """Look at a run of rows: how many were in doubt, and how many after a look in single precision."""
        m = self.movement
        assert m is not None
        room = self.rooms.pop() if self.rooms else new_room(self.X.shape[1])
        moves = m.centres, m.own, m.others, m.half, m.reach, m.slack
        tables, state = (self.X, self.weights, self.single, self.origin), (self.labels, self.most, self.least)
        counts: tuple[int, int] = move_rows(tables, m.double, m.single, moves, state, room, sums, start, stop)
        self.rooms.append(room)
        return counts


def _half_gaps(products: CentreProducts, slack: float) -> Array:
    """Half the distance of each centre to the next (K,), rather less: what products may err by is taken off."""
    K, squares = len(products.squares), products.squares
    both = np.add.outer(squares, squares)
    gaps = products.twice[:-1, :K].T @ products.twice[:-1, :K]
    gaps *= -0.5
    gaps += (1.0 - slack) * both
    np.fill_diagonal(gaps, np.inf)
    return np.asarray(0.5 * np.sqrt(np.maximum(gaps.min(axis=1), 0.0)))
