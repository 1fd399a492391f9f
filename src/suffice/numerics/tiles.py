"""Products of columns in tiles: four columns by eight, held in registers while the rows of a buffer pass.

Processors with vectors of eight doubles make tiles of eight by eight of squares: the same sums, to the last bit.

    G[i, j] += sum_r A[r, i] B[r, j]        for the HIGH columns from i and the WIDE columns from j

A matrix library packs what it multiplies, and makes of a square A'A little less than the whole. Rows of some fifty
columns need no packing, a loop can prepare them in a buffer that never leaves the first-level cache, and of a square
only the tiles on and above the diagonal are made: twice as fast, in as many threads as blocks are read by.

Inside a loop each function here is a few dozen instructions on vectors; outside it is the NumPy that it says.
Buffers have rows that are a multiple of WIDE long and begin where a vector may: `buffer` makes them.
"""

from __future__ import annotations

from importlib import import_module
from math import prod
from typing import Any

import numpy as np

from suffice.numerics.arrays import Array
from suffice.numerics.loop import fma, inner, instruction, pays
from suffice.numerics.tile_code import DEEP, HIGH, WIDE, TileCode, fused, longest, sharp

WIDEST = 256  # columns up to which tiles are as fast as a matrix library
ROWS = 64  # rows of a buffer: with some fifty columns, what the first-level cache holds
AHEAD = 64  # rows that are asked for before they are needed
LINE = 8  # numbers that come from memory at once


def tiles_pay(cells: int, columns: int) -> bool:
    """Whether rows of so many columns stay in the caches, and so many cells are worth a loop."""
    return columns <= WIDEST and pays(cells)


