"""Excel workbooks as pages, by openpyxl, imported only here: the values of the first sheet, as written cells."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterator, Sequence
from importlib.util import find_spec
from itertools import islice
from typing import Any
from xml.etree.ElementTree import ParseError
from zipfile import BadZipFile

from suffice.core.errors import Said, bad
from suffice.sources.files.header import unique_names
from suffice.sources.files.page import Page
from suffice.sources.files.ragged import Row, even
from suffice.sources.files.text_format import Format
from suffice.sources.written.written_cells import ListText

ROWS = 4_096  # of a page
_ERRORS = frozenset({"#N/A", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!"})
_DAMAGED = (BadZipFile, ParseError, KeyError, ValueError, TypeError, IndexError, EOFError)


def excel_pages(name: str, file: Any, format: Format, ignore: Collection[Any]) -> Iterator[Page]:
    """The pages of a workbook that is open for reading bytes."""
    if find_spec("openpyxl") is None:
        rule = "CSV, JSON lines, Parquet or Arrow where openpyxl is not installed"
        raise bad(name, "the file", rule, Said("an Excel workbook"), "Install suffice[excel].")
    from openpyxl import load_workbook

    try:
        book = load_workbook(file, read_only=True, data_only=True)
        sheet = book.worksheets[0]
        sheet.reset_dimensions()  # what a file says of its size may be wrong
        rows = (row for row in sheet.iter_rows(values_only=True) if any(cell is not None for cell in row))
        notes = (f"of {len(book.worksheets)} sheets the first is read",) if len(book.worksheets) > 1 else ()
        yield from _pages(name, rows, format, ignore, notes)
    except _DAMAGED as error:
        said = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        raise bad(name, "the Excel workbook", "whole", Said(f"another ({said})"), "Save or fetch it again.") from None


def _pages(
    name: str, rows: Iterator[Sequence[Any]], format: Format, ignore: Collection[Any], notes: tuple[str, ...]
) -> Iterator[Page]:
    first = next(rows, None)
    if first is None:
        raise bad(name, "the file", "a header and rows", Said("an empty sheet"), "Give it rows to read.", "must hold")
    names = tuple(f"x{i}" for i in range(len(first)))
    waiting = [first]
    if format.header:
        names, more = unique_names([(_written(cell, ".") or "").strip() for cell in first])
        notes, waiting = (*notes, *more), []
    while some := [*waiting, *islice(rows, ROWS - len(waiting))]:
        waiting = []
        written: list[Row] = [[_written(cell, format.decimal) for cell in row] for row in some]
        found = even(written, len(names), cut=False)
        columns = dict(zip(names, zip(*found.rows, strict=True), strict=True))
        texts = {key: ListText(cells, format) for key, cells in columns.items() if key not in ignore}
        yield Page(name, names, texts, len(some), 0, found.long, notes=notes)
        notes = ()


def _written(cell: Any, decimal: str) -> str | None:
    """A value as it would be written in CSV; what Excel could not compute is missing."""
    if cell is None or (isinstance(cell, str) and cell in _ERRORS):
        return None
    if isinstance(cell, bool):
        return str(cell).lower()
    if isinstance(cell, datetime.datetime):
        return (cell.date() if cell.time() == datetime.time() else cell).isoformat()
    if isinstance(cell, (datetime.date, datetime.time)):
        return cell.isoformat()
    return repr(cell).replace(".", decimal) if isinstance(cell, float) else str(cell)
