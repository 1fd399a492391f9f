"""Rows that come only once, through a pipe, kept so that they can be read again, and gone when the process is."""

from __future__ import annotations

import io
import os
import tempfile
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, BinaryIO

AT_ONCE = 1 << 20  # bytes


@dataclass(frozen=True)
class Kept:
    r"""The bytes of a stream, in a file without a name: however the process ends, even killed, the system frees it.

    >>> kept = Kept.of("standard input", io.BytesIO(b"age\n31\n"))
    >>> kept.open().read() == kept.open().read()
    True
    >>> kept.close()
    """

    name: str  # what messages call it
    file: Any  # unnamed
    lock: Lock = field(default_factory=Lock)  # several passes may read it, each from its own place

    @classmethod
    def of(cls, name: str, stream: Any) -> Kept:
        """Read a stream to its end."""
        file = tempfile.TemporaryFile(prefix="suffice-")  # noqa: SIM115  (it lives as long as this)
        try:
            while data := stream.read1(
                AT_ONCE
            ):  # not `read`, for which people at a terminal must say twice that it ends
                file.write(data)
            file.flush()
        except BaseException:
            file.close()
            raise
        return cls(name, file)

    def open(self) -> BinaryIO:
        """The bytes from the first on."""
        return io.BufferedReader(_Place(self), 1 << 16)

    @property
    def size(self) -> int:
        """How many bytes there are."""
        return os.fstat(self.file.fileno()).st_size

    def close(self) -> None:
        """Free them."""
        self.file.close()

    def __str__(self) -> str:
        """What messages call it."""
        return self.name


class _Place(io.RawIOBase):
    """One reader of what is kept."""

    def __init__(self, kept: Kept) -> None:
        self.kept, self.at = kept, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        with self.kept.lock:
            self.kept.file.seek(self.at)
            n: int = self.kept.file.readinto(buffer)
        self.at += n
        return n

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        with self.kept.lock:
            self.kept.file.seek(self.at)
            self.at = self.kept.file.seek(offset, whence)
        return self.at
