"""How far it has come: a line on the terminal, rewritten in place; silence where standard error is no terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TextIO, TypeVar

EVERY = 0.1  # seconds between two lines
CLEAR = "\r\x1b[K"  # back to the start of the line, and empty it

T = TypeVar("T")


def parts_told(doing: str, stream: TextIO | None = None) -> Callable[[int, int], None] | None:
    """Tells how many partitions are done; None where nobody reads it.

    Parameters
    ----------
    doing : what is being done, for the line
    stream : where to write; standard error unless given
    """
    out = sys.stderr if stream is None else stream
    if not out.isatty():
        return None

    def tell(done: int, parts: int) -> None:
        out.write(CLEAR if done == parts else f"{CLEAR}{doing}: {done:,} of {parts:,} parts")
        out.flush()

    return tell


def watched(chunks: Iterable[T], rows_of: Callable[[T], int], doing: str, stream: TextIO | None = None) -> Iterator[T]:
    """The same chunks, telling how many rows have come and how many a second.

    Parameters
    ----------
    chunks : what is worked on, one by one
    rows_of : how many rows a chunk has
    doing : what is being done, for the line
    stream : where to write; standard error unless given
    """
    out = sys.stderr if stream is None else stream
    if not out.isatty():
        yield from chunks
        return
    begun = last = time.monotonic()
    rows = 0
    try:
        for chunk in chunks:
            yield chunk
            rows += rows_of(chunk)
            now = time.monotonic()
            if now - last >= EVERY:
                last = now
                out.write(f"{CLEAR}{doing}: {rows:,} rows, {rows / (now - begun):,.0f} a second")
                out.flush()
    finally:
        out.write(CLEAR)
        out.flush()
