"""Text as pages: cut into blocks of whole rows and split into cells, by the standard library or by pyarrow."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

from suffice.core.errors import Said, bad
from suffice.core.phrases import Phrase, Setting
from suffice.sources.engines.memory import processors
from suffice.sources.files.csv_split import CsvSplitter
from suffice.sources.files.cut_rows import TextPiece, cut_rows
from suffice.sources.files.decode import Stream
from suffice.sources.files.header import LOOKED_AT, read_header, separator_of
from suffice.sources.files.in_order import in_order
from suffice.sources.files.open_bytes import Peeking
from suffice.sources.files.page import Expected, Layout, Page
from suffice.sources.files.text_format import Format

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
    pieces = cut_rows(name, ahead, format.block, format.quote, separator)
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
