"""Products of columns in tiles: four columns by eight, held in registers while the rows of a buffer pass.

    G[i, j] += sum_r A[r, i] B[r, j]        for the HIGH columns from i and the WIDE columns from j

A matrix library packs what it multiplies, and makes of a square A'A little less than the whole. Rows of some fifty
columns need no packing, a loop can prepare them in a buffer that never leaves the first-level cache, and of a square
only the tiles on and above the diagonal are made: twice as fast, in as many threads as blocks are read by.

Inside a loop each function here is a few dozen instructions on vectors; outside it is the NumPy that it says.
Buffers have rows that are a multiple of WIDE long and begin where a vector may: `buffer` makes them.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.loop import fma, inner, instruction

HIGH, WIDE, DEEP = 4, 8, 2
LANES = 4  # of a vector: two halves of a register on small processors, so that a tile fits into sixteen of them
ROWS = 64  # rows of a buffer: with some fifty columns, what the first-level cache holds


def width(columns: int) -> int:
    """How long rows of a buffer are; a multiple of 64 would put the same column of all rows in one place of the cache.

    >>> width(51), width(64), width(8)
    (56, 72, 8)
    """
    wide = -(-columns // WIDE) * WIDE
    return wide + WIDE if wide % 64 == 0 else wide


def buffer(*shape: int) -> Array:
    """Zeros whose rows begin at multiples of 64 bytes."""
    cells = int(np.prod(shape))
    raw = np.zeros(cells + 8)
    start = -raw.ctypes.data // 8 % 8
    return raw[start : start + cells].reshape(shape)


def add_tile(A: Array, B: Array, G: Array, i: int, j: int, rows: int) -> None:
    """Add one tile of the product of the first rows of A and B to G.

    >>> A, G = np.arange(16.0).reshape(2, 8), np.zeros((8, 8))
    >>> add_tile(A, A, G, 4, 0, 2)
    >>> bool((G[4:] == (A.T @ A)[4:]).all()), float(abs(G[:4]).sum())
    (True, 0.0)
    """
    G[i : i + HIGH, j : j + WIDE] += A[:rows, i : i + HIGH].T @ B[:rows, j : j + WIDE]


def put_tile(A: Array, B: Array, G: Array, i: int, j: int, rows: int) -> None:
    """The same in the place of what G held."""
    G[i : i + HIGH, j : j + WIDE] = A[:rows, i : i + HIGH].T @ B[:rows, j : j + WIDE]


def put_dots(A: Array, B: Array, G: Array, i: int, j: int) -> None:
    """Put products of rows, of four of A with two of B, side by side into G: G[j, i] = sum_c A[i, c] B[j, c].

    Rows of A and B are of one length, which is a multiple of LANES.
    """
    G[j : j + DEEP, i : i + HIGH] = B[j : j + DEEP] @ A[i : i + HIGH].T


def weigh_row(X: Array, centre: Array, Z: Array, A: Array, first: Array, r: int, k: int, b: int, w: float) -> None:
    """Put row r less the centre of component k into row b of Z, w times that into A, and add it to the first sums.

    All arrays are buffers with rows of one length.
    """
    Z[b] = X[r] - centre[k]
    A[b] = w * Z[b]
    first[k] += A[b]


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


@inner
def add_square(A: Array, B: Array, G: Array, rows: int) -> None:
    """Add the tiles of the product of the first rows of A and B that lie on or above the diagonal of G."""
    for j in range(0, G.shape[1], WIDE):
        for i in range(0, j + WIDE, HIGH):
            add_tile(A, B, G, i, j, rows)


@inner
def add_sharp_square(A: Array, B: Array, G: Array, E: Array, rows: int) -> None:
    """The same, and what that rounds off."""
    for j in range(0, G.shape[1], WIDE):
        for i in range(0, j + WIDE, HIGH):
            add_sharp_tile(A, B, G, E, i, j, rows)


@instruction(add_tile)
def _tile(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """One sum to a vector: of the rows alone, which is then added to G, as a sum of sums rounds less."""
    tile = _Tile(context, builder, signature, arguments)
    return tile.pass_rows(_fused, begin=tile.nothing, end=lambda old, new: builder.fadd(old(), new))


@instruction(put_tile)
def _new_tile(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """One sum to a vector, of the rows alone."""
    tile = _Tile(context, builder, signature, arguments)
    return tile.pass_rows(_fused, begin=tile.nothing, end=lambda old, new: new)


@instruction(add_sharp_tile)
def _sharp_tile(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Two sums to a vector, of G and of E, which go on from where they are."""
    tile = _Tile(context, builder, signature, arguments)
    return tile.pass_rows(_sharp, begin=lambda old: old(), end=lambda old, new: new)


