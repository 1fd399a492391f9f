"""Rows as keyed digests of 128 bits: the same for equal values, whatever their type, storage, kind or order.

digest(row) = mix(sum over the present cells of h(column, value) + h(target) + h(weight))      mod 2^64, twice

A missing cell adds nothing, so that a column whose kind shows late changes no digest. Each cell goes through two
bijections of 64 bits that the key and the name of its column choose: rows that differ in one cell never share a digest.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from hashlib import blake2b
from numbers import Real
from typing import Any

import numpy as np

from suffice.core.block import Array, Block, Coded, Words
from suffice.core.schema import Schema
from suffice.numerics.loop import CHUNK, loop, pays
from suffice.sources.tables.cells import days_of_array
from suffice.sources.tables.matrix import stored_once
from suffice.sources.written.written_cells import TRUTH, number_of

TARGET, WEIGHT, WORD = b"\0target", b"\0weight", b"\0word"  # no column has such a name
_SIGN, _INFINITE = np.uint64(1 << 63), np.uint64(0x7FF0_0000_0000_0000)
_ODD = np.uint64(1)
_A, _B, _C = np.uint64(32), np.uint64(29), np.uint64(31)
Add = Callable[[slice, Array], Any]  # adds what some rows are to the digests of all (2, n)
_LAST = np.array([0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB], dtype=np.uint64)


class RowDigests:
    """What makes digests under one secret; keys of columns and words are made once."""

    def __init__(self, secret: bytes) -> None:
        """Take the secret (32 bytes)."""
        self._secret = secret
        self._keys: dict[bytes, Array] = {}
        self._texts: dict[tuple[bytes, bytes], Array] = {}

    def of(self, schema: Schema, block: Block, names: Sequence[Any]) -> Array:
        """The digests of the rows of a block (2, n); `names` are those of the schema's columns, in its order."""
        adds = [
            self._part(part, [name_bytes(names[i]) for i in places])
            for (_, places), part in zip(schema.parts, block.parts, strict=True)
        ]
        if isinstance(block.y, Coded):
            adds += self._symbols(block.y, [TARGET], label_number)
        elif block.y is not None:
            y = np.asarray(block.y, dtype=np.float64).reshape(block.n, -1)
            adds.append(self._numbers(y, [TARGET + b"%d" % j for j in range(y.shape[1])]))
        if block.w is not None:
            odd = np.asarray(block.w, dtype=np.float64).reshape(-1, 1)
            adds.append(self._numbers(np.where(odd == 1.0, np.nan, odd), [WEIGHT]))  # weight 1 is no weight
        out = np.zeros((2, block.n), dtype=np.uint64)
        mix: Any = mix_loop if pays(block.n) else mix_twin
        for start in range(0, block.n, CHUNK):
            rows = slice(start, min(start + CHUNK, block.n))
            for add in adds:
                add(rows, out)
            mix(out[:, rows])
        return out

    def _part(self, part: Any, names: Sequence[bytes]) -> Add:
        if isinstance(part, Coded):
            adds = self._symbols(part, names, cell_number)
            return lambda rows, out: [add(rows, out) for add in adds]
        if isinstance(part, Words):
            return _added(self._words(part, names[0]))
        if hasattr(part, "tocsr"):
            return _added(_sparse(part.tocsr(), self._all_keys(names)))
        return self._numbers(np.asarray(part), names)

    def _numbers(self, X: Array, names: Sequence[bytes]) -> Add:
        keys = self._all_keys(names)
        if pays(X.size) and X.dtype == np.float64 and X.flags.f_contiguous and not X.flags.c_contiguous:
            columns = X.T.view(np.uint64)
            return lambda rows, out: columns_loop(columns, keys, out, rows.start, rows.stop)
        fill: Any = digest_loop if pays(X.size) else digest_twin

        def add(rows: slice, out: Array) -> None:
            cells = np.ascontiguousarray(X[rows], dtype=np.float64)
            fill(cells.view(np.uint64), keys, out[:, rows])

        return add

    def _symbols(self, part: Coded, names: Sequence[bytes], read: Callable[[Any], float | None]) -> list[Add]:
        return [self._symbol(part.codes[:, j], part.labels[j], name, read) for j, name in enumerate(names)]

    def _symbol(self, codes: Array, labels: Sequence[Any], name: bytes, read: Callable[[Any], float | None]) -> Add:
        table = np.zeros((2, len(labels) + 1), dtype=np.uint64)  # the last is that of code -1
        for code, label in enumerate(labels):
            table[:, code] = self._label(name, label, read)
        fill: Any = symbol_loop if pays(len(codes)) else symbol_twin
        return lambda rows, out: fill(codes[rows], table, out[:, rows])

    def _words(self, part: Words, name: bytes) -> Array:
        from scipy.sparse import csr_array

        counts = stored_once(csr_array(part.counts))
        keys = np.zeros((6, counts.shape[1]), dtype=np.uint64)
        whose = WORD if isinstance(part.labels, range) else WORD + name  # the columns of a matrix are known by number
        for place in np.unique(counts.indices).tolist():
            keys[:, place] = self._key(whose + b"\0" + name_bytes(part.labels[place]))
        bits = _bits(np.asarray(counts.data, dtype=np.float64))
        cells = lanes(bits, keys[:, counts.indices])
        cells[:, bits == 0] = 0
        return _sums(cells, counts.indptr)

    def _label(self, name: bytes, label: Any, read: Callable[[Any], float | None]) -> Array:
        number = read(label)
        if number is not None:
            return lanes(_bits(np.array([number])), self._key(name)[:, None])[:, 0]
        text = value_bytes(label)
        found = self._texts.get((name, text))
        if found is None:
            said = blake2b(len(name).to_bytes(4, "little") + name + text, digest_size=16, key=self._secret).digest()
            found = self._texts[name, text] = np.frombuffer(said, dtype="<u8").astype(np.uint64)
        return found

    def _all_keys(self, names: Sequence[bytes]) -> Array:
        return np.array([self._key(name) for name in names], dtype=np.uint64).reshape(-1, 6).T.copy()

    def _key(self, name: bytes) -> Array:
        found = self._keys.get(name)
        if found is None:
            said = blake2b(name, digest_size=48, key=self._secret, person=b"column").digest()
            found = np.frombuffer(said, dtype="<u8").astype(np.uint64)
            found[[1, 2, 4, 5]] |= _ODD  # an odd factor can be undone
            self._keys[name] = found
        return found


