"""Columns of written cells as strings of Arrow. pyarrow is imported only inside.

What Arrow's conversions accept is part of what ours do, with the same values, so a column that it can convert whole
needs no closer look; one that it cannot is read text by text, each distinct one once. Arrays and scalars are made from
and taken as buffers: pyarrow's own ways to Python import pandas, which costs more than reading a small file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.sources.files.text_format import Format
from suffice.sources.tables.cells import DAY
from suffice.sources.tables.hash_codes import hashed_texts
from suffice.sources.tables.symbols import Symbols, present

FIRST_DAY = -719_162.0  # 0001-01-01: Arrow knows a year 0
PROBE = 32  # cells that are cast before all are: a failing cast of a whole column takes some 25 times a good one


@dataclass(frozen=True)
class ArrowText:
    """Cells as a string array of Arrow; null is missing, and so are the texts that mean it and hold no digit.

    >>> import pyarrow as pa
    >>> ArrowText(pa.array(["1", "2.5", None]), Format()).floats
    array([1. , 2.5, nan])
    """

    strings: Any
    format: Format
    met: set[str] = field(default_factory=set)  # where texts that mean missing are remembered

    @property
    def n(self) -> int:
        """Number of cells."""
        return len(self.strings)

    @cached_property
    def coded(self) -> Symbols:
        """By our hash tables where they pay, else by Arrow's dictionaries."""
        codes, labels = hashed_texts(self.strings) or self._dictionary()
        found = self.format.tokens.intersection(map(str.strip, labels))
        if not found:
            return codes, labels
        self.met.update(found)
        return present(codes, [None if label.strip() in found else label for label in labels])

    def _dictionary(self) -> tuple[Array, list[str]]:
        coded = self.strings.dictionary_encode()
        return _filled(coded.indices, np.int32(-1)), coded.dictionary.to_pylist()

    @cached_property
    def floats(self) -> Array | None:
        """By one cast of the whole column."""
        import pyarrow as pa
        import pyarrow.compute as pc

        strings = self.strings
        if strings.null_count == self.n:
            return None
        if self.format.decimal != ".":
            if b"." in self._bytes.tobytes():
                return None
            strings = pc.replace_substring(strings, self.format.decimal, ".")
        values = _cast(strings, pa.float64())
        if values is None:
            return None
        floats = _filled(values, np.float64(np.nan))
        finite = np.count_nonzero(np.isfinite(floats))
        return floats if finite == self.n - strings.null_count else None

    @cached_property
    def days(self) -> Array | None:
        """By one cast of the whole column."""
        import pyarrow as pa
        import pyarrow.compute as pc

        if self.strings.null_count == self.n:
            return None
        times = _cast(self.strings, pa.timestamp("us"))
        if times is None:
            return None
        ticks = pc.cast(times.view(pa.int64()), pa.float64(), safe=False)
        days = _filled(ticks, np.float64(np.nan)) / DAY
        return days if np.nanmin(days) >= FIRST_DAY else None

    @cached_property
    def digits(self) -> bool:
        """Looking at the bytes of all cells at once."""
        return bool((self._bytes - np.uint8(48) < 10).all())

    @property
    def missing(self) -> int:
        """Number of missing cells."""
        import pyarrow.compute as pc

        padded = pc.is_in(pc.utf8_trim_whitespace(self.strings), value_set=strings_of(sorted(self.format.tokens)))
        return int(self.strings.null_count + padded.true_count)

    def texts(self) -> Sequence[str | None]:
        """The cells, None where missing."""
        tokens = self.format.tokens
        return [None if cell is None or cell.strip() in tokens else cell for cell in self.strings.to_pylist()]

    def holds(self, signs: bytes) -> bool:
        """Looking at the bytes of all cells at once."""
        data = self._bytes.tobytes()
        return any(bytes([sign]) in data for sign in signs)

    def all_match(self, pattern: str) -> bool:
        """By Arrow, a few cells first."""
        import pyarrow.compute as pc

        for some in (self.strings.slice(0, PROBE), self.strings):
            if pc.match_substring_regex(some, f"^(?:{pattern})$").false_count:
                return False
        return True

    @property
    def _bytes(self) -> Array:
        """The bytes of all cells that are not null."""
        _, offsets, data = self.strings.buffers()
        if data is None:
            return np.zeros(0, dtype=np.uint8)
        ends = np.frombuffer(offsets, dtype=np.int32)
        start = self.strings.offset
        return np.frombuffer(data, dtype=np.uint8)[ends[start] : ends[start + self.n]]


def _cast(strings: Any, kind: Any) -> Any | None:
    """All cells as a type of Arrow, or None. A few come first: it words a sentence for each that it cannot cast."""
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        pc.cast(strings.slice(0, PROBE), kind)
        return pc.cast(strings, kind)
    except pa.ArrowInvalid:
        return None


def _filled(values: Any, instead: np.generic) -> Array:
    """An array of Arrow as one of NumPy, with a number where it is null."""
    import pyarrow as pa
    import pyarrow.compute as pc

    one = pa.Array.from_buffers(values.type, 1, [None, pa.py_buffer(np.array([instead]))])[0]
    filled = pc.fill_null(values, one)
    numbers: Array = np.frombuffer(filled.buffers()[1], dtype=instead.dtype)[
        filled.offset : filled.offset + len(filled)
    ]
    return numbers


def strings_of(texts: Sequence[str | None]) -> Any:
    """Texts as an array of Arrow, None as null."""
    import pyarrow as pa

    encoded = [(text or "").encode() for text in texts]
    ends = np.cumsum([0, *map(len, encoded)]).astype(np.int32)
    there = np.packbits(np.array([text is not None for text in texts], dtype=bool), bitorder="little")
    buffers = [pa.py_buffer(there), pa.py_buffer(ends), pa.py_buffer(b"".join(encoded))]
    return pa.Array.from_buffers(pa.string(), len(texts), buffers)
