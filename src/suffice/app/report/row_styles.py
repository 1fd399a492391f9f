"""Rows of answers as text, some at a time: CSV, a JSON list with a row on each line, a table for people."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from suffice.app.report.report import csv_lines, json_text
from suffice.app.report.text_table import text_table

Rows = Sequence[Sequence[Any]]
Style = Callable[[Sequence[str], Iterable[Rows]], Iterator[str]]

_NUMBER = re.compile(r"[+-]?[0-9.]+([eE][+-]?[0-9]+)?")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


class Reason(NamedTuple):
    """What a feature says for an answer against the next best, as log odds."""

    feature: str
    log_odds: float

    def __str__(self) -> str:
        """As people read it."""
        return f"{self.feature} {self.log_odds:+.2f}"


class ReasonList(tuple[Reason, ...]):
    """The strongest reasons, strongest first."""

    __slots__ = ()

    def __str__(self) -> str:
        """In one line."""
        return ", ".join(map(str, self))


def as_csv(columns: Sequence[str], chunks: Iterable[Rows]) -> Iterator[str]:
    """Names, then rows; nothing before there are rows, so that what fails at once writes nothing."""
    head: list[Sequence[Any]] = [columns]
    for rows in chunks:
        body = [[str(cell) if isinstance(cell, ReasonList) else cell for cell in row] for row in rows]
        yield csv_lines([*head, *body])
        head = []


def as_csv_without_formulas(columns: Sequence[str], chunks: Iterable[Rows]) -> Iterator[str]:
    """The same with an apostrophe before text that a spreadsheet would take for a formula."""
    safe = ([[_no_formula(cell) for cell in row] for row in rows] for rows in chunks)
    return as_csv([_no_formula(name) for name in columns], safe)


def as_json(columns: Sequence[str], chunks: Iterable[Rows]) -> Iterator[str]:
    """A list of objects."""
    between = "[\n"
    for rows in chunks:
        for row in rows:
            cells = dict(zip(columns, map(_json_cell, row), strict=True))
            yield between + json_text(cells)
            between = ",\n"
    yield "[]\n" if between == "[\n" else "\n]\n"


def as_table(columns: Sequence[str], chunks: Iterable[Rows]) -> Iterator[str]:
    """A table for each chunk."""
    for rows in chunks:
        yield text_table(columns, [[_written(cell) for cell in row] for row in rows]) + "\n"


STYLES: dict[str, Style] = {"csv": as_csv, "json": as_json, "table": as_table}


def _json_cell(cell: Any) -> Any:
    return [reason._asdict() for reason in cell] if isinstance(cell, ReasonList) else cell


def _written(cell: Any) -> Any:
    """Labels and identifiers that are numbers are names: without thousands signs."""
    return str(cell) if isinstance(cell, (int, ReasonList)) and not isinstance(cell, bool) else cell


def _no_formula(cell: Any) -> Any:
    text = str(cell) if isinstance(cell, (str, ReasonList)) else ""
    return f"'{text}" if text.startswith(_FORMULA) and not _NUMBER.fullmatch(text) else cell