def cell_number(value: Any) -> float | None:
    """The number that a symbol stands for: a number, a date in days, a truth value however it is written."""
    if isinstance(value, str):
        truth = TRUTH.get(value.strip().lower())
        return None if truth is None else float(truth)
    if isinstance(value, (bool, np.bool_, Real)):
        number = float(value)
        return number if number == value else None  # no whole number beyond 2^53
    if isinstance(value, (datetime.date, np.datetime64)):
        when = value.replace(tzinfo=None) if isinstance(value, datetime.datetime) else value
        return float(days_of_array(np.array([when], dtype="datetime64[us]"))[0])
    return None


def label_number(value: Any) -> float | None:
    """The same of a label; one that is written as a number is that number, as a file of numbers alone has it."""
    written = number_of(value) if isinstance(value, str) else None
    return cell_number(value) if written is None else written


def value_bytes(value: Any) -> bytes:
    """What tells a value from all others."""
    if isinstance(value, str):
        return b"s" + value.encode("utf-8", "surrogatepass")
    return f"o{type(value).__name__} {value!r}".encode("utf-8", "surrogatepass")


def name_bytes(name: Any) -> bytes:
    """The name of a column or a word, where 1 and 1.0 are one."""
    number = None if isinstance(name, str) else cell_number(name)
    return value_bytes(name) if number is None else b"n" + np.float64(number).tobytes()


def lanes(bits: Array, keys: Array) -> Array:
    """Two bijections of the bits of each number (2, n), by its keys (6, n)."""
    a = (bits ^ keys[0]) * keys[1]
    b = (bits + keys[3]) * keys[4]
    return np.stack([(a ^ (a >> _A)) * keys[2], (b ^ (b >> _B)) * keys[5]])


def _added(sums: Array) -> Add:
    """Adds what is summed already (2, n)."""

    def add(rows: slice, out: Array) -> None:
        out[:, rows] += sums[:, rows]

    return add


def _sparse(X: Any, keys: Array) -> Array:
    """The sums of rows of a sparse matrix: a cell that is not stored is 0, as it is in an array."""
    zero = lanes(np.zeros(keys.shape[1], dtype=np.uint64), keys)
    bits = _bits(np.asarray(X.data, dtype=np.float64))
    cells = lanes(bits, keys[:, X.indices])
    cells[:, ~_present(bits)] = 0
    return np.asarray(zero.sum(axis=1, dtype=np.uint64)[:, None] + _sums(cells - zero[:, X.indices], X.indptr))


def _bits(numbers: Array) -> Array:
    """The bits of floats; 0 and -0 are one number."""
    return np.ascontiguousarray(numbers + 0.0).view(np.uint64)


