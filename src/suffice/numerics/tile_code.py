"""The machine code of tiles: loops over vectors whose sums are held in registers, written down for numba's compiler.

A vector has four lanes, and a tile four columns by eight: with what it is made of, that fits into the sixteen registers
of small processors. Where there are vectors of eight lanes, squares are made by these.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Any

HIGH, WIDE, DEEP = 4, 8, 2  # columns of a tile, this way and that; rows of the second array of a product of rows
LANES = 4  # of a vector


def fused(build: Vectors, a: Any, b: Any, sums: list[Any]) -> list[Any]:
    """One sum of products."""
    return [build.fma(a, b, sums[0])]


def sharp(build: Vectors, a: Any, b: Any, sums: list[Any]) -> list[Any]:
    """A sum of products, and the sum of what it rounds off."""
    high = build.fma(a, b, sums[0])
    return [high, build.fadd(sums[1], build.fma(a, b, build.fsub(sums[0], high)))]


def longest() -> int:
    """Lanes of the longest vectors of this processor: 8 with AVX-512. Sums that keep to their lane are the same."""
    binding: Any = import_module("llvmlite.binding")
    return WIDE if binding.get_host_cpu_features().get("avx512f", False) else LANES


def single(arrays: Any) -> bool:
    """Whether arrays, by the types that numba gives them, are of single precision: the first says it for all."""
    return str(getattr(arrays[0], "dtype", "")) == "float32"


class TileCode:
    """A loop over rows; the sums of a tile go round in it as values, which the compiler keeps in registers."""

    def __init__(
        self,
        context: Any,
        builder: Any,
        signature: Any,
        arguments: Any,
        high: int = HIGH,
        wide: int = WIDE,
        lanes: int = LANES,
    ) -> None:
        """Arrays come first, each in one piece, then numbers; a tile may have another shape, and longer vectors."""
        self.high, self.lanes = high, range(0, wide, lanes)
        ir: Any = import_module("llvmlite.ir")
        self.context, self.builder = context, builder
        self.word = ir.IntType(64)
        kinds = [kind for kind in signature.args if hasattr(kind, "layout")]
        element = ir.FloatType() if single(kinds) else ir.DoubleType()
        self.vectors = Vectors(builder, ir.VectorType(element, lanes))
        if any(kind.layout != "C" for kind in kinds):
            raise TypeError(f"tiles: every array must lie in one piece, got {', '.join(map(str, kinds))}.")
        pairs = zip(kinds, arguments, strict=False)
        self.arrays = [context.make_array(kind)(context, builder, value) for kind, value in pairs]
        self.numbers = [self._long(number) for number in arguments[len(kinds) :]]

    def nothing(self, old: Any) -> Any:
        """Sums that begin at 0, whatever was there."""
        return self.vectors.zero

    def pass_rows(self, add: Any, begin: Any, end: Any) -> Any:
        """A tile of columns of two arrays: begin, go round, end; rows are never none."""
        (A, B, *sums), (i, j, rows) = self.arrays, self.numbers
        places = [(s, a, v) for s in range(len(sums)) for a in range(self.high) for v in self.lanes]
        address = {(s, a, v): self._at(sums[s], self._right(i, a), j, v) for s, a, v in places}
        old = {p: partial(self.vectors.load, address[p], 8) for p in places}

        def once(row: Any, held: dict[Any, Any]) -> dict[Any, Any]:
            right = {v: self.vectors.load(self._at(B, row, j, v), 8 * LANES) for v in self.lanes}
            ended: dict[Any, Any] = {}
            for a in range(self.high):
                left = self.vectors.spread(self.builder.load(self._at(A, row, i, a)))
                for v, b in right.items():
                    found = add(self.vectors, left, b, [held[s, a, v] for s in range(len(sums))])
                    ended.update({(s, a, v): value for s, value in enumerate(found)})
            return ended

        ended = self._turns({p: begin(old[p]) for p in places}, once, 1, rows)
        for p in places:
            self.vectors.store(end(old[p], ended[p]), address[p])
        return self.context.get_dummy_value()

    def pass_pairs(self) -> Any:
        """Four rows with two others, along their columns."""
        vectors, (A, B, G), (i, j) = self.vectors, self.arrays, self.numbers
        places = [(a, b) for a in range(HIGH) for b in range(DEEP)]

        def some(column: Any, held: Any) -> dict[Any, Any]:
            left = [vectors.load(self._at(A, self._right(i, a), column, 0), 8) for a in range(HIGH)]
            right = [vectors.load(self._at(B, self._right(j, b), column, 0), 8) for b in range(DEEP)]
            return {(a, b): vectors.fma(left[a], right[b], held[a, b]) for a, b in places}

        wide = self.builder.extract_value(A.shape, 1)
        ended = self._turns(dict.fromkeys(places, vectors.zero), some, LANES, wide)
        for a, b in places:
            at = self._at(G, self._right(j, b), i, a)
            self.builder.store(vectors.added(ended[a, b]), at)
        return self.context.get_dummy_value()

    def pass_least(self) -> Any:
        """Products of a tile, with what is added to each left column, compared before they leave the registers."""
        vectors, builder, (A, B, found), (i, j) = self.vectors, self.builder, self.arrays, self.numbers
        places, d = [(a, v) for a in range(self.high) for v in self.lanes], builder.extract_value(B.shape, 0)

        def spread(row: Any, a: int) -> Any:
            return vectors.spread(builder.load(self._at(A, row, i, a)))

        def once(row: Any, held: dict[Any, Any]) -> dict[Any, Any]:
            right = {v: vectors.load(self._at(B, row, j, v), 8 * LANES) for v in self.lanes}
            left = [spread(row, a) for a in range(self.high)]
            return {(a, v): vectors.fma(left[a], right[v], held[a, v]) for a, v in places}

        products = self._turns(dict.fromkeys(places, vectors.zero), once, 1, d)
        more, double = [spread(d, a) for a in range(self.high)], vectors.kind.element
        names = [vectors.spread(builder.sitofp(self._right(i, a), double)) for a in range(self.high)]
        for v in self.lanes:
            address = [self._at(found, self.word(row), j, v) for row in range(3)]
            held = [vectors.load(at, 8) for at in address]
            for a in range(self.high):
                held = vectors.ranked(vectors.fadd(products[a, v], more[a]), names[a], held)
            for value, at in zip(held, address, strict=True):
                vectors.store(value, at)
        return self.context.get_dummy_value()

    def pass_gap(self) -> Any:
        """A row of one array less a row of another, squared and added up, along whole vectors of columns."""
        vectors, (X, Z), (i, k) = self.vectors, self.arrays, self.numbers

        def some(column: Any, held: Any) -> dict[Any, Any]:
            away = vectors.fsub(*(vectors.load(self._at(*at, column, 0), 8) for at in ((X, i), (Z, k))))
            return {0: vectors.fma(away, away, held[0])}

        d = self.builder.extract_value(X.shape, 1)
        whole = self.builder.and_(d, self.word(-LANES))
        return vectors.added(self._turns({0: vectors.zero}, some, LANES, whole)[0])

    def pass_move(self) -> Any:
        """A row less a shift, weighed, and its squares: added to the sums of one component, taken from another's."""
        vectors, builder, (X, shift, sums), (i, to, of, w) = self.vectors, self.builder, self.arrays, self.numbers
        heavy, halves = vectors.spread(w), builder.extract_value(sums.shape, 1)
        sides = [(builder.mul(to, halves), builder.fadd), (builder.mul(of, halves), builder.fsub)]

        def some(column: Any, held: Any) -> dict[Any, Any]:
            address = self._at(X, i, column, 0), builder.gep(shift.data, [column])
            away = vectors.fsub(*(vectors.load(at, 8) for at in address))
            first = builder.fmul(heavy, away)
            for m, term in ((0, first), (2, builder.fmul(first, away))):
                for row, change in sides:
                    high, low = (self._at(sums, self._right(row, m + half), column, 0) for half in (0, 1))
                    new, lost = vectors.two_sum(vectors.load(high, 8), term, change)
                    vectors.store(new, high)
                    vectors.store(vectors.fadd(vectors.load(low, 8), lost), low)
            return {}

        self._turns({}, some, LANES, builder.and_(builder.extract_value(X.shape, 1), self.word(-LANES)))
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

        self._turns({}, some, LANES, builder.extract_value(X.shape, 1))
        return self.context.get_dummy_value()

    def pass_component(self) -> Any:
        """Some rows less the centre of a component, weighed: their sums and those of their squares."""
        vectors, (X, centre, share, *sums), (k, j, rows) = self.vectors, self.arrays, self.numbers
        places = [(s, v) for s in range(len(sums)) for v in self.lanes]
        about = {v: vectors.load(self._at(centre, k, j, v), 8) for v in self.lanes}

        def once(row: Any, held: dict[Any, Any]) -> dict[Any, Any]:
            heavy, ended = vectors.spread(self.builder.load(self._at(share, k, row, 0))), {}
            for v, middle in about.items():
                away = vectors.fsub(vectors.load(self._at(X, row, j, v), 8), middle)
                weighed = self.builder.fmul(heavy, away)
                ended[0, v] = vectors.fadd(held[0, v], weighed)
                ended[1, v] = vectors.fma(weighed, away, held[1, v])
            return ended

        ended = self._turns(dict.fromkeys(places, vectors.zero), once, 1, rows)
        for s, v in places:
            at = self._at(sums[s], k, j, v)
            vectors.store(vectors.fadd(vectors.load(at, 8), ended[s, v]), at)
        return self.context.get_dummy_value()

    def pass_group(self) -> Any:
        """Some columns of a group of rows less those of a centre, weighed; rows in the same lane add up."""
        vectors, (share, C, centres, sums) = self.vectors, self.arrays
        (g, k, j), places = self.numbers, [(a, v) for a in range(self.high) for v in self.lanes]
        d, rows = (self.builder.extract_value(C.shape, axis) for axis in (1, 2))
        here, there = (self.builder.add(self.builder.mul(first, d), j) for first in (g, k))
        about = [vectors.spread(self.builder.load(self._at(centres, k, j, a))) for a in range(self.high)]
        address = {(a, v): self._at(sums, self._right(there, a), self.word(0), v) for a, v in places}

        def some(row: Any, held: dict[Any, Any]) -> dict[Any, Any]:
            heavy = {v: vectors.load(self._at(share, k, row, v), 8) for v in self.lanes}
            cells = {(a, v): vectors.load(self._at(C, self._right(here, a), row, v), 8) for a, v in places}
            return {(a, v): vectors.fma(heavy[v], vectors.fsub(cells[a, v], about[a]), held[a, v]) for a, v in places}

        begun = {place: vectors.load(address[place], 8) for place in places}
        for place, total in self._turns(begun, some, len(self.lanes) * LANES, rows).items():
            vectors.store(total, address[place])
        return self.context.get_dummy_value()

    def pass_distances(self) -> Any:
        """One row against some rows of a group: distances, each times a weight, are added to one sum a lane."""
        vectors, (X, C, w, total), (i, g, r) = self.vectors, self.arrays, self.numbers
        d, nought = self.builder.extract_value(C.shape, 1), self.word(0)
        first = self.builder.mul(g, d)

        def some(column: Any, held: dict[Any, Any]) -> dict[Any, Any]:
            about = vectors.spread(self.builder.load(self._at(X, i, column, 0)))
            row, ended = self.builder.add(first, column), {}
            for v in self.lanes:
                away = vectors.fsub(vectors.load(self._at(C, row, r, v), 8), about)
                ended[v] = vectors.fadd(held[v], self.builder.fmul(away, away))
            return ended

        for v, squares in self._turns(dict.fromkeys(self.lanes, vectors.zero), some, 1, d).items():
            heavy, at = vectors.load(self._at(w, g, r, v), 8), self._at(total, nought, r, v)
            far = self.builder.fmul(heavy, vectors.sqrt(squares))
            vectors.store(vectors.fadd(vectors.load(at, 8), far), at)
        return self.context.get_dummy_value()

    def pass_sparse_row(self) -> Any:
        """Rows of a table, each times a stored cell of one sparse row that names it, added up; cells are never none."""
        vectors, builder, (cells, columns, V, out) = self.vectors, self.builder, self.arrays
        (i, j, start, count), first = self.numbers, self.word(0)

        def once(at: Any, held: dict[Any, Any]) -> dict[Any, Any]:
            place = builder.add(start, at)
            cell = vectors.spread(builder.load(self._at(cells, first, place, 0)))
            row = builder.sext(builder.load(self._at(columns, first, place, 0)), self.word)
            return {v: vectors.fma(cell, vectors.load(self._at(V, row, j, v), 8), held[v]) for v in self.lanes}

        ended = self._turns(dict.fromkeys(self.lanes, vectors.zero), once, 1, count)
        for v, total in ended.items():
            vectors.store(total, self._at(out, i, j, v))
        return self.context.get_dummy_value()

    def turn_square(self) -> Any:
        """Cells of four rows and four columns, less the middle of each column: rows become columns."""
        vectors, (X, middle, B), (j, r, *rows) = self.vectors, self.arrays, self.numbers
        about = vectors.load(self.builder.gep(middle.data, [j]), 8)
        p, q, s, t = (vectors.fsub(vectors.load(self._at(X, row, j, 0), 8), about) for row in rows)
        even, odd = (0, 4, 2, 6), (1, 5, 3, 7)
        pairs = [(vectors.mixed(p, q, lanes), vectors.mixed(s, t, lanes)) for lanes in (even, odd)]
        for half, lanes in enumerate(((0, 1, 4, 5), (2, 3, 6, 7))):
            for place, (front, back) in enumerate(pairs):
                row = self._right(j, 2 * half + place)
                vectors.store(vectors.mixed(front, back, lanes), self._at(B, row, r, 0))
        return self.context.get_dummy_value()

    def _turns(self, begun: dict[Any, Any], once: Any, step: int, stop: Any) -> dict[Any, Any]:
        """Go round from 0 to `stop`, step by step; what is held at the end."""
        builder = self.builder
        before, turn, after = builder.block, builder.append_basic_block(), builder.append_basic_block()
        builder.branch(turn)
        builder.position_at_end(turn)
        at, held = builder.phi(self.word), {place: builder.phi(self.vectors.kind) for place in begun}
        ended: dict[Any, Any] = once(at, held)
        following = self._right(at, step)
        for phi, first, last in [(at, self.word(0), following), *((held[p], begun[p], ended[p]) for p in begun)]:
            phi.add_incoming(first, before)
            phi.add_incoming(last, turn)
        builder.cbranch(builder.icmp_signed("<", following, stop), turn, after)
        builder.position_at_end(after)
        return ended

    def _at(self, array: Any, row: Any, column: Any, more: int) -> Any:
        """The address of a cell; rows are counted through where an array has more than two dimensions."""
        wide = self.builder.extract_value(array.shape, array.shape.type.count - 1)
        return self.builder.gep(array.data, [self.builder.add(self.builder.mul(row, wide), self._right(column, more))])

    def _long(self, number: Any) -> Any:
        """Whole numbers in the width of addresses, such as labels."""
        short = getattr(number.type, "width", 64) < 64
        return self.builder.sext(number, self.word) if short else number

    def _right(self, place: Any, more: int) -> Any:
        return self.builder.add(place, self.word(more))


