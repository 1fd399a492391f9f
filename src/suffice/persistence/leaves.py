"""Values that a file's tree cannot hold as they are, written as text: large integers, nan and inf, dates.

{"int": "-0x1f..."}, {"float": "7ff8000000000000"}, {"date": "2026-01-31"}, {"datetime": ["2026-01-31T12:00:00", 0]}
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from datetime import date, datetime
from typing import Any, NamedTuple

from suffice.core.errors import BadFile, shown


class Leaf(NamedTuple):
    """How one kind of value becomes text and is read again."""

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]

    def restore(self, body: Any) -> Any:
        """Read strictly: only what `write` would have written is accepted."""
        try:
            value = self.read(body)
            if repr(self.write(value)) == repr(body):
                return value
        except (TypeError, ValueError, OverflowError, struct.error):
            pass
        raise BadFile(f"its description holds a malformed value {shown(body)}")


def _write_float(value: float) -> str:
    return struct.pack(">d", value).hex()  # the bits, as a nan may carry more than its name


def _read_float(text: str) -> float:
    return float(struct.unpack(">d", bytes.fromhex(text))[0])


def _write_datetime(value: datetime) -> list[Any]:
    written = [value.isoformat(), value.fold]
    if repr(_read_datetime(written)) != repr(value):  # a zone with rules or a name is more than its offset
        raise ValueError("time zone")
    return written


def _read_datetime(body: list[Any]) -> datetime:
    text, fold = body
    return datetime.fromisoformat(text).replace(fold=fold)


LEAVES: dict[str, Leaf] = {
    "int": Leaf(hex, lambda text: int(text, 16)),  # not in digits: their number is limited, and quadratic to read
    "float": Leaf(_write_float, _read_float),
    "date": Leaf(date.isoformat, date.fromisoformat),
    "datetime": Leaf(_write_datetime, _read_datetime),
}
