"""Rows side by side in a buffer, and the least of their products with some columns: nothing but the least is stored.

    B[j, r] = X[rows[r], j] - middle[j]        x[k, r] = sum_j A[j, k] B[j, r] + A[d, k]

Cells of four rows and four columns change places in registers; cell by cell, each store goes to another line of the
cache. Where the processor has vectors of eight lanes (AVX-512) products take them: every sum stays in its lane, so that
all processors find the same.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.numerics.arrays import Array
from suffice.numerics.loop import inner, instruction
from suffice.numerics.tile_code import HIGH, LANES, WIDE, TileCode, longest, single

BROAD = 4 * WIDE  # rows of a buffer that are compared at a time


def turn_cells(X: Array, middle: Array, B: Array, j: int, r: int, p: int, q: int, s: int, t: int) -> None:
    """Put four columns from j of the rows p, q, s and t, less a middle, into four columns of B from r."""
    B[j : j + LANES, r : r + LANES] = (X[[p, q, s, t], j : j + LANES] - middle[j : j + LANES]).T


def least_products(A: Array, B: Array, found: Array, i: int, j: int) -> None:
    """Rank products of HIGH columns of A from i with BROAD of B from j; the row of A behind those of B is added.

    Of each column of B, found has the least, the second least and the number of the least, the first of equals.
    """
    least, second, which = found[:3, j : j + BROAD]
    for k in range(i, i + HIGH):
        x = A[: len(B), k] @ B[:, j : j + BROAD] + A[len(B), k]
        closer = x < least
        second[:] = np.minimum(second, np.maximum(least, x))
        which[closer] = k
        least[closer] = x[closer]


def squared_gap(X: Array, Z: Array, i: int, k: int) -> float:
    """The squared distance of row i of X to row k of Z, of as many columns as are a multiple of LANES, never none."""
    d = X.shape[1] - X.shape[1] % LANES
    return float(((X[i, :d] - Z[k, :d]) ** 2).sum())


@inner
def turn_rows(X: Any, rows: Any, count: int, middle: Any, B: Any) -> None:
    """Put the first rows that are named, never none, side by side into B; the last fills up to a multiple of LANES."""
    d, last = X.shape[1], count - 1
    for r in range(0, count, LANES):
        p, q, s, t = rows[r], rows[min(r + 1, last)], rows[min(r + 2, last)], rows[min(r + 3, last)]
        for j in range(0, d - LANES + 1, LANES):
            turn_cells(X, middle, B, j, r, p, q, s, t)
        for j in range(d - d % LANES, d):
            c = middle[j]
            B[j, r], B[j, r + 1], B[j, r + 2], B[j, r + 3] = X[p, j] - c, X[q, j] - c, X[s, j] - c, X[t, j] - c


@inner
def squared_distance(X: Any, Z: Any, i: int, k: int) -> Any:
    """The squared distance of row i of X to row k of Z."""
    d = X.shape[1]
    total = squared_gap(X, Z, i, k) if d >= LANES else 0.0
    for j in range(d - d % LANES, d):
        total += (X[i, j] - Z[k, j]) ** 2
    return total


@instruction(turn_cells)
def _turn(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Pairs of rows are interleaved, then pairs of pairs."""
    return TileCode(context, builder, signature, arguments).turn_square()


@instruction(least_products)
def _least(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Eight sums are held: two vectors of eight lanes by four columns, or twice two of four lanes."""
    lanes = longest() * (1 + single(signature.args))
    (*arrays, i, j), wide = arguments, 2 * lanes
    for first in range(0, BROAD, wide):
        place = builder.add(j, j.type(first))
        tile = TileCode(context, builder, signature, [*arrays, i, place], HIGH, wide, lanes)
        done = tile.pass_least()
    return done


@instruction(squared_gap)
def _gap(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """One sum to a lane, which are added at the end."""
    return TileCode(context, builder, signature, arguments).pass_gap()
