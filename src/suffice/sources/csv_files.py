"""Text as pages: cut into blocks of whole rows and split into cells, by the standard library or by pyarrow."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from importlib import import_module
from typing import Any

from suffice.core.errors import BadInput, bad
from suffice.sources.csv_split import CsvSplitter
from suffice.sources.cut_rows import Piece, cut_rows
from suffice.sources.decode import Stream
from suffice.sources.format import Format
from suffice.sources.header import LOOKED_AT, Header, read_header, separator_of
from suffice.sources.open_bytes import Peeking
from suffice.sources.page import Layout, Page

Splitter = Callable[[Piece], Page]
Engine = Callable[[Layout], Splitter]
SMALL = 1 << 20  # bytes below which loading pyarrow takes longer than it saves
TWO_BYTE = 0.1  # share of NUL characters from which a text is of another encoding


def text_pages(name: str, text: Stream, format: Format, ignore: Collection[Any], engine: Engine) -> Iterator[Page]:
    """The pages of a text in UTF-8. The first row that is not blank names the columns."""
    ahead = Peeking(text)
    head = ahead.peek(LOOKED_AT)
    _refuse_nuls(name, head)
    separator = separator_of(head, format)
    header: Header | None = None
    split: Splitter = _no_rows
    for piece in cut_rows(name, ahead, format.block, format.quote, separator):
        if header is None:
            header = read_header(name, piece.data, separator, format.quote)
            if header is None:
                continue
            piece = piece._replace(data=piece.data[header.end :])
            split = engine(Layout(name, format, separator, header.names, frozenset(ignore)))
            yield split(piece)._replace(notes=header.notes)
        else:
            yield split(piece)
    if header is None:
        raise BadInput(f"{name}: the file must hold a header and rows, got an empty one. Give it rows to read.")


def _refuse_nuls(name: str, head: bytes) -> None:
    if head.count(b"\0") > TWO_BYTE * len(head):
        raise BadInput(
            f"{name}: the text must be of the encoding that was said, got {head.count(0)} NUL characters in the first "
            f"{len(head)}. Try Format(encoding='utf-16-le'), or 'utf-16-be'."
        )


def _no_rows(piece: Piece) -> Page:
    raise AssertionError("a piece before the header")


def read_engine(name: str | None) -> Engine:
    """What splits text: "csv" is the standard library, "pyarrow" is faster; None takes what pays and is there."""
    if name not in _ENGINES:
        rule = f"one of {[known for known in _ENGINES if known]} or None"
        raise bad("open_rows", "engine", rule, name, "None takes the fastest that is there.")
    return _ENGINES[name]


def _arrow(layout: Layout) -> Splitter:
    if not has_arrow():
        raise bad("open_rows", "engine", "installed", "pyarrow", "Install suffice[table], or leave the engine out.")
    splitter: Splitter = import_module("suffice.sources.arrow_split").ArrowSplitter(layout)
    return splitter


class _WhatPays:
    """The standard library for the first megabyte, then pyarrow if it is there."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.bytes = 0
        self.splitter: Splitter = CsvSplitter(layout)

    def __call__(self, piece: Piece) -> Page:
        small = self.bytes < SMALL
        self.bytes += len(piece.data)
        if small and self.bytes >= SMALL and has_arrow():
            self.splitter = _arrow(self.layout)
        return self.splitter(piece)


def has_arrow() -> bool:
    """Whether pyarrow is installed."""
    try:
        import_module("pyarrow")
    except ImportError:
        return False
    return True


_ENGINES: Mapping[str | None, Engine] = {None: _WhatPays, "csv": CsvSplitter, "pyarrow": _arrow}
