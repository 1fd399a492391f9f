"""Sums of the rows that moved from one centre to another: what came to it, less what left it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.double_double import quick, two_sum
from suffice.numerics.loop import inner, instruction, loop
from suffice.numerics.tile_code import LANES, TileCode
from suffice.numerics.tiles import ask_for_row
from suffice.summaries.moments import Moments

AHEAD = 8  # rows that are asked for before they are added


class MovedSums(NamedTuple):
    """Of each run of rows: rows, weights, and sums of rows and of their squares about a shift, as high and low."""

    shift: Array  # (d,)
    rows: Array  # (P, K) int64
    weight: Array  # (P, K, 2, 1)
    sums: Array  # (P, K, 4, d)

    @classmethod
    def empty(cls, P: int, K: int, shift: Array) -> MovedSums:
        """Nothing moved."""
        sums = np.zeros((P, K, 4, len(shift)))
        return cls(shift, np.zeros((P, K), dtype=np.int64), np.zeros((P, K, 2, 1)), sums)

    def of_run(self, p: int) -> tuple[Array, Array, Array, Array]:
        """What a loop adds to, empty again."""
        self.rows[p], self.weight[p], self.sums[p] = 0, 0.0, 0.0
        return self.shift, self.rows[p], self.weight[p], self.sums[p]

    def added_to(self, total: Moments) -> Moments:
        """Moments after the move; rows that leave are known to be there, where the general way would look."""
        rows = total.rows + self.rows.sum(axis=0)[:, None]
        weight = np.stack([half[:, :1] for half in total.weight], axis=1)
        sums = np.stack([*total.first, *total.second], axis=1)
        for held, more in ((weight, self.weight), (sums, self.sums)):
            _add_runs(held, more)
            held[rows[:, 0] == 0] = 0.0
        wide = (half.repeat(len(self.shift), axis=1) for half in (weight[:, 0], weight[:, 1]))
        return Moments(total.shift, rows, quick(*wide), *(quick(sums[:, m], sums[:, m + 1]) for m in (0, 2)))


def move_row(X: Array, shift: Array, sums: Array, i: int, to: int, of: int, w: float) -> None:
    """Add row i less the shift, and its squares, to the sums of one centre, and take them from those of another.

    Of as many columns as are a multiple of LANES, never none.
    """
    d = X.shape[1] - X.shape[1] % LANES
    away = X[i, :d] - shift[:d]
    first = w * away
    for m, term in ((0, first), (2, first * away)):
        for k, some in ((to, term), (of, -term)):
            sums[k, m, :d], lost = two_sum(sums[k, m, :d], some)
            sums[k, m + 1, :d] += lost


@instruction(move_row)
def _move(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Vector by vector along the row."""
    return TileCode(context, builder, signature, arguments).pass_move()


@inner
def list_moves(some: Any, was: Any, count: Any, labels: Any, moves: Any, listed: Any) -> Any:
    """List those of the rows named that have another label than before, from where to where; how many are listed."""
    rows, of, to = moves
    for r in range(count):
        i = some[r]
        rows[listed], of[listed], to[listed] = i, was[r], labels[i]
        listed += was[r] != labels[i]
    return listed


@inner
def add_moves(X: Any, w: Any, moves: Any, listed: Any, sums: Any) -> None:
    """Add the rows that are listed."""
    rows, of, to = moves
    for r in range(min(AHEAD, listed)):
        ask_for_row(X, rows[r])
    for r in range(listed):
        if r + AHEAD < listed:
            ask_for_row(X, rows[r + AHEAD])
        one = w[rows[r]] if len(w) else 1.0
        if one != 0.0:
            _move_one(X, rows[r], to[r], of[r], one, sums)


@inner
def _move_one(X: Any, i: Any, to: Any, of: Any, one: Any, sums: Any) -> None:
    """Move a row from one centre to another."""
    shift, rows, weight, total = sums
    rows[to] += 1
    rows[of] -= 1
    _add(weight, to, 0, 0, one)
    _add(weight, of, 0, 0, -one)
    d = X.shape[1]
    if d >= LANES:
        move_row(X, shift, total, i, to, of, one)
    for j in range(d - d % LANES, d):
        away = X[i, j] - shift[j]
        first = one * away
        second = first * away
        _add(total, to, 0, j, first)
        _add(total, of, 0, j, -first)
        _add(total, to, 2, j, second)
        _add(total, of, 2, j, -second)


@inner
def _add(sums: Any, k: Any, m: Any, j: Any, term: Any) -> None:
    """Add to a sum, and what that rounds off to the low part below it."""
    old = sums[k, m, j]
    new = old + term
    back = new - old
    sums[k, m, j] = new
    sums[k, m + 1, j] += (old - (new - back)) + (term - back)


@loop
def _add_runs(total: Any, runs: Any) -> None:
    """Add what moved, run by run."""
    P, K, halves, d = runs.shape
    for p in range(P):
        for k in range(K):
            for m in range(0, halves, 2):
                for j in range(d):
                    _add(total, k, m, j, runs[p, k, m, j])
                    total[k, m + 1, j] += runs[p, k, m + 1, j]
