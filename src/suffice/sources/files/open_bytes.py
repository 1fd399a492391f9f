"""Opening files: what their first bytes say they are, and their bytes, unpacked and, where they are text, as UTF-8."""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import lzma
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, NamedTuple, Protocol

from suffice.core.errors import BadInput, Said, bad, shown
from suffice.core.phrases import Phrase, Setting

HEAD = 16  # bytes that tell what a file is
DAMAGED = (EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile)
_TYPED = {b"PAR1": "parquet", b"ARROW1": "arrow", b"\xff\xff\xff\xff": "stream", b"FEA1": "feather 1"}
_UNREADABLE = {
    b"\x28\xb5\x2f\xfd": "zstd",
    b"\x04\x22\x4d\x18": "lz4",
    b"7z\xbc\xaf\x27\x1c": "7z",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook",
    b"%PDF": "PDF",
    b"ORC": "ORC",
    b"SQLite format 3": "an SQLite database",
    b"\x89HDF": "HDF5",
}


class OpenedFile(NamedTuple):
    """A file whose first bytes were looked at, and are still to be read."""

    name: str
    stream: Any  # with `read`
    typed: str | None  # "parquet", "arrow", "stream" or "excel"; None for text


@contextmanager
def opened(name: str, file: BinaryIO) -> Iterator[OpenedFile]:
    """A binary file, unpacked if it is compressed; what its first bytes say decides, not its name."""
    stream = Peeking(file)
    head = stream.peek(HEAD)
    _refuse(name, head)
    typed = next((kind for sign, kind in _TYPED.items() if head.startswith(sign)), None)
    unpack = next((way for sign, way in _UNPACK.items() if head.startswith(sign)), None)
    try:
        inside: Any = stream if unpack is None else unpack(name, stream)
        book = isinstance(inside, Workbook)
        yield OpenedFile(name, inside.file if book else inside, "excel" if book else typed)
    except (*DAMAGED, OSError) as error:
        if unpack is None:  # the disk's own trouble
            raise
        got = f"another ({type(error).__name__}: {error})"
        raise bad(name, "the packed file", "whole", Said(got), "Fetch or pack it again.") from None


class Workbook(NamedTuple):
    """An archive that is an Excel workbook."""

    file: Any


def _refuse(name: str, head: bytes) -> None:
    for sign, what in _UNREADABLE.items():
        if head.startswith(sign):
            rule = "CSV or JSON lines (plain or packed by gzip, bzip2, xz or zip), Parquet, Arrow or Excel (xlsx)"
            raise bad(name, "the file", rule, Said(what), "Unpack or convert it first.")


class Peeking:
    """A stream that can be looked at before it is read, whatever it is."""

    def __init__(self, stream: Any) -> None:
        """Take a stream with `read`."""
        self.stream = stream
        self.ahead = b""

    def peek(self, size: int) -> bytes:
        """The next bytes, fewer at the end."""
        while len(self.ahead) < size and (more := self._next(size - len(self.ahead))):
            self.ahead += more
        return self.ahead

    def read(self, size: int = -1) -> bytes:
        """At most so many bytes; all with -1."""
        head, self.ahead = (self.ahead, b"") if size < 0 else (self.ahead[:size], self.ahead[size:])
        return head if len(head) == size else head + self._next(size - len(head) if size > 0 else size)

    def _next(self, size: int) -> bytes:
        more = self.stream.read(size)
        if more is None:  # a stream that does not wait
            return b""
        if not isinstance(more, bytes):
            raise bad("rows", "the file", "open for reading bytes or text", shown(more), "Open it with mode 'rb'.")
        return more


