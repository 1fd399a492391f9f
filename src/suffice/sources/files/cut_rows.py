"""Text cut into blocks of whole rows: at line ends that are not inside quotes.

A quote opens a cell only where the cell begins; inside, two in a row stand for one, and one alone closes. Where all
quotes of a block are in their places, every other one opens, and arrays tell so at once; otherwise they are followed
one by one, as a parser would.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad, shown
from suffice.core.phrases import Phrase, Setting
from suffice.sources.files.open_bytes import Stream, check_utf8

NO_QUOTE = Setting("Format", quote=None)
LONGEST = 1 << 30  # bytes of a row
FEW, MOST = 1_000, 8  # rows that a block should have, and how many times larger it may become for that
LOOKED_AT = 1 << 16  # bytes that tell how long rows are


class TextPiece(NamedTuple):
    """Some whole rows."""

    data: bytes  # UTF-8, without NUL characters
    nuls: int = 0  # how many were removed
    ended: bool = True  # whether the last row ends with a line end; only the last piece of a file may not
    open: bool = False  # whether its last cell lacks its closing quote


def cut_rows(name: str, text: Stream, size: int, quote: str | None, separator: str) -> Iterator[TextPiece]:
    """Blocks of about `size` bytes; larger where a row is longer, or where a block would hold few rows."""
    signs = (quote or "").encode(), separator.encode()
    carry, offset, nuls, step, usual = b"", 0, 0, size, size
    while more := text.read(step):
        if b"\0" in more:  # before a quote, it would keep it from opening a cell
            nuls += more.count(b"\0")
            more = more.replace(b"\0", b"")
        rows, carry = _cut(carry, more, *signs)
        if not rows:
            _refuse_endless(name, carry, offset)
            step *= 2
            continue
        yield TextPiece(check_utf8(name, rows, offset, last=False), nuls)
        offset, nuls = offset + len(rows) + nuls, 0
        step = usual = min(2 * usual, MOST * size) if _holds_few(rows) else usual
    if carry or nuls:
        yield _last_piece(name, carry, offset, *signs)._replace(nuls=nuls)


def _cut(carry: bytes, more: bytes, quote: bytes, separator: bytes) -> tuple[bytes, bytes]:
    """Whole rows, and what is left. Without quotes, what was carried need not be looked at again, nor copied twice."""
    if b"\n" in more and (not quote or (quote not in more and quote not in carry)):
        end = more.rfind(b"\n") + 1
        return b"".join((carry, memoryview(more)[:end])), more[end:]
    data = carry + more
    end, _ = last_row_end(data, quote, separator)
    return data[:end], data[end:]


def _holds_few(rows: bytes) -> bool:
    """Whether a block holds few rows, judged by its beginning."""
    return rows.count(b"\n", 0, LOOKED_AT) * len(rows) < FEW * min(LOOKED_AT, len(rows))


def _last_piece(name: str, data: bytes, offset: int, quote: bytes, separator: bytes) -> TextPiece:
    """What is left at the end of a file."""
    data = check_utf8(name, data, offset, last=True)
    _, opened = last_row_end(data, quote, separator)
    if opened is not None and len(data[opened:].rstrip(b"\r\n").splitlines()) > 1:
        text = data[opened : opened + 40].decode("utf-8", "replace")
        raise bad(
            name,
            "every quote",
            "closed",
            Said(f"an open one at position {offset + opened} ({shown(text)})"),
            Phrase("Close it, or pass ", NO_QUOTE, " if quotes are plain characters."),
        )
    return TextPiece(data, ended=data.endswith((b"\n", b"\r")) and opened is None, open=opened is not None)


def _refuse_endless(name: str, data: bytes, offset: int) -> None:
    if len(data) > LONGEST:
        raise bad(
            name,
            "a row",
            f"shorter than {LONGEST} bytes",
            Said(f"a longer one from position {offset} on"),
            Phrase("Correct the line ends, or pass ", NO_QUOTE, " if quotes are plain characters."),
        )


def last_row_end(data: bytes, quote: bytes, separator: bytes) -> tuple[int, int | None]:
    r"""Where the last whole row ends (0 if none does), and where a quote opens that is not closed.

    >>> last_row_end(b'1,"a\nb"\n2,', b'"', b",")
    (8, None)
    """
    line = b"\n" if b"\n" in data else b"\r"
    limit = len(data) if line == b"\n" else len(data) - 1  # a line feed may follow
    if not quote or quote not in data:
        return data.rfind(line, 0, limit) + 1, None
    opens, closes = quoted(data, quote, separator)
    opened = int(opens[-1]) if len(opens) > len(closes) else None
    while (at := data.rfind(line, 0, limit)) >= 0:
        i = int(np.searchsorted(opens, at)) - 1
        if i < 0 or (i < len(closes) and closes[i] < at):
            break
        limit = int(opens[i])  # inside quotes: look before them
    return at + 1, opened


def quoted(data: bytes, quote: bytes, separator: bytes) -> tuple[Array, Array]:
    """Where quotes open and where they close; the last may be left open."""
    signs = np.frombuffer(data, dtype=np.uint8)
    at = np.flatnonzero(signs == quote[0])
    opens, closes = at[::2], at[1::2]
    before = signs[opens - 1]  # of the first sign, the last one: corrected below
    fits = (before == separator[0]) | (before == 10) | (before == 13) | (opens == 0)
    fits[1:] |= opens[1:] == closes[: len(opens) - 1] + 1  # two in a row, inside quotes
    return (opens, closes) if fits.all() else _one_by_one(data, at.tolist(), quote[0], separator[0])


def _one_by_one(data: bytes, at: list[int], quote: int, separator: int) -> tuple[Array, Array]:
    opens: list[int] = []
    closes: list[int] = []
    inside = False
    skip = -1
    for i in at:
        if i == skip:
            continue
        if inside and data[i + 1 : i + 2] == bytes([quote]):
            skip = i + 1
        elif inside:
            closes.append(i)
            inside = False
        elif i == 0 or data[i - 1] in (separator, 10, 13):
            opens.append(i)
            inside = True
    return np.array(opens, dtype=np.intp), np.array(closes, dtype=np.intp)
