"""One column of a node inside a loop, where bins and classes are few: a row is one whole number that adds.

Of two classes, whole weights and at most 256 bins a column, `rows << 42 | weight << 21 | weight of class 1` of the rows
of a bin adds exactly, by one addition a row. Small nodes note which bins were met as bits, so that nothing is sorted
and no empty bin is looked at.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.numerics.loop import inner
from suffice.trees.growth.bins import BinnedCells

BINS = 256  # most bins of a column
MOST = 1 << 21  # rows and weight beyond which sums would run into one another
GINI = 1  # by which loops know it
_ORDER = 0x03F79D71B4CB0A89  # by de Bruijn: the top six bits of its product with a power of two differ
PLACE = np.zeros(64, dtype=np.int64)  # of the only bit of a number, by these six bits
PLACE[[((_ORDER << k) & (2**64 - 1)) >> 58 for k in range(64)]] = np.arange(64)


def packed_rows(cells: BinnedCells, target: Any, ordered: bool) -> tuple[Array, Array]:
    """Codes (d, n) and rows (n,) as numbers that add; both empty where that is not to be had, or columns are sorted."""
    none = np.zeros((0, 0), dtype=np.uint8), np.zeros(0, dtype=np.int64)
    if ordered or target.number != GINI or target.outputs != 1 or target.width != 2 or cells.small_columns is None:
        return none
    w = target.w
    if len(w) >= MOST or not w.sum() < MOST or not (w == np.floor(w)).all():
        return none
    weight = w.astype(np.int64)
    return cells.small_columns, (1 << 42) | (weight << 21) | weight * target.codes


@inner
def on_packed_column(
    codes: Any, j: Any, pack: Any, rows: Any, start: Any, stop: Any, total: Any, before: Any, near: Any, least: Any,
    weight: Any, table: Any, met: Any,
) -> Any:  # fmt: skip
    """Whether it can be split, the gain of its first best boundary, and the bins left and right of it.

    `pack` are the rows of the node, `table` (256,) and `met` (4,) are 0 before and after.
    """
    n, whole, ones = stop - start, total[0] + total[1], total[1]
    few = n < 192  # else every bin is looked at
    for i in range(n):
        code = np.int64(codes[j, rows[start + i]])
        table[code] += pack[i]
        if few:
            met[code >> 6] |= np.uint64(1) << np.uint64(code & 63)
    best, found, below, above, bar = -np.inf, -np.inf, np.int64(-1), np.int64(-1), -np.inf
    last, upto, bins = np.int64(-1), np.int64(0), 0
    for word in range(4):
        left = met[word]
        met[word] = np.uint64(0)
        code = np.int64(64 * word - 1)
        end = code + 64
        while code < end:
            if few:
                if left == np.uint64(0):
                    break
                bit = left & (~left + np.uint64(1))
                left ^= bit
                code = 64 * word + PLACE[np.int64((bit * np.uint64(_ORDER)) >> np.uint64(58))]
            else:
                code += 1
            here = table[code]
            if here == 0:
                continue
            table[code] = 0
            if last >= 0:
                n_left = upto >> 42
                wa, b = float((upto >> 21) & 0x1FFFFF), float(upto & 0x1FFFFF)
                a, c, wc = wa - b, ones - b, whole - wa
                d = wc - c
                if n_left >= least and n - n_left >= least and wa >= weight and wc >= weight:
                    aa, cc = a * a + b * b, c * c + d * d
                    if aa * wc + cc * wa > bar * (wa * wc):
                        kept = aa / wa + cc / wc
                        gain = before - (whole - kept)
                        if gain > best:
                            if gain > found + near:
                                found, below, above = gain, last, code
                            best, bar = gain, kept * (1.0 - 1e-13)
            upto += here
            last = code
            bins += 1
    return bins > 1, found, below, above
