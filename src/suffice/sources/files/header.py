"""The first row of a text file: which separator it has, and the names of the columns."""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import count, islice
from typing import Any, NamedTuple

from suffice.core.errors import Said, bad, shown
from suffice.sources.files.text_format import Format
from suffice.sources.written.written_cells import number_of

SEPARATORS = (",", ";", "\t", "|")
LOOKED_AT = 1 << 16  # bytes that tell the separator
ROWS = 50  # rows that tell the separator
LONGEST = 1 << 17  # characters of a name: what is longer is no name


class Header(NamedTuple):
    """The names of the columns, all different, and where the rows begin."""

    names: tuple[str, ...]
    end: int  # bytes before the first row
    notes: tuple[str, ...] = ()


def separator_of(head: bytes, format: Format) -> str:
    """The separator that cuts the header and most of the first rows; where none does, one that cuts no row."""
    if format.separator is not None:
        return format.separator
    text = head[:LOOKED_AT].decode("utf-8", "replace").replace("\0", "")
    if len(head) > LOOKED_AT:
        text = text[: text.rfind("\n") + 1] or text  # the last row may be cut
    ways = [sign for sign in SEPARATORS if sign not in (format.decimal, format.quote)] if text else [","]
    return max(ways, key=lambda sign: _fitness(text, sign, format.quote))


def _fitness(text: str, separator: str, quote: str | None) -> tuple[bool, float, int]:
    """Whether it cuts most rows, how many it cuts like the header, and into how many cells."""
    rows = [row for row in islice(split(io.StringIO(text, newline=""), separator, quote), ROWS) if row]
    width, n = (len(rows[0]), len(rows)) if rows else (1, 1)
    cut = sum(1 < len(row) <= width + 1 for row in rows)  # some lack cells, some end with a separator
    return width > 1 and 2 * cut >= n, sum(len(row) == width for row in rows) / n, width


def read_header(name: str, data: bytes, separator: str, quote: str | None, named: bool = True) -> Header | None:
    """The first row that is not blank, None if there is none; unless it names the columns, they have numbers."""
    allow_cells(len(data))
    lines = _Counting(io.TextIOWrapper(io.BytesIO(data), "utf-8", newline=""))
    for row in split(lines, separator, quote):
        if not named and (len(row) > 1 or "".join(row).strip()):
            return Header(tuple(f"x{i}" for i in range(len(row))), 0)
        if any(cell.strip() for cell in row):
            _refuse_long(name, row)
            names, notes = unique_names([cell.strip() for cell in row])
            return Header(names, lines.bytes, notes)
        if len(row) > 1:
            raise bad(
                name, "the header", "the columns", Said("empty names only"), "Write them in the first row.", "must name"
            )
    return None


def _refuse_long(name: str, row: Sequence[str]) -> None:
    for place, cell in enumerate(row, 1):
        if len(cell) > LONGEST:
            raise bad(
                name,
                "the name of a column",
                f"of at most {LONGEST} characters",
                Said(f"one of {len(cell)} for column {place} ({shown(cell)})"),
                "Check the line ends and the quotes of the first row.",
            )


def unique_names(cells: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names that are all different: an empty one becomes column_3, the second of two equal ones name_2.

    >>> unique_names(["age", "", "age"])[0]
    ('age', 'column_2', 'age_2')
    """
    taken, names, notes = set(cells), [], []
    used: set[str] = set()
    numbers: dict[str, Iterator[int]] = defaultdict(lambda: count(2))  # of each name, those not tried yet
    for place, cell in enumerate(cells, 1):
        name = wanted = cell or f"column_{place}"
        if name in (used if cell else taken):
            name = next(free for n in numbers[wanted] if (free := f"{wanted}_{n}") not in taken)
        if name != cell:
            why = f"is named {cell!r} like another before it" if cell else "has no name"
            notes.append(f"column {place} {why}; it is called {name!r} here")
        names.append(name)
        used.add(name)
        taken.add(name)
    if len(cells) > 1 and all(number_of(cell) is not None for cell in cells):
        notes.append("the names of all columns are numbers: the first row is taken for the header, not for data")
    return tuple(names), tuple(notes)


def split(lines: Any, separator: str, quote: str | None) -> Iterator[list[str]]:
    """Lines as rows of cells, by the standard library."""
    if quote is None:
        return csv.reader(lines, delimiter=separator, quoting=csv.QUOTE_NONE)
    return csv.reader(lines, delimiter=separator, quotechar=quote)


def allow_cells(size: int) -> None:
    """Let cells be as large as the text; raised for all, never lowered, because another thread may be reading."""
    if csv.field_size_limit() < size:
        csv.field_size_limit(size)


class _Counting:
    """Lines, and how many bytes of them were taken."""

    def __init__(self, lines: io.TextIOWrapper) -> None:
        self.lines = lines
        self.bytes = 0

    def __iter__(self) -> Iterator[str]:
        for line in self.lines:
            self.bytes += len(line.encode())
            yield line
