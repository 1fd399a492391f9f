"""What a command has to tell, and the three ways to write it: tables for people, CSV and JSON for programs."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import click

from suffice.app.report.text_table import plain, shown_cell, text_table
from suffice.sources.files.header import unique_names

LONGEST = 60  # rows of a table for people


@dataclass(frozen=True)
class Section:
    """A table with a name: "scores", "confusion"."""

    name: str
    columns: tuple[str, ...]
    rows: Sequence[Sequence[Any]]  # text, numbers, True, False, None
    title: str = ""  # what people read above it; the name where there is none
    group: str = ""  # of tables that belong together: people read the title of each in place of its first column's name
    shown: int = LONGEST  # rows that people see


@dataclass(frozen=True)
class CommandReport:
    """Single facts, tables, and what people should know besides."""

    facts: Mapping[str, Any]
    sections: Sequence[Section]
    notes: Sequence[str] = ()

    def write(self, style: str) -> None:
        """Write it to standard output in one of `STYLES`."""
        click.echo(STYLES[style](self))


def as_text(report: CommandReport) -> str:
    """For people."""
    width = max(map(len, report.facts), default=0)
    facts = "\n".join(f"{_spoken(name):{width}}  {shown_cell(value)}" for name, value in report.facts.items())
    tables = [_filled(s) if s.group else f"{s.title or s.name}\n{_filled(s)}" for s in report.sections if s.rows]
    return "\n\n".join(filter(None, (facts, *tables, "\n".join(map(_lines, report.notes)))))


def _lines(note: str) -> str:
    return "\n".join(map(plain, note.splitlines()))


def _spoken(name: str) -> str:
    return name.replace("_", " ")


def _filled(section: Section) -> str:
    """A table without the columns that hold nothing, and not too long to read."""
    used = [j for j in range(len(section.columns)) if any(row[j] is not None for row in section.rows)]
    rows = [[row[j] for j in used] for row in section.rows[: section.shown]]
    more = len(section.rows) - len(rows)
    names = (section.title, *section.columns[1:]) if section.group else section.columns
    table = text_table([names[j] for j in used], rows)
    return f"{table}\n({more:,} more; --format csv or json has them all)" if more else table


def as_csv(report: CommandReport) -> str:
    """One table as it is; several in the long form of section, row, column, value."""
    if len(report.sections) == 1:
        (only,) = report.sections
        return csv_lines([only.columns, *only.rows]).rstrip("\n")
    lines: list[Sequence[Any]] = [("section", "row", "column", "value")]
    lines += [("facts", name, "value", value) for name, value in report.facts.items()]
    for section in report.sections:
        for row in section.rows:
            pairs = zip(section.columns[1:], row[1:], strict=True)
            lines += [(_full_name(section), row[0], column, value) for column, value in pairs]
    return csv_lines(lines).rstrip("\n")


def as_json(report: CommandReport) -> str:
    """One object: the facts, then each section as a list of rows; those of a group in an object of their own."""
    told: dict[str, Any] = dict(report.facts)
    for section in report.sections:
        names = unique_names(section.columns)[0]
        rows = [dict(zip(names, row, strict=True)) for row in section.rows]
        (told.setdefault(section.group, {}) if section.group else told)[section.name] = rows
    return json_text({**told, "notes": list(report.notes)}, indent=2)


def _full_name(section: Section) -> str:
    return f"{section.group}: {section.name}" if section.group else section.name


def csv_lines(rows: Sequence[Sequence[Any]]) -> str:
    """Rows as CSV; numbers with all their digits, nothing for what is not there."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([csv_cell(cell) for cell in row] for row in rows)
    return text.getvalue()


def csv_cell(cell: Any) -> Any:
    """True and False as programs write them; NaN as nothing."""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return "" if cell is None or (isinstance(cell, float) and math.isnan(cell)) else cell


def json_text(value: Any, indent: int | None = None) -> str:
    """Strict JSON: what is not finite becomes null."""
    return json.dumps(_finite(value), ensure_ascii=False, indent=indent, default=str)


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


STYLES: dict[str, Callable[[CommandReport], str]] = {"table": as_text, "csv": as_csv, "json": as_json}