@instruction(put_dots)
def _dots(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """One sum to a pair of rows, whose lanes are added at the end."""
    return _Tile(context, builder, signature, arguments).pass_pairs()


@instruction(weigh_row)
def _weigh(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Vector by vector along the row; nobody has to ask whether the arrays overlap."""
    return _Tile(context, builder, signature, arguments).pass_columns()


def _fused(build: _Vectors, a: Any, b: Any, sums: list[Any]) -> list[Any]:
    return [build.fma(a, b, sums[0])]


def _sharp(build: _Vectors, a: Any, b: Any, sums: list[Any]) -> list[Any]:
    high = build.fma(a, b, sums[0])
    return [high, build.fadd(sums[1], build.fma(a, b, build.fsub(sums[0], high)))]


class _Tile:
    """A loop over rows; the sums of a tile go round in it as values, which the compiler keeps in registers."""

    def __init__(self, context: Any, builder: Any, signature: Any, arguments: Any) -> None:
        ir: Any = import_module("llvmlite.ir")
        self.context, self.builder = context, builder
        self.word = ir.IntType(64)
        self.vectors = _Vectors(builder, ir.VectorType(ir.DoubleType(), LANES))
        kinds = [(kind, value) for kind, value in zip(signature.args, arguments, strict=True)]
        self.arrays = [context.make_array(k)(context, builder, value) for k, value in kinds if hasattr(k, "layout")]
        self.numbers = list(arguments[len(self.arrays) :])
        self.A, self.B, *self.sums = self.arrays
        self.i, self.j = self.numbers[:2]
        self.rows = self.numbers[-1]
        self.places = [(s, a, v) for s in range(len(self.sums)) for a in range(HIGH) for v in range(0, WIDE, LANES)]

    def nothing(self, old: Any) -> Any:
        """Sums that begin at 0, whatever was there."""
        return self.vectors.zero

    def pass_rows(self, add: Any, begin: Any, end: Any) -> Any:
        """Begin, go round, end; rows are never none."""
        address = {(s, a, v): self._at(self.sums[s], self._right(self.i, a), self.j, v) for s, a, v in self.places}
        old = {p: partial(self.vectors.load, address[p], 8) for p in self.places}
        begun = {p: begin(old[p]) for p in self.places}
        ended = self._turns(begun, lambda row, held: self._row(row, held, add), 1)
        for p in self.places:
            self.vectors.store(end(old[p], ended[p]), address[p])
        return self.context.get_dummy_value()

    def pass_pairs(self) -> Any:
        """Four rows with two others, along their columns."""
        vectors, (A, B, G) = self.vectors, self.arrays
        places = [(a, b) for a in range(HIGH) for b in range(DEEP)]

        def some(column: Any, held: Any) -> dict[Any, Any]:
            left = [vectors.load(self._at(A, self._right(self.i, a), column, 0), 8) for a in range(HIGH)]
            right = [vectors.load(self._at(B, self._right(self.j, b), column, 0), 8) for b in range(DEEP)]
            return {(a, b): vectors.fma(left[a], right[b], held[a, b]) for a, b in places}

        self.rows = self.builder.extract_value(A.shape, 1)
        ended = self._turns(dict.fromkeys(places, vectors.zero), some, LANES)
        for a, b in places:
            at = self._at(G, self._right(self.j, b), self.i, a)
            self.builder.store(vectors.added(ended[a, b]), at)
        return self.context.get_dummy_value()

    def pass_columns(self) -> Any:
        """One row, less a centre and weighed."""
        builder, vectors, (X, centre, Z, A, first) = self.builder, self.vectors, self.arrays
        r, k, b, w = self.numbers
        heavy = vectors.spread(w)

        def some(column: Any, held: Any) -> dict[Any, Any]:
            away = vectors.fsub(*(vectors.load(self._at(*at, column, 0), 8) for at in ((X, r), (centre, k))))
            weighed, sums = builder.fmul(heavy, away), self._at(first, k, column, 0)
            vectors.store(away, self._at(Z, b, column, 0))
            vectors.store(weighed, self._at(A, b, column, 0))
            vectors.store(vectors.fadd(vectors.load(sums, 8), weighed), sums)
            return {}

        self.rows = builder.extract_value(X.shape, 1)
        self._turns({}, some, LANES)
        return self.context.get_dummy_value()

    def _turns(self, begun: dict[Any, Any], once: Any, step: int) -> dict[Any, Any]:
        """Go round until `rows` steps are done; what is held at the end."""
        builder = self.builder
        before, turn, after = builder.block, builder.append_basic_block(), builder.append_basic_block()
        builder.branch(turn)
        builder.position_at_end(turn)
        at, held = builder.phi(self.word), {place: builder.phi(self.vectors.kind) for place in begun}
        ended: dict[Any, Any] = once(at, held)
        following = self._right(at, step)
        for phi, start, stop in [(at, self.word(0), following), *((held[p], begun[p], ended[p]) for p in begun)]:
            phi.add_incoming(start, before)
            phi.add_incoming(stop, turn)
        builder.cbranch(builder.icmp_signed("<", following, self.rows), turn, after)
        builder.position_at_end(after)
        return ended

    def _row(self, row: Any, held: Any, add: Any) -> dict[Any, Any]:
        """What is held after one more row."""
        aligned = 8 * LANES
        right = {v: self.vectors.load(self._at(self.B, row, self.j, v), aligned) for v in range(0, WIDE, LANES)}
        ended: dict[Any, Any] = {}
        for a in range(HIGH):
            left = self.vectors.spread(self.builder.load(self._at(self.A, row, self.i, a)))
            for v, b in right.items():
                found = add(self.vectors, left, b, [held[s, a, v] for s in range(len(self.sums))])
                ended.update({(s, a, v): value for s, value in enumerate(found)})
        return ended

    def _at(self, array: Any, row: Any, column: Any, more: int) -> Any:
        wide = self.builder.extract_value(array.shape, 1)
        return self.builder.gep(array.data, [self.builder.add(self.builder.mul(row, wide), self._right(column, more))])

    def _right(self, place: Any, more: int) -> Any:
        return self.builder.add(place, self.word(more))


class _Vectors:
    """Instructions on vectors of doubles."""

    def __init__(self, builder: Any, kind: Any) -> None:
        ir: Any = import_module("llvmlite.ir")
        tools: Any = import_module("numba.core.cgutils")
        self.ir, self.builder, self.kind = ir, builder, kind
        self.fadd, self.fsub, self.zero = builder.fadd, builder.fsub, ir.Constant(kind, [0.0] * LANES)
        fused = ir.FunctionType(kind, [kind] * 3)
        self._fma = tools.get_or_insert_function(builder.module, fused, f"llvm.fma.v{LANES}f64")

    def fma(self, a: Any, b: Any, c: Any) -> Any:
        """a * b + c, rounded once."""
        return self.builder.call(self._fma, [a, b, c])

    def load(self, address: Any, align: int) -> Any:
        """A vector from memory."""
        value = self.builder.load(self.builder.bitcast(address, self.kind.as_pointer()))
        value.align = align
        return value

    def store(self, value: Any, address: Any) -> None:
        """A vector to memory."""
        self.builder.store(value, self.builder.bitcast(address, self.kind.as_pointer())).align = 8

    def added(self, vector: Any) -> Any:
        """The sum of the lanes, as a number."""
        lanes = [self.builder.extract_element(vector, self.ir.IntType(32)(lane)) for lane in range(LANES)]
        while len(lanes) > 1:
            lanes = [self.fadd(a, b) for a, b in zip(lanes[::2], lanes[1::2], strict=True)]
        return lanes[0]

    def spread(self, number: Any) -> Any:
        """One number in every lane."""
        nothing = self.ir.Constant(self.kind, self.ir.Undefined)
        first = self.builder.insert_element(nothing, number, self.ir.IntType(32)(0))
        lanes = self.ir.Constant(self.ir.VectorType(self.ir.IntType(32), LANES), [0] * LANES)
        return self.builder.shuffle_vector(first, nothing, lanes)