def _unzip(name: str, stream: Peeking) -> Any:
    """The only member of an archive, or the archive itself where it is a workbook.

    The list of members is at its end: what cannot be searched is read whole.
    """
    file = stream.stream
    if not (hasattr(file, "seekable") and file.seekable()):
        file = io.BytesIO(stream.read())
    archive = zipfile.ZipFile(file)
    members = [info for info in archive.infolist() if not info.is_dir()]
    if any(info.filename == "xl/workbook.xml" for info in members):
        file.seek(0)
        return Workbook(file)
    if len(members) != 1:
        rule = "an archive of one file"
        raise bad(name, "the file", rule, [info.filename for info in members], "Unpack it and pass the folder.")
    if members[0].flag_bits & 1:
        raise bad(name, "the archive", "without a password", members[0].filename, "Unpack it first.")
    return archive.open(members[0])


_UNPACK: dict[bytes, Callable[[str, Peeking], Any]] = {
    b"\x1f\x8b": lambda name, stream: gzip.GzipFile(fileobj=stream),  # type: ignore[call-overload]
    b"BZh": lambda name, stream: bz2.BZ2File(stream),  # type: ignore[call-overload]
    b"\xfd7zXZ\x00": lambda name, stream: lzma.LZMAFile(stream),  # type: ignore[arg-type]  # noqa: SIM115
    b"PK\x03\x04": _unzip,
    b"PK\x05\x06": _unzip,  # an archive without members
}


_MARKS = (  # byte-order marks, the longest first
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_HINTS = {
    "utf-8": Phrase("Say which it is, such as ", Setting("Format", encoding="cp1252"), "."),
    "utf-16": "Try utf-16-le, or utf-8.",
}
_HINT = Phrase("Say which it is, such as ", Setting("Format", encoding="utf-8"), ".")


class Stream(Protocol):
    """Where bytes come from."""

    def read(self, size: int) -> bytes:
        """The next bytes, at most so many; none at the end."""


def as_utf8(name: str, stream: Any, encoding: str) -> Stream:
    """Read a binary stream as UTF-8. UTF-8 itself is passed on as it is; `check_utf8` looks at it later."""
    bytes_in = Peeking(stream)
    head = bytes_in.peek(4)
    marked = next((meant for mark, meant in _MARKS if head.startswith(mark)), None)
    meant = codecs.lookup(marked or encoding).name
    if meant == "utf-8-sig" and head.startswith(codecs.BOM_UTF8):
        bytes_in.read(len(codecs.BOM_UTF8))
    if meant in ("utf-8", "utf-8-sig", "ascii"):
        return bytes_in
    return _Transcoding(name, bytes_in, meant)


class _Transcoding:
    """A stream of another encoding, as UTF-8."""

    def __init__(self, name: str, stream: Peeking, encoding: str) -> None:
        self.name, self.stream, self.encoding = name, stream, encoding
        self.decoder = codecs.getincrementaldecoder(encoding)()
        self.done = 0  # bytes that were handed to the decoder

    def read(self, size: int) -> bytes:
        while more := self.stream.read(size):
            text = self._decode(more, final=False)
            if text:
                return text
        return self._decode(b"", final=True)

    def _decode(self, data: bytes, final: bool) -> bytes:
        waiting = len(self.decoder.getstate()[0])
        try:
            text = self.decoder.decode(data, final).encode("utf-8")
        except UnicodeDecodeError as error:
            at = self.done - waiting + error.start
            raise wrong_encoding(self.name, self.encoding, at, error.object[error.start : error.start + 1]) from None
        except UnicodeError as error:
            raise bad(self.name, "the text", self.encoding, Said(f"another ({error})"), _HINT) from None
        self.done += len(data)
        return text


def check_utf8(name: str, data: bytes, offset: int, last: bool) -> bytes:
    """The data, if it is UTF-8; at the end of a file, without a character that is cut off."""
    if data.isascii():
        return data
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        if last and error.reason == "unexpected end of data":
            return data[: error.start]
        raise wrong_encoding(name, "utf-8", offset + error.start, data[error.start : error.start + 1]) from None
    return data


def wrong_encoding(name: str, encoding: str, at: int, byte: bytes) -> BadInput:
    """The error about a byte that the encoding does not have."""
    return bad(
        name,
        "the text",
        encoding,
        Said(f"byte 0x{byte.hex()} at position {at}, which is not"),
        _HINTS.get(encoding, _HINT),
    )