class Vectors:
    """Instructions on vectors of doubles."""

    def __init__(self, builder: Any, kind: Any) -> None:
        """Build for one kind of vector."""
        ir: Any = import_module("llvmlite.ir")
        tools: Any = import_module("numba.core.cgutils")
        self.ir, self.builder, self.kind = ir, builder, kind
        self.fadd, self.fsub, self.zero = builder.fadd, builder.fsub, ir.Constant(kind, [0.0] * kind.count)
        name = f"v{kind.count}f{64 if isinstance(kind.element, ir.DoubleType) else 32}"
        fused, alone = ir.FunctionType(kind, [kind] * 3), ir.FunctionType(kind, [kind])
        self._fma = tools.get_or_insert_function(builder.module, fused, f"llvm.fma.{name}")
        self._sqrt = tools.get_or_insert_function(builder.module, alone, f"llvm.sqrt.{name}")

    def fma(self, a: Any, b: Any, c: Any) -> Any:
        """a * b + c, rounded once."""
        return self.builder.call(self._fma, [a, b, c])

    def sqrt(self, a: Any) -> Any:
        """The square root of each lane."""
        return self.builder.call(self._sqrt, [a])

    def two_sum(self, a: Any, b: Any, change: Any) -> tuple[Any, Any]:
        """a + b, or a - b where `change` subtracts, and what that rounds off (Knuth)."""
        high = change(a, b)
        part = self.fsub(high, a)
        lost = self.fsub(a, self.fsub(high, part))
        rest = self.fsub(b, part) if change == self.fadd else self.fadd(b, part)
        return high, change(lost, rest)

    def load(self, address: Any, align: int) -> Any:
        """A vector from memory."""
        value = self.builder.load(self.builder.bitcast(address, self.kind.as_pointer()))
        value.align = align
        return value

    def store(self, value: Any, address: Any) -> None:
        """A vector to memory."""
        self.builder.store(value, self.builder.bitcast(address, self.kind.as_pointer())).align = 8

    def ranked(self, x: Any, name: Any, held: list[Any]) -> list[Any]:
        """The least, the second least and the name of the least, once x is among them; the first of equals stays."""
        least, second, which = held
        closer = self.builder.fcmp_ordered("<", x, least)
        other = self.builder.select(closer, least, x)
        second = self.builder.select(self.builder.fcmp_ordered("<", other, second), other, second)
        return [self.builder.select(closer, x, least), second, self.builder.select(closer, name, which)]

    def added(self, vector: Any) -> Any:
        """The sum of the lanes, as a number."""
        lanes = [self.builder.extract_element(vector, self.ir.IntType(32)(lane)) for lane in range(self.kind.count)]
        while len(lanes) > 1:
            lanes = [self.fadd(a, b) for a, b in zip(lanes[::2], lanes[1::2], strict=True)]
        return lanes[0]

    def mixed(self, a: Any, b: Any, lanes: tuple[int, ...]) -> Any:
        """Lanes of two vectors, those of the second counted on from those of the first."""
        order = self.ir.Constant(self.ir.VectorType(self.ir.IntType(32), len(lanes)), list(lanes))
        return self.builder.shuffle_vector(a, b, order)

    def spread(self, number: Any) -> Any:
        """One number in every lane."""
        nothing = self.ir.Constant(self.kind, self.ir.Undefined)
        first = self.builder.insert_element(nothing, number, self.ir.IntType(32)(0))
        lanes = self.ir.Constant(self.ir.VectorType(self.ir.IntType(32), self.kind.count), [0] * self.kind.count)
        return self.builder.shuffle_vector(first, nothing, lanes)
