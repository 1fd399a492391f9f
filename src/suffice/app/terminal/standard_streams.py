"""The standard streams: any of them may be closed when a command starts."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator

from suffice.core.errors import BadInput, Said, bad


class Closed(io.TextIOBase):
    """What stands for a stream that is closed: whoever needs it is told so."""

    encoding = "utf-8"
    errors = "backslashreplace"

    def __init__(self, what: str) -> None:
        """What people call the stream."""
        self.what = what

    def refuse(self) -> BadInput:
        """The error of using it."""
        return bad("", self.what, "open", Said("a closed one"), f"Redirect it, to {os.devnull} if to nowhere.")

    def write(self, text: str) -> int:
        """Refuse."""
        raise self.refuse()

    def __iter__(self) -> Iterator[str]:  # type: ignore[override]
        """Refuse."""
        raise self.refuse()

    @property
    def buffer(self) -> io.BufferedReader:
        """Refuse."""
        raise self.refuse()


def settle() -> None:
    """Put something in the place of each stream that is closed.

    Nothing takes the number of a closed one by chance: a file that were opened as number 2 would get what libraries say
    on standard error.
    """
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(number)
    if sys.stdin is None:
        sys.stdin = Closed("standard input")
    if sys.stdout is None:
        sys.stdout = Closed("standard output")
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):  # a terminal that lacks a letter gets its number instead of an error
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
