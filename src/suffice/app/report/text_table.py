"""Tables for people: columns under one another, numbers to the right, nothing that could drive a terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

GAP = "  "


def text_table(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Rows under their column names; columns of numbers are flush right.

    >>> print(text_table(["class", "rows"], [["cold", 12], ["flu", 7]]))
    class  rows
    cold     12
    flu       7
    """
    cells = [list(row) for row in rows]
    right = [any(_is_number(row[j]) for row in cells) for j in range(len(columns))]
    lines = [[plain(name) for name in columns], *([shown_cell(cell) for cell in row] for row in cells)]
    widths = [max(width(line[j]) for line in lines) for j in range(len(columns))]
    return "\n".join(_line(line, widths, right) for line in lines)


def shown_cell(cell: Any) -> str:
    """A cell for people: four digits of a share or a statistic, thousands apart, nothing for what is not there."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, int):
        return f"{cell:,}"
    return _digits(cell) if isinstance(cell, float) else plain(str(cell))


def _digits(number: float) -> str:
    """Four digits, more before the point where it has more, and no exponent that people need not read.

    >>> [_digits(x) for x in (0.123456, 57735.2, 2e5, 1e-7, 3e20)]
    ['0.1235', '57,735', '200,000', '1e-07', '3e+20']
    """
    return f"{number:,.0f}" if 1e4 <= abs(number) < 1e15 else f"{number:.4g}"


def plain(text: str) -> str:
    """Text on one line, with whatever could move a cursor or change a colour written out.

    >>> plain("north\\x1b[31m")
    'north\\\\x1b[31m'
    """
    return text if text.isprintable() else "".join(c if c.isprintable() else _written(c) for c in text)


def width(text: str) -> int:
    """Places that a text takes on a terminal: wide letters take two, accents none."""
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(c) else 1 + (unicodedata.east_asian_width(c) in "WF") for c in text)


def _written(c: str) -> str:
    return c.encode("unicode_escape").decode("ascii")


def _is_number(cell: Any) -> bool:
    return isinstance(cell, (int, float)) and not isinstance(cell, bool)


def _line(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    padded = []
    for cell, places, flush in zip(cells, widths, right, strict=True):
        space = " " * (places - width(cell))
        padded.append(space + cell if flush else cell + space)
    return GAP.join(padded).rstrip()
