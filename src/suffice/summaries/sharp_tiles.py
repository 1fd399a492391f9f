"""Products of columns that hardly round, in tiles: sums begin so high that what each addition rounds off is known.

Cauchy and Schwarz bound every sum of products, so that each can begin in the middle of a binade that it never leaves:
it then rounds to one unit throughout, the difference of two sums is exact, and so is what is left of the product
(`add_sharp_tile`). A cell less its centre may round too; that is kept beside it and multiplied plainly. The error is
about 2^-90 of the lengths of the columns, for three times the time of plain products.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.double_double import Pair, quick
from suffice.core.shares import Shares
from suffice.numerics.loop import fma, inner, loop
from suffice.numerics.tiles import AHEAD, ROWS, add_sharp_square, add_square, ask_for_row, buffer, mirrored, width

NEAR = 4.0  # standard deviations from 0 within which a column is left as it is: nothing is rounded then


class Guide(NamedTuple):
    """What is known of the rows of each component beforehand, by plain products."""

    mean: Array  # (K, m)
    weight: Array  # (K,)
    scatter: Array  # (K, m) sum of w (x - mean)^2

    def centre(self) -> Array:
        """Where products are taken about (K, m)."""
        return np.where(self.weight[:, None] * self.mean**2 <= NEAR**2 * self.scatter, 0.0, self.mean)

    def exponents(self, centre: Array) -> Array:
        """Powers of two that the lengths of the columns about the centre, and that of the ones, stay below."""
        off = np.abs(self.mean - centre) + 2.0**-40 * np.abs(self.mean)
        squares = 1.01 * self.scatter + self.weight[:, None] * off**2
        length = np.sqrt(np.column_stack([squares, self.weight]))
        return np.asarray(np.frexp(np.maximum(1.01 * length, 1e-140))[1])


def sharp_products(X: Array, beside: Array, R: Shares, guide: Guide) -> tuple[Array, Pair, Pair]:
    """The centre (K, m), and sums of w (x - centre) (K, m) and w (x - centre)(x - centre)' (K, m, m)."""
    m = X.shape[1] + beside.shape[1]
    X, beside = (np.ascontiguousarray(part, dtype=np.float64) for part in (X, beside))
    w = None if R.plain else np.ascontiguousarray(R.share)
    centre, wide = guide.centre(), width(m + 1)
    begun = _begun(guide.exponents(centre), wide)
    G, E, M = begun.copy(), np.zeros_like(begun), np.zeros_like(begun)
    cells, rests = buffer(2, R.K, ROWS, wide)
    heavy, heavy_rests = (cells, rests) if w is None else buffer(2, R.K, ROWS, wide)
    filled, rough = np.zeros(R.K, dtype=np.int64), np.zeros(R.K, dtype=np.bool_)
    _add_sharp(
        X, beside, np.ascontiguousarray(R.codes), w, centre, filled, rough, cells, rests, heavy, heavy_rests, G, E, M
    )
    high, low = (mirrored(half[:, : m + 1, : m + 1]) for half in quick(G - begun, E + M))
    first, second = (Pair(high[at], low[at]) for at in (np.s_[:, :m, m], np.s_[:, :m, :m]))
    return centre, first, second


def _begun(exponents: Array, wide: int) -> Array:
    """The middle of a binade four times as large as any sum, for each pair of columns (K, wide, wide)."""
    K, m = exponents.shape
    begun = np.ones((K, wide, wide))
    begun[:, :m, :m] = np.ldexp(1.5, exponents[:, :, None] + exponents[:, None, :] + 2)
    return begun


@loop
def _add_sharp(  # type: ignore[no-untyped-def]
    X, beside, codes, w, centre, filled, rough, cells, rests, heavy, heavy_rests, G, E, M
):
    """Fill the buffers with cells less their centre and what that rounds off, both also times the weight; multiply."""
    n, d = X.shape
    m = d + beside.shape[1]
    for r in range(n):
        ask_for_row(X, r + AHEAD)
        for e in range(codes.shape[1]):
            k = codes[r, e]
            if k < 0 or (w is not None and w[r, e] == 0.0):
                continue
            b = filled[k]
            lost = 0.0
            for j in range(m):
                x, c = X[r, j] if j < d else beside[r, j - d], centre[k, j]
                high = x - c
                part = high - x
                cells[k, b, j] = high
                rests[k, b, j] = (x - (high - part)) - (c + part)
                lost += abs(rests[k, b, j])
            cells[k, b, m] = 1.0
            if w is not None:
                for j in range(m + 1):
                    high = w[r, e] * cells[k, b, j]
                    heavy[k, b, j] = high
                    heavy_rests[k, b, j] = fma(w[r, e], cells[k, b, j], -high) + w[r, e] * rests[k, b, j]
                    lost += abs(heavy_rests[k, b, j])
            rough[k] |= lost > 0.0
            filled[k] = b + 1
            if b + 1 == ROWS:
                _multiply(heavy[k], heavy_rests[k], cells[k], rests[k], G[k], E[k], M[k], b + 1, rough[k])
                filled[k] = 0
                rough[k] = False
    for k in range(filled.shape[0]):
        if filled[k] > 0:
            _multiply(heavy[k], heavy_rests[k], cells[k], rests[k], G[k], E[k], M[k], filled[k], rough[k])


@inner
def _multiply(
    heavy: Array, heavy_rests: Array, cells: Array, rests: Array, G: Array, E: Array, M: Array, rows: int, rough: bool
) -> None:
    """Multiply one buffer, and its rests where there are any."""
    add_sharp_square(heavy, cells, G, E, rows)
    if rough:
        add_square(heavy, rests, M, rows)
        add_square(heavy_rests, cells, M, rows)
