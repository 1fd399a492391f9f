"""Bytes of any encoding as UTF-8, with the place of the first byte that is not what it should be."""

from __future__ import annotations

import codecs
from typing import Any, Protocol

from suffice.core.errors import BadInput, Said, bad
from suffice.core.phrases import Phrase, Setting
from suffice.sources.files.open_bytes import Peeking

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
