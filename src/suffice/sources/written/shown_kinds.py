"""What all cells of a written column show, wherever the odd ones stand, and hints where most of them are numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.kinds import Kind
from suffice.core.phrases import Phrase, Setting
from suffice.sources.files.text_format import Format
from suffice.sources.written.convert import FEW, read_truth
from suffice.sources.written.written_cells import Text, day_of, number_of

MOSTLY = 0.5  # share of numbers from which a column of text is remarked upon


def hint(name: Any, text: Text, format: Format) -> Phrase | None:
    """A remark about a column that is taken as text although most of its cells are numbers; None if they are not."""
    codes, labels = text.coded
    cells = np.bincount(codes[codes >= 0], minlength=len(labels))
    other = "," if format.decimal == "." else "."
    passing = "pass ", Setting("", decimal=other)
    for decimal, remedy in ((format.decimal, ("declare its kind",)), (other, passing)):
        numbers = np.array([number_of(label, decimal) is not None for label in labels])
        share = cells[numbers].sum() / cells.sum()
        if share >= MOSTLY:
            told = f"Column {name!r} is taken as text, though {share:.0%} of its cells are numbers; "
            return Phrase(told, *remedy, " if it is not")
    return None


LABEL_TRUTH = {"true": True, "false": False}  # what is a truth value where it is a label
_BEGINS = frozenset("0123456789+-.,")  # numbers and dates do


@dataclass
class ShownKinds:
    """How many cells are there, and how many of them are no truth values, no numbers and no dates."""

    present: int = 0
    no_truths: int = 0
    no_numbers: int = 0
    no_dates: int = 0

    def add(self, text: Text, format: Format, truths: Mapping[str, bool]) -> None:
        """Some more cells; columns that are converted whole need no closer look."""
        floats = text.floats
        if floats is not None:
            n = int(np.count_nonzero(floats == floats))
            self._count(n, n, 0, n)
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
            begins = label.lstrip()[:1] in _BEGINS
            odd[:, i] = (
                read(label) is None,
                not begins or number_of(label, format.decimal) is None,
                not begins or day_of(label) is None,
            )
        self._count(int(cells.sum()), *(int(cells[some].sum()) for some in odd))

    def _count(self, present: int, no_truths: int, no_numbers: int, no_dates: int) -> None:
        self.present += present
        self.no_truths += no_truths
        self.no_numbers += no_numbers
        self.no_dates += no_dates

    def instead(self, taken: Kind | None, limit: float) -> Kind | None:
        """The kind that all but a few cells fit, where it is another than they were taken for; else None."""
        if not self.present or taken is None or taken is Kind.UNKNOWN:
            return None
        taken = Kind.COUNT if taken in (Kind.QUANTITATIVE, Kind.RATIO) else taken
        odd = {Kind.BOOLEAN: self.no_truths, Kind.COUNT: self.no_numbers, Kind.DATE: self.no_dates}
        few = min(limit, FEW) * self.present
        shown = next((kind for kind, cells in odd.items() if cells <= few), Kind.CATEGORICAL)
        forgiven = odd.get(taken, self.present + 1) <= limit * self.present  # as the user has said
        return None if shown is taken or (shown is Kind.CATEGORICAL and forgiven) else shown
