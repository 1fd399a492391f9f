"""What reading met: rows, kinds, missing and bad cells by column, ragged rows, and remarks."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from suffice.core.errors import BadInput, Said, bad, shown
from suffice.core.kinds import Kind, join
from suffice.core.phrases import Phrase, Setting

COUNTED = ("unlabelled", "short", "long", "cut", "nuls")  # fields of a report that are numbers of rows or files
EARLY = 10_000  # present cells from which a column may fail before the end of the file


class Strange(NamedTuple):
    """Cells of some rows that cannot be what their column is."""

    cells: int  # how many
    first: int  # row of the first of them
    text: str  # what it says


@dataclass(frozen=True)
class ColumnReport:
    """What was met in one column.

    >>> ColumnReport("age", Kind.COUNT, rows=10, missing=2, strange=Strange(1, 7, "old")).bad
    1
    """

    name: Any
    kind: Kind
    rows: int = 0
    missing: int = 0
    strange: Strange | None = None  # all bad cells together

    @property
    def bad(self) -> int:
        """Number of cells that were present but could not be read, and were taken as missing."""
        return self.strange.cells if self.strange else 0

    @property
    def first_bad(self) -> int | None:
        """Row of the first bad cell."""
        return self.strange.first if self.strange else None

    @property
    def text(self) -> str | None:
        """What the first bad cell says."""
        return self.strange.text if self.strange else None


@dataclass(frozen=True)
class Report:
    """What one pass over the rows met. Rows are numbered from 0, below the header, through all files.

    >>> print(Report(3, columns=(ColumnReport("age", Kind.COUNT, 3, 1),)))
    3 rows
    column  kind   missing  bad
    age     count  1        0
    """

    rows: int = 0
    unlabelled: int = 0  # rows without a target, which are not learned from
    short: int = 0  # rows with too few cells: the others are missing
    long: int = 0  # rows with too many cells, which cannot be told apart: all are missing
    first_long: int | None = None
    cut: int = 0  # files whose last row is cut off: its last cell and the ones after it are missing
    nuls: int = 0  # NUL characters, which were removed
    notes: tuple[str, ...] = ()
    columns: tuple[ColumnReport, ...] = ()

    def column(self, name: Any) -> ColumnReport:
        """What was met in a column."""
        for column in self.columns:
            if column.name == name:
                return column
        raise bad(self, "the column", f"one of those read ({[c.name for c in self.columns]})", name, "Correct it.")

    @classmethod
    def sum(cls, parts: Sequence[Report]) -> Report:
        """What was met in the rows of all parts, one after the other.

        >>> some = Report(2, columns=(ColumnReport("age", Kind.COUNT, 2, 0, Strange(1, 1, "old")),))
        >>> Report.sum([some, some]).column("age").strange
        Strange(cells=2, first=1, text='old')
        """
        return _ledger(parts).report()

    def judge(self, where: str, limit: float) -> None:
        """Fail where more is bad than a limit allows: for rows of which each part was read by another."""
        _ledger([self], limit).check(where, end=True)

    def plain(self) -> tuple[Any, ...]:
        """As tuples and numbers, which travel."""
        columns = tuple(
            (c.name, c.kind, int(c.rows), int(c.missing), c.strange and (int(c.bad), int(c.strange.first), str(c.text)))
            for c in self.columns
        )
        first = None if self.first_long is None else int(self.first_long)
        notes = tuple(note.plain() if isinstance(note, Phrase) else str(note) for note in self.notes)
        return (int(self.rows), *(int(getattr(self, what)) for what in COUNTED), first, notes, columns)

    @classmethod
    def of_plain(cls, told: Sequence[Any]) -> Report:
        """The report that `plain` told."""
        rows, *counts, first_long, notes, columns = told
        read = tuple(
            ColumnReport(name, kind, n, missing, strange and Strange(*strange))
            for name, kind, n, missing, strange in columns
        )
        notes = tuple(note if isinstance(note, str) else Phrase.of_plain(note) for note in notes)
        counted = dict(zip(COUNTED, counts, strict=True))
        return cls(rows, first_long=first_long, notes=notes, columns=read, **counted)

    def __str__(self) -> str:
        """Remarks, then a table of the columns."""
        lines = [f"{self.rows} rows", *(f"{count} {what}" for count, what in self._remarks() if count), *self.notes]
        table = [("column", "kind", "missing", "bad"), *(_described(column) for column in self.columns)]
        widths = [max(map(len, cells)) for cells in zip(*table, strict=True)]
        return "\n".join([*lines, *(_line(cells, widths) for cells in table)])

    def _remarks(self) -> tuple[tuple[int, str], ...]:
        return (
            (self.unlabelled, "rows without a target"),
            (self.short, "rows with too few cells, taken as missing"),
            (self.long, f"rows with too many cells, not read, the first in row {self.first_long}"),
            (self.cut, "files that end within a row"),
            (self.nuls, "NUL characters removed"),
        )


def _described(column: ColumnReport) -> tuple[str, str, str, str]:
    strange = column.strange
    bad_cells = f"{strange.cells}, the first {shown(strange.text)} in row {strange.first}" if strange else "0"
    return str(column.name), column.kind.value, str(column.missing), bad_cells


def _line(cells: tuple[str, ...], widths: list[int]) -> str:
    return "  ".join(f"{cell:{width}}" for cell, width in zip(cells, widths, strict=True)).rstrip()


@dataclass(slots=True)
class _Line:
    """The report of a column while it is being written."""

    kind: Kind
    rows: int = 0
    missing: int = 0
    strange: Strange | None = None


@dataclass
class Ledger:
    """A report while it is being written."""

    limit: float
    rows: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    first_long: int | None = None
    notes: dict[str, None] = field(default_factory=dict)  # in order, each once
    columns: dict[Any, _Line] = field(default_factory=dict)

    def add(self, name: Any, kind: Kind, rows: int, missing: int, strange: Strange | None) -> None:
        """What some more rows of a column held; `strange` counts rows from the first of these."""
        line = self.columns.get(name)
        if line is None:
            line = self.columns[name] = _Line(kind)
        line.kind = kind
        line.rows += rows
        line.missing += missing
        if strange is None:
            return
        known = line.strange or strange._replace(cells=0, first=strange.first + self.rows)
        line.strange = known._replace(cells=known.cells + strange.cells)

    def count(self, what: str, number: int) -> None:
        """So many more of something."""
        self.counts[what] = self.counts.get(what, 0) + number

    def note(self, text: str) -> None:
        """A remark, once."""
        self.notes.setdefault(text)

    def check(self, where: str, end: bool, later: Collection[Any] = ()) -> None:
        """Fail where more is bad than the limit allows; before the end only where enough was seen, and not `later`."""
        for name, line in self.columns.items():
            if name in later:
                continue
            present = line.rows - line.missing
            if line.strange and line.strange.cells > self.limit * present and (end or present >= EARLY):
                raise _too_many_bad(where, name, line.kind, line.strange, present, self.limit)
        long = self.counts.get("long", 0)
        if long > self.limit * self.rows and (end or self.rows >= EARLY):
            raise _too_many_long(where, long, self.first_long, self.rows)

    def report(self) -> Report:
        """As a value."""
        columns = tuple(
            ColumnReport(name, line.kind, line.rows, line.missing, line.strange) for name, line in self.columns.items()
        )
        return Report(self.rows, first_long=self.first_long, notes=tuple(self.notes), columns=columns, **self.counts)


def _ledger(parts: Sequence[Report], limit: float = 1.0) -> Ledger:
    """What was met in all parts, one after the other, as a report that is being written."""
    ledger = Ledger(limit)
    for part in parts:
        for column in part.columns:
            known = ledger.columns.get(column.name)
            kind = column.kind if known is None else join(known.kind, column.kind) or column.kind
            ledger.add(column.name, kind, column.rows, column.missing, column.strange)
        for what in COUNTED:
            ledger.count(what, getattr(part, what))
        if ledger.first_long is None and part.first_long is not None:
            ledger.first_long = part.first_long + ledger.rows
        for text in part.notes:
            ledger.note(text)
        ledger.rows += part.rows
    return ledger


_HELD = {Kind.DATE: "dates", Kind.BOOLEAN: "Booleans", Kind.ORDINAL: "values of its order"}


def _too_many_bad(where: str, name: Any, kind: Kind, strange: Strange, present: int, limit: float) -> BadInput:
    rule = f"{_HELD.get(kind, 'numbers')}, but for a share of {limit:g}"
    got = f"{shown(strange.text)} in row {strange.first}, the first of {strange.cells} in {present} cells"
    return bad(
        where,
        f"the cells of column {name!r}",
        rule,
        Said(got),
        Phrase(
            "Declare its kind, such as ",
            Setting("", kinds={name: "categorical"}),
            ", name the text in ",
            Setting("Format", missing=...),
            ", or raise ",
            Setting("Format", limit=...),
            ".",
        ),
    )


def _too_many_long(where: str, long: int, first: int | None, rows: int) -> BadInput:
    return bad(
        where,
        "rows",
        "as many cells as the header",
        Said(f"too many in row {first}, the first of {long} such in {rows} rows"),
        Phrase("Say which separator and quote the file has, by ", Setting("Format", separator=..., quote=...), "."),
        "must have",
    )
