"""Text as pages: cut into blocks of whole rows and split into cells, by the standard library or by pyarrow."""

from __future__ import annotations

import io
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

from suffice.core.errors import Said, bad
from suffice.core.phrases import Phrase, Setting
from suffice.numerics.threads import processors
from suffice.sources.files.cut_rows import TextPiece, cut_rows
from suffice.sources.files.header import LOOKED_AT, allow_cells, read_header, separator_of, split
from suffice.sources.files.open_bytes import Peeking, Stream
from suffice.sources.files.page import Expected, Layout, Page
from suffice.sources.files.ragged import Row, even, is_blank
from suffice.sources.files.read_ahead import in_order
from suffice.sources.files.text_format import Format
from suffice.sources.written.written_cells import ListText


@dataclass(frozen=True)
class CsvSplitter:
    r"""Rows of one file, split.

    >>> from suffice.sources.files.text_format import Format
    >>> layout = Layout("a.csv", Format(), ",", ("age", "site"))
    >>> page = CsvSplitter(layout)(TextPiece(b"31,north\n44\n"))
    >>> page.columns["site"].cells, page.short
    (('north', None), 1)
    """

    layout: Layout

    def __call__(self, piece: TextPiece) -> Page:
        """The rows of a piece."""
        layout = self.layout
        allow_cells(len(piece.data))
        lines = io.TextIOWrapper(io.BytesIO(piece.data), "utf-8", newline="")
        rows: list[Row] = list(split(lines, layout.separator, layout.format.quote))  # type: ignore[arg-type]
        d = len(layout.names)
        if d == 1 or set(map(len, rows)) != {d} or piece.open:
            return self._ragged(rows, piece)
        return self._page(rows, piece.nuls)

    def _ragged(self, rows: list[Row], piece: TextPiece) -> Page:
        d = len(self.layout.names)
        rows = [row for row in rows if not is_blank(row, d)]
        cut = bool(rows) and not piece.ended and (piece.open or len(rows[-1]) < d)
        found = even(rows, d, cut)
        return self._page(found.rows, piece.nuls)._replace(short=found.short, long=found.long, cut=found.cut)

    def _page(self, rows: list[Row], nuls: int) -> Page:
        columns = list(zip(*rows, strict=True)) if rows else [()] * len(self.layout.names)
        texts = {name: ListText(columns[place], self.layout.format) for place, name in self.layout.wanted}
        return Page(self.layout.where, self.layout.names, texts, len(rows), nuls=nuls)


Splitter = Callable[[TextPiece], Page]
Engine = Callable[[Layout, Expected], Splitter]
SMALL = 1 << 20  # bytes below which loading pyarrow takes longer than it saves
TWO_BYTE = 0.1  # share of NUL characters from which a text is of another encoding
THREADS = 4  # that split text at most: more than what follows can take


def text_pages(name: str, text: Stream, format: Format, ignore: Collection[Any], engine: Splitting) -> Iterator[Page]:
    """The pages of a text in UTF-8. The first row that is not blank names the columns."""
    ahead = Peeking(text)
    head = ahead.peek(LOOKED_AT)
    _refuse_nuls(name, head)
    separator = separator_of(head, format)
    pieces = cut_rows(name, ahead, format.text_block, format.quote, separator)
    for piece in pieces:
        header = read_header(name, piece.data, separator, format.quote, format.header)
        if header is not None:
            split = engine(Layout(name, format, separator, header.names, frozenset(ignore)))
            yield split(piece._replace(data=piece.data[header.end :]))._replace(notes=header.notes)
            yield from in_order(split, pieces, engine.threads)
            return
    raise bad(name, "the file", "a header and rows", Said("an empty one"), "Give it rows to read.", "must hold")


def _refuse_nuls(name: str, head: bytes) -> None:
    if head.count(b"\0") > TWO_BYTE * len(head):
        raise bad(
            name,
            "the text",
            "of the encoding that was said",
            Said(f"{head.count(0)} NUL characters in the first {len(head)}"),
            Phrase("Try ", Setting("Format", encoding="utf-16-le"), ", or 'utf-16-be'."),
        )


class Splitting(NamedTuple):
    """An engine at work in one pass."""

    engine: Engine
    expected: Expected

    def __call__(self, layout: Layout) -> Splitter:
        """What splits the text of a file."""
        return self.engine(layout, self.expected)

    @property
    def threads(self) -> int:
        """How many may split at a time: the standard library would only wait for itself."""
        return 1 if self.engine is _csv or not has_arrow() else min(processors(), THREADS)


def read_engine(name: str | None) -> Engine:
    """What splits text: "csv" is the standard library, "pyarrow" is faster; None takes what pays and is there."""
    if name not in _ENGINES:
        rule = f"one of {[known for known in _ENGINES if known]} or None"
        raise bad("open_rows", "engine", rule, name, "None takes the fastest that is there.")
    return _ENGINES[name]


def _csv(layout: Layout, expected: Expected) -> Splitter:
    return CsvSplitter(layout)


def _arrow(layout: Layout, expected: Expected) -> Splitter:
    if not has_arrow():
        raise bad("open_rows", "engine", "installed", "pyarrow", "Install suffice[table], or leave the engine out.")
    splitter: Splitter = import_module("suffice.sources.files.arrow_split").ArrowSplitter(layout, expected)
    return splitter


class _WhatPays:
    """The standard library for the first megabyte, then pyarrow if it is there."""

    def __init__(self, layout: Layout, expected: Expected) -> None:
        self.layout, self.expected = layout, expected
        self.bytes = 0
        self.splitter: Splitter = CsvSplitter(layout)

    def __call__(self, piece: TextPiece) -> Page:
        small = self.bytes < SMALL
        self.bytes += len(piece.data)  # two threads may miss each other here: then pyarrow comes a piece later
        if small and self.bytes >= SMALL and has_arrow():
            self.splitter = _arrow(self.layout, self.expected)
        return self.splitter(piece)


@cache
def has_arrow() -> bool:
    """Whether pyarrow is installed; it is not imported to know that."""
    try:
        return find_spec("pyarrow") is not None
    except ImportError:
        return False


_ENGINES: Mapping[str | None, Engine] = {None: _WhatPays, "csv": _csv, "pyarrow": _arrow}
