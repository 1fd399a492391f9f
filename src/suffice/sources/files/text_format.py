"""How rows are written in text files: encoding, separator, quotes, decimal sign, and the texts that mean "missing"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from suffice.core.errors import bad
from suffice.core.phrases import ForPython, Phrase
from suffice.core.written_forms import DATES, GROUPED, ISO, is_date_form, is_number_form

MISSING = ("", "NA", "N/A", "n/a", "NaN", "nan", "null", "NULL", "None", "?", "-")
SIGN = Phrase("one ASCII character", ForPython(" or None"))
BLOCK = 1 << 21  # bytes of text: large enough that converting a column costs more than calling what converts it
TYPED_BLOCK = 1 << 24  # bytes of typed cells, which need no conversion, so that each call weighs more


@dataclass(frozen=True)
class Format:
    """How rows are written, and how much is forgiven.

    Parameters
    ----------
    encoding : of text files; the first bytes of a file may say better (a byte-order mark)
    separator : one character between cells; None finds out which of comma, semicolon, tab and bar it is
    quote : one character around cells that hold separators or line ends; None where nothing is quoted
    decimal : "." or ","
    missing : texts that mean that a cell is missing; blanks around them do not matter
    limit : share of the present cells of a column that may be bad (counted and taken as missing) before reading fails
    block : bytes read at a time; typed files are cut into as many rows as fill it. None takes 2 MB of text, 16 MB of
        typed cells
    header : whether the first row names the columns; otherwise they are called x0, x1, ..., as those of an array
    written : column -> the form of its numbers or dates, where its cells do not tell: "DD/MM/YYYY", "MM/DD/YYYY",
        "DD.MM.YYYY", "1,234.5", "1.234,5", and the latter two with a unit behind them, such as "1.234,5 EUR"

    >>> Format(separator=";", decimal=",").tokens == frozenset(MISSING)
    True
    """

    encoding: str = "utf-8"
    separator: str | None = None
    quote: str | None = '"'
    decimal: str = "."
    missing: tuple[str, ...] = MISSING
    limit: float = 0.01
    block: int | None = None
    header: bool = True
    written: Mapping[Any, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse what cannot be."""
        if not _is_encoding(self.encoding):
            raise bad(self, "encoding", "the name of a text encoding", self.encoding, "Use utf-8, cp1252 or utf-16.")
        if self.separator is not None and not _is_sign(self.separator):
            raise bad(self, "separator", SIGN, self.separator, "None finds it out.")
        if self.quote is not None and not _is_sign(self.quote):
            raise bad(self, "quote", SIGN, self.quote, "Use None where nothing is quoted.")
        if self.decimal not in (".", ","):
            raise bad(self, "decimal", 'one of "." and ","', self.decimal, "Correct it.")
        if self.separator is not None and self.separator in (self.decimal, self.quote):
            rule = "another character than quote and decimal"
            raise bad(self, "separator", rule, self.separator, "Correct one of them.")
        if not (isinstance(self.missing, tuple) and all(isinstance(text, str) for text in self.missing)):
            raise bad(self, "missing", "a tuple of texts", self.missing, "List the texts that mean missing.")
        if isinstance(self.limit, bool) or not isinstance(self.limit, (int, float)) or not 0 <= self.limit <= 1:
            raise bad(self, "limit", "a share from 0 to 1", self.limit, "0.01 forgives one cell in a hundred.")
        if self.block is not None and (type(self.block) is not int or self.block < 1):
            raise bad(self, "block", "a whole number of bytes, at least 1", self.block, "None serves most files.")

        if not isinstance(self.header, bool):
            raise bad(self, "header", "True or False", self.header, "False where the first row is data.")
        if not isinstance(self.written, Mapping):
            raise bad(self, "written", "a mapping of columns to forms", self.written, 'Such as {"born": "DD/MM/YYYY"}.')
        for form in self.written.values():
            if not isinstance(form, str) or not (is_number_form(form) or is_date_form(form)):
                rule = f"one of {', '.join((ISO, *DATES, *GROUPED.values()))}, the last two with or without a unit"
                raise bad(self, "written", rule, form, "Such as 1.234,5 EUR.")

    @cached_property
    def tokens(self) -> frozenset[str]:
        """The texts that mean missing, without blanks around them."""
        return frozenset(text.strip() for text in self.missing)

    @property
    def text_block(self) -> int:
        """Bytes of text read at a time."""
        return BLOCK if self.block is None else self.block

    @property
    def typed_block(self) -> int:
        """Bytes of typed cells read at a time."""
        return TYPED_BLOCK if self.block is None else self.block


def _is_sign(text: Any) -> bool:
    return isinstance(text, str) and len(text) == 1 and text.isascii() and text not in "\r\n\0"


def _is_encoding(name: Any) -> bool:
    try:
        "a".encode(name)  # looks nothing up for an empty text
    except (LookupError, TypeError, ValueError):  # ValueError: a NUL in the name
        return False
    return True
