"""Codes of texts and of words of 64 bits in order of first appearance, by hash tables in compiled loops.

Texts are those of Arrow: one run of bytes, and where each text begins. A table keeps the first and the last eight bytes
of each different text, so that texts of up to 16 bytes are told apart without a look at another row; of longer ones the
bytes between are compared too. Slots are zeros that the system hands out when they are first touched, and grow in
place. Where loops do not pay, the callers' dictionaries do the work.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.numerics.loop import inner, loop

FEWEST = 1024  # slots to begin with; four times as many where a quarter of them is taken
FIRST_SHIFT = 54  # of a hash, which leaves as many bits
LONG = 24  # bytes a text from which Arrow's dictionaries are as fast
LITTLE = sys.byteorder == "little"
GOLDEN = 0x9E3779B97F4A7C15  # 2^64 over the golden ratio, odd
OTHER = 0xC2B2AE3D27D4EB4F  # another odd number without a pattern


def hashed_texts(column: Any) -> tuple[Array, list[str]] | None:
    """Codes (n,) int32, -1 where missing, and the different texts of a string array of Arrow; None: no loop pays.

    Parameters
    ----------
    column : of type string or large_string, or a slice of such an array
    """
    n, kind = len(column), str(column.type)
    if kind not in ("string", "large_string") or not (LITTLE and 0 < n < 2**31 and _code_texts.pays(n)):
        return None
    present, places, content = column.buffers()
    if content is None or content.size < 8:
        return None
    wide = np.int64 if kind == "large_string" else np.int32
    starts = np.frombuffer(places, dtype=wide, count=n + 1, offset=column.offset * np.dtype(wide).itemsize)
    starts = starts.astype(np.int64, copy=False)
    if starts[-1] - starts[0] > LONG * n:
        return None
    words = np.ndarray(content.size - 7, dtype=np.uint64, buffer=content, strides=(1,))  # one from every byte on
    bits = np.frombuffer(present if present is not None and column.null_count else b"", dtype=np.uint8)
    codes, rows, keys, marks, slots = _arrays(n)
    known = _code_texts(words, starts, bits, column.offset, codes, rows, keys, marks, slots)
    return codes, column.take(_indices(rows[:known])).to_pylist()


def hashed_words(values: Array, crowded: bool = True) -> tuple[Array, Array] | None:
    """Codes (n,) int32 of whole numbers of 64 bits, and the row in which each first appears; None: no loop pays.

    Parameters
    ----------
    values : (n,) of type uint64
    crowded : whether it pays too where most of the numbers are different
    """
    n = len(values)
    if not (n < 2**31 and _code_words.pays(n)):
        return None
    codes, rows, _, marks, slots = _arrays(n)
    known = _code_words(np.ascontiguousarray(values), crowded, codes, rows, marks, slots)
    return None if known < 0 else (codes, rows[:known])


def _indices(rows: Array) -> Any:
    """Row numbers as an array of Arrow; pyarrow's own way from NumPy would import pandas."""
    import pyarrow as pa

    return pa.Array.from_buffers(pa.int64(), len(rows), [None, pa.py_buffer(rows)])


def _arrays(n: int) -> tuple[Array, Array, Array, Array, Array]:
    """Codes, and for each code its first row, key and hash, and slots: at least twice as many as rows."""
    most = FEWEST
    while most < 2 * n:
        most *= 4
    codes, rows = np.empty(n, dtype=np.int32), np.empty(n, dtype=np.int64)
    return codes, rows, np.empty((n, 2), np.uint64), np.empty(n, np.uint64), np.zeros(most, dtype=np.int32)


@inner
def _mixed(a: Any, b: Any) -> Any:
    """A word of which every bit depends on all bits of both."""
    h = (a ^ (b >> np.uint64(31))) * np.uint64(GOLDEN) + b * np.uint64(OTHER)
    return (h ^ (h >> np.uint64(32))) * np.uint64(GOLDEN)


@inner
def _grown(slots: Any, marks: Any, known: Any, size: Any, shift: Any) -> None:
    """Put all codes into as many slots anew."""
    slots[:size] = 0
    for code in range(known):
        at = marks[code] >> np.uint64(shift)
        while slots[at] > 0:
            at = (at + np.uint64(1)) & np.uint64(size - 1)
        slots[at] = code + 1


@loop
def _code_texts(
    words: Any, starts: Any, bits: Any, before: Any, codes: Any, rows: Any, keys: Any, marks: Any, slots: Any
) -> Any:
    """Fill in codes and what is known of each; how many there are. A short text has its length for its last bytes.

    Short texts are read here, not by a function that takes the arrays: that took 40 ns a text, where this takes 9.
    """
    known, size, shift, last = 0, FEWEST, FIRST_SHIFT, len(words) - 1
    for i in range(len(codes)):
        if len(bits) and not (bits[(before + i) >> 3] >> ((before + i) & 7)) & 1:
            codes[i] = -1
            continue
        start, stop = starts[i], starts[i + 1]
        length = stop - start
        head, tail = np.uint64(0), np.uint64(length)
        if length >= 8:
            head, tail = words[start], words[stop - 8]
        elif length > 0:
            back = max(start - last, 0)
            head = (words[start - back] >> np.uint64(8 * back)) & (
                (np.uint64(1) << np.uint64(8 * length)) - np.uint64(1)
            )
        mark = _mixed(head, tail + np.uint64(length))
        p = start + 8
        while p < stop - 8:
            mark = (mark ^ words[p]) * np.uint64(GOLDEN)
            mark ^= mark >> np.uint64(32)
            p += 8
        at = mark >> np.uint64(shift)
        code = slots[at] - 1
        while code >= 0:
            if keys[code, 0] == head and keys[code, 1] == tail and marks[code] == mark:
                first, p = starts[rows[code]], 8
                if starts[rows[code] + 1] - first == length:
                    while p < length - 8 and words[start + p] == words[first + p]:
                        p += 8
                    if p >= length - 8:
                        break
            at = (at + np.uint64(1)) & np.uint64(size - 1)
            code = slots[at] - 1
        if code < 0:
            code = known
            rows[code], keys[code, 0], keys[code, 1], marks[code] = i, head, tail, mark
            known += 1
            slots[at] = known
            if 4 * known > size and size < len(slots):
                size, shift = 4 * size, shift - 2
                _grown(slots, marks, known, size, shift)
        codes[i] = code
    return known


@loop
def _code_words(values: Any, crowded: Any, codes: Any, rows: Any, marks: Any, slots: Any) -> Any:
    """Fill in codes and the first row of each; how many there are, or -1. A hash of one word goes back to it."""
    known, size, shift = 0, FEWEST, FIRST_SHIFT
    for i in range(len(codes)):
        mark = _mixed(values[i], np.uint64(0))
        at = mark >> np.uint64(shift)
        code = slots[at] - 1
        while code >= 0 and marks[code] != mark:
            at = (at + np.uint64(1)) & np.uint64(size - 1)
            code = slots[at] - 1
        if code < 0:
            code = known
            rows[code], marks[code] = i, mark
            known += 1
            slots[at] = known
            if 4 * known > size and size < len(slots):
                if not crowded and 2 * known > i:
                    return -1
                size, shift = 4 * size, shift - 2
                _grown(slots, marks, known, size, shift)
        codes[i] = code
    return known
