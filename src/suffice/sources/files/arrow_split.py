"""Text split into cells by pyarrow, which is imported only inside. The rows it cannot split are split one by one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Any

import numpy as np

from suffice.core.kinds import Kind
from suffice.sources.files.arrow_text import ArrowText, strings_of
from suffice.sources.files.csv_files import CsvSplitter
from suffice.sources.files.cut_rows import TextPiece
from suffice.sources.files.header import allow_cells, split
from suffice.sources.files.page import Expected, Layout, Page
from suffice.sources.files.ragged import Even, Row, even, is_blank
from suffice.sources.files.text_format import Format

Odd = list[tuple[int, str]]  # number and text of rows with other numbers of cells


@dataclass(frozen=True)
class ArrowSplitter:
    """Rows of one file, split."""

    layout: Layout
    expected: Expected = lambda name: Kind.UNKNOWN

    def __call__(self, piece: TextPiece) -> Page:
        """The rows of a piece; where even pyarrow's parser gives up, by the standard library."""
        import pyarrow as pa
        from pyarrow import csv

        layout = self.layout
        if piece.open or not piece.data:
            return CsvSplitter(layout)(piece)
        odd: Odd = []
        names = [str(place) for place in range(len(layout.names))]
        how = csv.ReadOptions(column_names=names, block_size=len(piece.data) + 1, use_threads=False)
        try:
            table = csv.read_csv(pa.BufferReader(piece.data), how, self._parse(odd), self._strings())
        except pa.ArrowInvalid:
            return CsvSplitter(layout)(piece)
        strings = [column.chunk(0) if column.num_chunks == 1 else column.combine_chunks() for column in table.columns]
        if odd:
            return self._page(*self._with_odd(strings, table.num_rows, odd, piece), piece.nuls)
        return self._page(strings, table.num_rows, Even([]), piece.nuls)

    def _page(self, strings: list[Any], n: int, odd: Even, nuls: int) -> Page:
        layout = self.layout
        columns = {
            name: ArrowText(column, layout.format, self.met)
            for (_, name), column in zip(layout.wanted, strings, strict=True)
        }
        for name, text in columns.items():
            _READ_AHEAD.get(self.expected(name), _leave)(text)
        return Page(layout.where, layout.names, columns, n, odd.short, odd.long, odd.cut, nuls)

    def _with_odd(self, strings: list[Any], n: int, odd: Odd, piece: TextPiece) -> tuple[list[Any], int, Even]:
        """The columns with the rows that were left out put back in their places."""
        allow_cells(len(piece.data))
        d, format = len(self.layout.names), self.layout.format
        places: list[int] = []
        rows: list[Row] = []
        for skipped, (number, text) in enumerate(odd):
            row: Row = list(next(split([text], self.layout.separator, format.quote)))
            if not is_blank(row, d):
                places.append(number - (skipped - len(rows)))  # blank rows are none
                rows.append(row)
        cut = bool(rows) and not piece.ended and places[-1] == n + len(rows) - 1 and len(rows[-1]) < d
        found = even(rows, d, cut)
        order = _order(n, places)
        columns = [
            _put_back(column, [_there(row[place], format) for row in found.rows], order)
            for (place, _), column in zip(self.layout.wanted, strings, strict=True)
        ]
        return columns, n + len(rows), found._replace(long=tuple(places[i] for i in found.long))

    @cached_property
    def met(self) -> set[str]:
        """Texts that meant missing so far, and those that would pass for numbers or dates.

        Looking for all of them takes a tenth longer; one that is not looked for is found as a text that is no number.
        """
        return {text for text in self.layout.format.tokens if not text or any(map(str.isdigit, text))}

    def _parse(self, odd: Odd) -> Any:
        """How rows are written; those with other numbers of cells are left out and remembered."""
        from pyarrow import csv

        def remember(row: Any) -> str:
            odd.append((row.number - 1, row.text))
            return "skip"

        quote = self.layout.format.quote
        return csv.ParseOptions(
            delimiter=self.layout.separator,
            quote_char=quote if quote is not None else False,
            newlines_in_values=True,
            invalid_row_handler=remember,
        )

    def _strings(self) -> Any:
        """Every column as strings; some of those that mean missing are null."""
        from pyarrow import csv

        places, types = self._types
        return csv.ConvertOptions(
            column_types=types,
            include_columns=places,
            null_values=sorted(self.met),
            strings_can_be_null=True,
            check_utf8=False,
        )

    @cached_property
    def _types(self) -> tuple[list[str], dict[str, Any]]:
        import pyarrow as pa

        places = [str(place) for place, _ in self.layout.wanted]
        return places, dict.fromkeys(places, pa.string())


def _order(n: int, places: list[int]) -> Any:
    """Where each row comes from: one of the first n, or of those that are put back at some places."""
    import pyarrow as pa

    back = np.zeros(n + len(places), dtype=bool)
    back[places] = True
    order = np.where(back, n - 1 + np.cumsum(back), np.cumsum(~back) - 1)
    return pa.Array.from_buffers(pa.int64(), len(order), [None, pa.py_buffer(order.astype(np.int64))])


def _put_back(column: Any, cells: Row, order: Any) -> Any:
    import pyarrow as pa

    return pa.concat_arrays([column, strings_of(cells)]).take(order)


def _there(cell: str | None, format: Format) -> str | None:
    return None if cell in format.tokens else cell


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
