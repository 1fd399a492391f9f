"""Text split into cells by pyarrow, and columns of its strings. pyarrow is imported only here, when first needed.

What Arrow's conversions accept is part of what ours do, with the same values, so a column that it can convert whole
needs no closer look; one that it cannot is read text by text, each distinct one once. Arrays and scalars are made from
and taken as buffers: pyarrow's own ways to Python import pandas, which costs more than reading a small file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.kinds import Kind
from suffice.sources.cells import DAY
from suffice.sources.csv_split import CsvSplitter
from suffice.sources.cut_rows import Piece
from suffice.sources.format import Format
from suffice.sources.page import Expected, Layout, Page
from suffice.sources.symbols import Symbols, present

FIRST_DAY = -719_162.0  # 0001-01-01: Arrow knows a year 0


@dataclass(frozen=True)
class ArrowSplitter:
    """Rows of one file, split; a piece with ragged rows is split by the standard library."""

    layout: Layout
    expected: Expected = lambda name: Kind.UNKNOWN

    @cached_property
    def met(self) -> set[str]:
        """Texts that meant missing so far, and those that would pass for numbers or dates.

        Looking for all of them takes a tenth longer; one that is not looked for is found as a text that is no number.
        """
        return {text for text in self.layout.format.tokens if not text or any(map(str.isdigit, text))}

    def __call__(self, piece: Piece) -> Page:
        """The rows of a piece."""
        import pyarrow as pa
        from pyarrow import csv

        layout = self.layout
        if piece.open or not piece.data:
            return self._closely(piece)
        names = [str(place) for place in range(len(layout.names))]
        how = csv.ReadOptions(column_names=names, block_size=len(piece.data) + 1, use_threads=False)
        try:
            table = csv.read_csv(pa.BufferReader(piece.data), how, self._parse, self._strings())
        except pa.ArrowInvalid:  # rows of other lengths
            return self._closely(piece)
        columns = {
            name: ArrowText(_whole(column), layout.format, self.met)
            for (_, name), column in zip(layout.wanted, table.columns, strict=True)
        }
        for name, column in columns.items():
            _READ_AHEAD.get(self.expected(name), _leave)(column)
        return Page(layout.where, layout.names, columns, table.num_rows, nuls=piece.nuls)

    @cached_property
    def _closely(self) -> CsvSplitter:
        return CsvSplitter(self.layout)

    @cached_property
    def _parse(self) -> Any:
        from pyarrow import csv

        quote = self.layout.format.quote
        return csv.ParseOptions(
            delimiter=self.layout.separator, quote_char=quote if quote is not None else False, newlines_in_values=True
        )

    def _strings(self) -> Any:
        """Every column as strings; some of those that mean missing are null."""
        from pyarrow import csv

        places, types = self._types
        missing = sorted(self.met)
        return csv.ConvertOptions(
            column_types=types, include_columns=places, null_values=missing, strings_can_be_null=True, check_utf8=False
        )

    @cached_property
    def _types(self) -> tuple[list[str], dict[str, Any]]:
        import pyarrow as pa

        places = [str(place) for place, _ in self.layout.wanted]
        return places, dict.fromkeys(places, pa.string())


def _whole(column: Any) -> Any:
    """A column in one piece."""
    return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()


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
        """By Arrow's dictionaries."""
        coded = self.strings.dictionary_encode()
        labels = coded.dictionary.to_pylist()
        codes = _filled(coded.indices, np.int32(-1))
        found = self.format.tokens.intersection(map(str.strip, labels))
        if not found:
            return codes, labels
        self.met.update(found)
        return present(codes, [None if label.strip() in found else label for label in labels])

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
        try:
            values = pc.cast(strings, pa.float64())
        except pa.ArrowInvalid:
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
        try:
            times = pc.cast(self.strings, pa.timestamp("us"))
        except pa.ArrowInvalid:
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

        padded = pc.is_in(pc.utf8_trim_whitespace(self.strings), value_set=_strings(sorted(self.format.tokens)))
        return int(self.strings.null_count + padded.true_count)

    def texts(self) -> Sequence[str | None]:
        """The cells, None where missing."""
        tokens = self.format.tokens
        return [None if cell is None or cell.strip() in tokens else cell for cell in self.strings.to_pylist()]

    @property
    def _bytes(self) -> Array:
        """The bytes of all cells that are not null."""
        _, offsets, data = self.strings.buffers()
        if data is None:
            return np.zeros(0, dtype=np.uint8)
        ends = np.frombuffer(offsets, dtype=np.int32)
        start = self.strings.offset
        return np.frombuffer(data, dtype=np.uint8)[ends[start] : ends[start + self.n]]


def _leave(text: ArrowText) -> None:
    """Nobody knows yet what the column is."""


_NUMBERS, _DAYS, _SYMBOLS = attrgetter("floats"), attrgetter("days"), attrgetter("coded")
_READ_AHEAD: Mapping[Kind, Callable[[ArrowText], Any]] = {  # what will be asked of a column of that kind
    Kind.BOOLEAN: _SYMBOLS,
    Kind.ORDINAL: _SYMBOLS,
    Kind.CATEGORICAL: _SYMBOLS,
    Kind.COUNT: _NUMBERS,
    Kind.RATIO: _NUMBERS,
    Kind.QUANTITATIVE: _NUMBERS,
    Kind.DATE: _DAYS,
}


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


def _strings(texts: Sequence[str]) -> Any:
    """Texts as an array of Arrow."""
    import pyarrow as pa

    encoded = [text.encode() for text in texts]
    ends = np.cumsum([0, *map(len, encoded)]).astype(np.int32)
    return pa.Array.from_buffers(pa.string(), len(texts), [None, pa.py_buffer(ends), pa.py_buffer(b"".join(encoded))])