def width(columns: int, step: int = WIDE) -> int:
    """How long rows of a buffer are; a multiple of 64 would put the same column of all rows in one place of the cache.

    >>> width(51), width(64), width(8), width(51, 4)
    (56, 72, 8, 52)
    """
    wide = -(-columns // step) * step
    return wide + step if wide % 64 == 0 else wide


def buffer(*shape: int, kind: Any = np.float64) -> Array:
    """Zeros that begin at a multiple of 64 bytes."""
    size = prod(shape) * np.dtype(kind).itemsize
    raw = np.zeros(size + 64, dtype=np.uint8)
    start = -raw.ctypes.data % 64
    cells: Array = raw[start : start + size].view(kind)
    return cells.reshape(shape)


def add_tile(A: Array, B: Array, G: Array, i: int, j: int, rows: int) -> None:
    """Add one tile of the product of the first rows of A and B to G.

    >>> A, G = np.arange(16.0).reshape(2, 8), np.zeros((8, 8))
    >>> add_tile(A, A, G, 4, 0, 2)
    >>> bool((G[4:] == (A.T @ A)[4:]).all()), float(abs(G[:4]).sum())
    (True, 0.0)
    """
    G[i : i + HIGH, j : j + WIDE] += A[:rows, i : i + HIGH].T @ B[:rows, j : j + WIDE]


def add_big_tile(A: Array, B: Array, G: Array, i: int, j: int, rows: int) -> None:
    """The same for eight columns of each."""
    G[i : i + WIDE, j : j + WIDE] += A[:rows, i : i + WIDE].T @ B[:rows, j : j + WIDE]


def add_tall_tile(A: Array, B: Array, G: Array, i: int, j: int, rows: int) -> None:
    """The same for eight columns of A and four of B."""
    G[i : i + WIDE, j : j + HIGH] += A[:rows, i : i + WIDE].T @ B[:rows, j : j + HIGH]


def add_small_tile(A: Array, B: Array, G: Array, i: int, j: int, rows: int) -> None:
    """The same for four columns of each."""
    G[i : i + HIGH, j : j + HIGH] += A[:rows, i : i + HIGH].T @ B[:rows, j : j + HIGH]


def put_tile(A: Array, B: Array, G: Array, i: int, j: int, rows: int) -> None:
    """The same in the place of what G held."""
    G[i : i + HIGH, j : j + WIDE] = A[:rows, i : i + HIGH].T @ B[:rows, j : j + WIDE]


def put_dots(A: Array, B: Array, G: Array, i: int, j: int) -> None:
    """Put products of rows, of four of A with two of B, side by side into G: G[j, i] = sum_c A[i, c] B[j, c].

    Rows of A and B are of one length, as `width` says.
    """
    G[j : j + DEEP, i : i + HIGH] = B[j : j + DEEP] @ A[i : i + HIGH].T


def weigh_row(X: Array, centre: Array, Z: Array, A: Array, first: Array, r: int, k: int, b: int, w: float) -> None:
    """Put row r less the centre of component k into row b of Z, w times that into A, and add it to the first sums.

    All arrays are buffers with rows of one length.
    """
    Z[b] = X[r] - centre[k]
    A[b] = w * Z[b]
    first[k] += A[b]


def add_spread(X: Array, centre: Array, share: Array, first: Array, second: Array, k: int, j: int, rows: int) -> None:
    """Add the sums over rows of share z and share z^2, z = x - centre of component k, for WIDE columns from j.

    share is (K, rows); the other arrays are buffers with rows of one length.

    >>> X, c, s, sums = np.arange(16.0).reshape(2, 8), np.ones((1, 8)), np.ones((1, 2)), np.zeros((2, 1, 8))
    >>> add_spread(X, c, s, *sums, 0, 0, 2)
    >>> sums[:, 0, 0].tolist()
    [6.0, 50.0]
    """
    here = slice(j, j + WIDE)
    z = X[:rows, here] - centre[k, here]
    heavy = share[k, :rows, None] * z
    first[k, here] += heavy.sum(axis=0)
    second[k, here] += (heavy * z).sum(axis=0)


def add_sharp_tile(A: Array, B: Array, G: Array, E: Array, i: int, j: int, rows: int) -> None:
    """The same where G begins at numbers so large that sums stay in their binade: what they round off goes to E.

    s' = s + ab, rounded;  d = s' - s, exact as both have the same unit;  E += ab - d, by one fused multiplication.
    """
    for r in range(rows):
        for a in range(i, i + HIGH):
            for b in range(j, j + WIDE):
                before = G[a, b]
                G[a, b] = fma(A[r, a], B[r, b], before)
                E[a, b] += fma(A[r, a], B[r, b], before - G[a, b])


def ask_for(X: Array, r: int, j: int) -> None:
    """Have a cell of X brought from memory while something else is done; a row beyond the last does no harm."""


@inner
def ask_for_row(X: Array, r: int) -> None:
    """Have a row of X brought; else nothing comes while a buffer is multiplied, and the next rows are waited for."""
    for j in range(0, X.shape[1], LINE):
        ask_for(X, r, j)


def mirrored(G: Array) -> Array:
    """Squares of which only the part on and above the diagonal was made, whole."""
    return np.triu(G) + np.triu(G, 1).swapaxes(-1, -2)


@inner
def add_square(A: Array, B: Array, G: Array, rows: int) -> None:
    """Add the tiles of the product of the first rows of A and B that lie on or above the diagonal of G.

    G is a multiple of HIGH wide; the last four columns may need tiles of another shape.
    """
    last = G.shape[1] - G.shape[1] % WIDE
    for j in range(0, last, WIDE):
        for i in range(0, j + WIDE, WIDE):
            add_big_tile(A, B, G, i, j, rows)
    if last < G.shape[1]:
        for i in range(0, last, WIDE):
            add_tall_tile(A, B, G, i, last, rows)
        add_small_tile(A, B, G, last, last, rows)


@inner
def add_product(A: Array, B: Array, G: Array, rows: int) -> None:
    """Add all tiles of the product of the first rows of A and B; G is a multiple of WIDE wide."""
    for j in range(0, G.shape[1], WIDE):
        for i in range(0, G.shape[0], HIGH):
            add_tile(A, B, G, i, j, rows)


@inner
def add_sharp_square(A: Array, B: Array, G: Array, E: Array, rows: int) -> None:
    """The same, and what that rounds off."""
    for j in range(0, G.shape[1], WIDE):
        for i in range(0, j + WIDE, HIGH):
            add_sharp_tile(A, B, G, E, i, j, rows)


def _adding(high: int, wide: int) -> Any:
    """One sum to a vector: of the rows alone, which is then added to G, as a sum of sums rounds less."""

    def builds(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        tile = TileCode(context, builder, signature, arguments, high, wide)
        return tile.pass_rows(fused, begin=tile.nothing, end=lambda old, new: builder.fadd(old(), new))

    return builds


@instruction(add_big_tile)
def _big_tile(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Eight sums, which a processor can add to at a time, of eight lanes where it has them; else two tiles."""
    if longest() == WIDE:
        tile = TileCode(context, builder, signature, arguments, WIDE, WIDE, WIDE)
        return tile.pass_rows(fused, begin=tile.nothing, end=lambda old, new: builder.fadd(old(), new))
    *arrays, i, j, rows = arguments
    add = _adding(HIGH, WIDE)
    add(context, builder, signature, (*arrays, i, j, rows))
    return add(context, builder, signature, (*arrays, builder.add(i, i.type(HIGH)), j, rows))


instruction(add_tile)(_adding(HIGH, WIDE))
instruction(add_tall_tile)(_adding(WIDE, HIGH))
instruction(add_small_tile)(_adding(HIGH, HIGH))


@instruction(put_tile)
def _new_tile(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """One sum to a vector, of the rows alone."""
    tile = TileCode(context, builder, signature, arguments)
    return tile.pass_rows(fused, begin=tile.nothing, end=lambda old, new: new)


@instruction(add_sharp_tile)
def _sharp_tile(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Two sums to a vector, of G and of E, which go on from where they are."""
    tile = TileCode(context, builder, signature, arguments, lanes=longest())
    return tile.pass_rows(sharp, begin=lambda old: old(), end=lambda old, new: new)


@instruction(put_dots)
def _dots(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """One sum to a pair of rows, whose lanes are added at the end."""
    return TileCode(context, builder, signature, arguments).pass_pairs()


@instruction(weigh_row)
def _weigh(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Vector by vector along the row; nobody has to ask whether the arrays overlap."""
    return TileCode(context, builder, signature, arguments).pass_columns()


@instruction(add_spread)
def _spread(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Two sums to a vector, of the rows alone."""
    return TileCode(context, builder, signature, arguments).pass_component()


@instruction(ask_for)
def _ask(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """To read, into the caches from the second level on, as data."""
    ir: Any = import_module("llvmlite.ir")
    tools: Any = import_module("numba.core.cgutils")
    kind, (value, *place) = signature.args[0], arguments
    array = context.make_array(kind)(context, builder, value)
    number, address = ir.IntType(32), ir.IntType(8).as_pointer()
    told = ir.FunctionType(ir.VoidType(), [address, number, number, number])
    asks = tools.get_or_insert_function(builder.module, told, "llvm.prefetch.p0i8")
    cell = tools.get_item_pointer(context, builder, kind, array, place)
    builder.call(asks, [builder.bitcast(cell, address), *(number(flag) for flag in (0, 2, 1))])
    return context.get_dummy_value()
