"""What all cells of a written column show, wherever the odd ones stand: its kind, and the form it is written in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.kinds import Kind, Storage
from suffice.core.registry import saved
from suffice.core.schema import Column
from suffice.core.written_forms import is_plain
from suffice.sources.files.text_format import Format
from suffice.sources.written.convert import FEW, read_truth
from suffice.sources.written.form_evidence import FormEvidence
from suffice.sources.written.number_forms import may_begin
from suffice.sources.written.written_cells import Text, day_of, number_of

LABEL_TRUTH = {"true": True, "false": False}  # what is a truth value where it is a label
PROBE = 32  # cells that are looked at first
_UNTOLD = r"\s*[+-]?(?:[0-9]+|[1-9][0-9]{0,2}\.[0-9]{3})\s*"  # 1.234 may have a decimal or a thousands point


@saved
class Shown(NamedTuple):
    """A kind, and the form of its cells; None where the usual reading serves."""

    kind: Kind
    form: str | None = None

    def __str__(self) -> str:
        """The kind; with its form, where it has one."""
        return self.kind.value if self.form is None else f"{self.kind.value} written {self.form}"


@dataclass
class ShownKinds:
    """How many cells there are, how many are no truth values, no numbers and no dates, and other forms they fit."""

    present: int = 0
    no_truths: int = 0
    no_numbers: int = 0
    no_dates: int = 0
    forms: FormEvidence = field(default_factory=FormEvidence)
    told: bool = False  # whether some plain number has a decimal sign for sure

    def add(self, text: Text, format: Format, truths: Mapping[str, bool]) -> None:
        """Some more cells; columns that are converted whole need no closer look."""
        floats = text.floats
        if floats is not None:
            n = int(np.count_nonzero(floats == floats))
            self._count(n, n, 0, n)
            bare = text.digits
            self.told = self.told or (not bare and format.decimal == "." and _has_decimals(text, floats))
            self.forms.plain(n, bare, self.told, format.decimal)
            return
        days = text.days
        if days is not None:
            n = int(np.count_nonzero(days == days))
            self._count(n, n, n, 0)
            return
        self._look(text, format, truths)

    def _look(self, text: Text, format: Format, truths: Mapping[str, bool]) -> None:
        codes, labels = text.coded
        cells = np.bincount(codes[codes >= 0], minlength=len(labels))
        read = read_truth(truths)
        odd = np.zeros((3, len(labels)), dtype=bool)
        for i, label in enumerate(labels):
            begins = may_begin(label.lstrip())
            odd[:, i] = (
                read(label) is None,
                not begins or number_of(label, format.decimal) is None,
                not begins or day_of(label) is None,
            )
            if begins:
                self.forms.look(label, int(cells[i]), format.decimal)
        self._count(int(cells.sum()), *(int(cells[some].sum()) for some in odd))

    def _count(self, present: int, no_truths: int, no_numbers: int, no_dates: int) -> None:
        self.present += present
        self.no_truths += no_truths
        self.no_numbers += no_numbers
        self.no_dates += no_dates

    @property
    def counts(self) -> tuple[Any, ...]:
        """All that was counted, as plain values that a file can hold."""
        evidence = (self.forms.figures, self.forms.grouped, self.forms.dates)
        counted = tuple(tuple(counter.items()) for counter in evidence)
        return (self.present, self.no_truths, self.no_numbers, self.no_dates), counted, self.told

    def join(self, counts: tuple[Any, ...]) -> None:
        """Count what others have counted too."""
        cells, counted, told = counts
        self._count(*cells)
        evidence: tuple[Any, ...] = (self.forms.figures, self.forms.grouped, self.forms.dates)
        for counter, more in zip(evidence, counted, strict=True):
            for key, n in more:
                counter[tuple(key)] += n
        self.told = self.told or told

    def shown(self, format: Format, kind: Kind | None = None) -> Shown:
        """The first kind that all but a few cells fit, in its best form; or the best form of a given kind."""
        if not self.present:
            return Shown(kind or Kind.UNKNOWN)
        few = min(format.limit, FEW) * self.present
        ways = {Kind.BOOLEAN: self._truths, Kind.COUNT: self._numbers, Kind.DATE: self._dates}
        if kind is not None:  # nothing else can come out: the form that fits most cells
            few = float(self.present)
            ways = {kind: ways[Kind.DATE if kind is Kind.DATE else Kind.COUNT]}
        for one, way in ways.items():
            fitting = [found for found in way(few, format.decimal) if found[0] <= few]
            if fitting:
                return Shown(one, min(fitting, key=lambda found: found[0])[1])  # of equals the first: the usual one
        return Shown(kind or Kind.CATEGORICAL)

    def _truths(self, few: float, decimal: str) -> Iterator[tuple[int, str | None]]:
        yield self.no_truths, None

    def _numbers(self, few: float, decimal: str) -> Iterator[tuple[int, str | None]]:
        yield self.no_numbers, None
        yield from self.forms.numbers(self.present, few, decimal)

    def _dates(self, few: float, decimal: str) -> Iterator[tuple[int, str | None]]:
        yield self.no_dates, None
        yield from self.forms.days(self.present, few)

    def unclear(self, format: Format) -> tuple[str, ...]:
        """The forms that the cells fit without telling which it is."""
        if not self.present:
            return ()
        return self.forms.unclear(self.present, min(format.limit, FEW) * self.present, format.decimal)

    def instead(
        self, taken: Column | None, format: Format, declared: bool = False, labels: bool = False
    ) -> Shown | None:
        """The kind and form that all but a few cells fit, where they were taken for something else; else None.

        Of a `declared` kind only the form is found out; `labels` have no forms.
        """
        if not self.present or taken is None or taken.kind is Kind.UNKNOWN:
            return None
        if declared:
            found = self.shown(format, taken.kind) if taken.kind.storage is Storage.NUMBERS else Shown(taken.kind)
            return found if _apart(found.form, taken.form) else None
        kind = Kind.COUNT if taken.kind in (Kind.QUANTITATIVE, Kind.RATIO) else taken.kind
        found = self.shown(format)
        if labels and found.form is not None:
            found = Shown(Kind.CATEGORICAL)
        if found.kind is kind:
            return found if _apart(found.form, taken.form) else None
        odd = {Kind.BOOLEAN: self.no_truths, Kind.COUNT: self.no_numbers, Kind.DATE: self.no_dates}
        forgiven = odd.get(kind, self.present + 1) <= format.limit * self.present  # as the user has said
        return None if found.kind is Kind.CATEGORICAL and forgiven else found


def _apart(found: str | None, taken: str | None) -> bool:
    """Whether two forms are read in different ways."""
    return not (found == taken or (is_plain(found) and is_plain(taken)))


def _has_decimals(text: Text, floats: Array) -> bool:
    """Whether some plain number has a decimal point for sure: 0.5 and 1.25 do, 1.234 may be a thousand and more.

    Values tell most columns from few cells; where they leave it open, the texts are looked at.
    """
    for some in (floats[:PROBE], floats):
        size = np.abs(some)
        with np.errstate(invalid="ignore", over="ignore"):
            fraction = size != np.rint(size)
            thousandths = size * 1000.0
            open_ = (size >= 1.0) & (size < 1000.0) & (np.abs(thousandths - np.rint(thousandths)) < 1e-6)
            if bool((fraction & ~open_ & (size == size)).any()):
                return True
    return text.holds(b".eE") and not text.all_match(_UNTOLD)