def _present(bits: Array) -> Array:
    return np.asarray((bits & ~_SIGN) <= _INFINITE)


def _sums(cells: Array, ends: Array) -> Array:
    """Sums of runs of cells (2, n)."""
    total = np.zeros((2, cells.shape[1] + 1), dtype=np.uint64)
    np.cumsum(cells, axis=1, dtype=np.uint64, out=total[:, 1:])
    return np.asarray(total[:, ends[1:]] - total[:, ends[:-1]])


def mix_twin(sums: Array) -> None:
    """A bijection of 128 bits, in place, after which no digest is the sum of others'."""
    low, high = sums
    high += low * _LAST[0]
    high ^= high >> _C
    high *= _LAST[1]
    low += high
    low ^= low >> _B
    low *= _LAST[2]
    low ^= low >> _A
    high ^= high >> _A


def digest_twin(bits: Array, keys: Array, out: Array) -> None:
    """Add the cells of a chunk of rows (n, d) to their digests (2, n)."""
    for j in range(bits.shape[1]):
        column = np.where(bits[:, j] == _SIGN, np.uint64(0), bits[:, j])
        cells = lanes(column, keys[:, j : j + 1])
        cells[:, ~_present(column)] = 0
        out += cells


@loop
def digest_loop(bits, keys, out):  # type: ignore[no-untyped-def]
    """The same, row by row."""
    sign, infinite, none = np.uint64(1 << 63), np.uint64(0x7FF0000000000000), np.uint64(0)
    a, b = np.uint64(32), np.uint64(29)
    k0, k1, k2, k3, k4, k5 = keys[0], keys[1], keys[2], keys[3], keys[4], keys[5]
    for i in range(bits.shape[0]):
        low, high = none, none
        for j in range(bits.shape[1]):
            cell = bits[i, j]
            size = cell & ~sign
            cell = none if size == none else cell
            u = (cell ^ k0[j]) * k1[j]
            v = (cell + k3[j]) * k4[j]
            u = (u ^ (u >> a)) * k2[j]
            v = (v ^ (v >> b)) * k5[j]
            low += u if size <= infinite else none
            high += v if size <= infinite else none
        out[0, i] += low
        out[1, i] += high


@loop
def columns_loop(columns, keys, out, start, stop):  # type: ignore[no-untyped-def]
    """The same for rows from start to stop of a table that lies column by column (d, n), into all digests.

    Slices that begin at 0 and do not overlap are what the compiler makes wide instructions of: three times as fast.
    """
    sign, infinite, none = np.uint64(1 << 63), np.uint64(0x7FF0000000000000), np.uint64(0)
    a, b = np.uint64(32), np.uint64(29)
    for first in range(start, stop, 512):  # digests stay in the first-level cache from column to column
        last = min(first + 512, stop)
        low, high = out[0, first:last], out[1, first:last]
        for j in range(columns.shape[0]):
            k0, k1, k2, k3, k4, k5 = keys[0, j], keys[1, j], keys[2, j], keys[3, j], keys[4, j], keys[5, j]
            cells = columns[j, first:last]
            for i in range(last - first):
                cell = cells[i]
                size = cell & ~sign
                cell = none if size == none else cell
                u = (cell ^ k0) * k1
                v = (cell + k3) * k4
                u = (u ^ (u >> a)) * k2
                v = (v ^ (v >> b)) * k5
                low[i] += u if size <= infinite else none
                high[i] += v if size <= infinite else none


def symbol_twin(codes: Array, table: Array, out: Array) -> None:
    """Add the cells of a column of symbols, by their codes (n,), from those of its labels (2, K + 1)."""
    out[0] += table[0][codes]
    out[1] += table[1][codes]


@loop
def symbol_loop(codes, table, out):  # type: ignore[no-untyped-def]
    """The same, row by row."""
    last = table.shape[1] - 1
    for i in range(codes.shape[0]):
        code = codes[i] if codes[i] >= 0 else last
        out[0, i] += table[0, code]
        out[1, i] += table[1, code]


@loop
def mix_loop(sums):  # type: ignore[no-untyped-def]
    """The bijection of `mix_twin`."""
    first, second, third = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
    a, b, c = np.uint64(32), np.uint64(29), np.uint64(31)
    for i in range(sums.shape[1]):
        low, high = sums[0, i], sums[1, i]
        high += low * first
        high = (high ^ (high >> c)) * second
        low += high
        low = (low ^ (low >> b)) * third
        sums[0, i] = low ^ (low >> a)
        sums[1, i] = high ^ (high >> a)
