"""Written cells: what a text means as a number, a date or a truth value, and a column of texts.

Every route to a plain number goes by one grammar: digits with an optional sign, point and exponent, finite; no
thousands signs, no underscores, no words. A route that is faster accepts less of it, never more, and gives the same
bits. Numbers and dates with other signs are in `number_forms` and `date_forms`.
"""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from suffice.core.block import Array
from suffice.sources.files.text_format import Format
from suffice.sources.tables.cells import DAY
from suffice.sources.tables.symbols import Symbols

_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_DATE = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
    r"(?:[T ][0-9]{2}(?::[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?)?(?:Z|[+-][0-9]{2}(?::?[0-9]{2})?)?)?"
)
_WHOLE = re.compile(r"[0-9]+")
_EPOCH = datetime.datetime(1970, 1, 1)
_TICK = datetime.timedelta(microseconds=1)
_DIGITS, _SIGNS = b"0123456789", b"0123456789.eE+-"

TRUTH = {"true": True, "false": False, "yes": True, "no": False}  # what is taken for Boolean when nobody says so
DECLARED_TRUTH = {
    **TRUTH,
    "1": True,
    "0": False,
    "1.0": True,
    "0.0": False,
    "t": True,
    "f": False,
    "y": True,
    "n": False,
}


def number_of(text: str, decimal: str = ".") -> float | None:
    """The number that a text is; None if it is none.

    >>> number_of(" 1,5 ", decimal=","), number_of("1_000"), number_of("1e999")
    (1.5, None, None)
    """
    text = text.strip()
    if decimal != ".":
        text = "" if "." in text else text.replace(decimal, ".")
    if not _NUMBER.fullmatch(text):
        return None
    value = float(text)
    return value if math.isfinite(value) else None


def day_of(text: str) -> float | None:
    """Days since 1970 (of UTC, where a time zone is written) of an ISO date or time; None if it is none.

    >>> day_of("1970-01-02"), day_of("1970-01-02T12:00"), day_of("2.1.1970")
    (1.0, 1.5, None)
    """
    text = text.strip()
    if not _DATE.fullmatch(text):
        return None
    try:
        when = datetime.datetime.fromisoformat(text)
        when = when if when.tzinfo is None else when.astimezone(datetime.UTC).replace(tzinfo=None)
    except (ValueError, OverflowError):  # such as February 30
        return None
    return float((when - _EPOCH) // _TICK) / DAY


def is_whole(text: str) -> bool:
    """Whether a text is a whole number of at least 0, as written: digits and nothing else."""
    return _WHOLE.fullmatch(text.strip()) is not None


class Text(Protocol):
    """The cells of one column, as written. The fast ways answer None where one cell needs a closer look."""

    @property
    def n(self) -> int:
        """Number of cells."""

    @property
    def coded(self) -> Symbols:
        """Codes, -1 where missing, and the texts they stand for."""

    @property
    def floats(self) -> Array | None:
        """All cells as numbers, NaN where missing."""

    @property
    def days(self) -> Array | None:
        """All cells as dates, in days, NaN where missing."""

    @property
    def digits(self) -> bool:
        """Whether every present cell is digits and nothing else."""

    @property
    def missing(self) -> int:
        """Number of missing cells."""

    def texts(self) -> Sequence[str | None]:
        """The cells, None where missing."""

    def holds(self, signs: bytes) -> bool:
        """Whether one of these ASCII characters is in some cell that is not plainly missing."""

    def all_match(self, pattern: str) -> bool:
        """Whether every cell that is not plainly missing is of a pattern."""


@dataclass(frozen=True)
class ListText:
    """Cells in a list; None stands for a cell that its row does not have.

    >>> ListText(["1", "2.5", "NA"], Format()).floats
    array([1. , 2.5, nan])
    """

    cells: Sequence[str | None]
    format: Format

    @property
    def n(self) -> int:
        """Number of cells."""
        return len(self.cells)

    @cached_property
    def coded(self) -> Symbols:
        """By a dictionary, in order of appearance."""
        place: dict[Any, int] = {}
        labels: list[Any] = []
        for cell in dict.fromkeys(self.cells):
            place[cell] = -1 if self._absent(cell) else len(labels)
            if place[cell] >= 0:
                labels.append(cell)
        return np.fromiter(map(place.__getitem__, self.cells), dtype=np.int32, count=self.n), labels

    @cached_property
    def floats(self) -> Array | None:
        """By `float`, after a look at which characters there are: it would take words and underscores too."""
        signs = _SIGNS.replace(b".", self.format.decimal.encode())
        if not self._present or not _only(self._joined, signs):
            return None
        texts: Any = self._present
        if self.format.decimal != ".":
            texts = [text.replace(self.format.decimal, ".") for text in texts]
        try:
            values = np.fromiter(map(float, texts), dtype=np.float64, count=len(texts))
        except ValueError:
            return None
        return self._among_missing(values) if np.isfinite(values).all() else None

    @property
    def days(self) -> Array | None:
        """There is no fast way."""
        return None

    @cached_property
    def digits(self) -> bool:
        """Looking at all cells at once."""
        return _only(self._joined, _DIGITS)

    @property
    def missing(self) -> int:
        """Number of missing cells."""
        return sum(map(self._absent, self.cells))

    def texts(self) -> Sequence[str | None]:
        """The cells, None where missing."""
        return [None if self._absent(cell) else cell for cell in self.cells]

    def holds(self, signs: bytes) -> bool:
        """Looking at all cells at once."""
        return any(sign in self._joined for sign in signs.decode())

    def all_match(self, pattern: str) -> bool:
        """Cell by cell."""
        return all(map(re.compile(pattern).fullmatch, self._present))

    def _absent(self, cell: str | None) -> bool:
        return cell is None or cell.strip() in self.format.tokens

    @cached_property
    def _present(self) -> list[str]:
        """The cells that are not plainly missing."""
        tokens: Any = self.format.tokens | {None}
        return [cell for cell in self.cells if cell not in tokens]  # type: ignore[misc]

    @cached_property
    def _joined(self) -> str:
        return "".join(self._present)

    def _among_missing(self, values: Array) -> Array:
        if len(values) == self.n:
            return values
        tokens: Any = self.format.tokens | {None}
        out = np.full(self.n, np.nan)
        out[[cell not in tokens for cell in self.cells]] = values
        return out


def _only(text: str, signs: bytes) -> bool:
    """Whether a text holds no other characters."""
    return text.isascii() and not text.encode().translate(None, signs)
