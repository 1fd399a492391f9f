"""What the cells of a column say of how it is written: counts that add, so that the order of rows makes no difference.

A form holds for a column where all but a few cells fit it and some cell tells it from its rival: 3,50 has a decimal
comma, while 1,234 may be either; 13/01/2024 begins with a day, while 02/01/2024 may be either.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from suffice.core.written_forms import GROUPED
from suffice.sources.written.date_forms import DAY_FIRST, MONTH_FIRST, POINTS, date_forms
from suffice.sources.written.number_forms import FORM_OF, figure_of
from suffice.sources.written.written_cells import number_of

BARE = "bare"  # neither point nor comma
EITHER = {".": "either.", ",": "either,"}  # a point or a comma before three digits: a decimal or a thousands sign
ONLY = {".": "only.", ",": "only,"}  # this decimal sign and no other
RIVAL = {".": ",", ",": "."}

Fitting = tuple[int, str | None]  # cells that do not fit, and the form; None where the usual reading serves


@dataclass
class FormEvidence:
    """Cells by how they can be read.

    >>> evidence = FormEvidence()
    >>> evidence.look("3,50 EUR", 2, "."), evidence.look("1.200 EUR", 1, ".")
    (None, None)
    >>> list(evidence.numbers(3, 0.0, "."))
    [(0, '1.234,5 EUR')]
    """

    figures: Counter[tuple[str, str]] = field(default_factory=Counter)  # (unit, BARE | EITHER | ONLY) -> cells
    grouped: Counter[tuple[str, str]] = field(default_factory=Counter)  # (unit, decimal sign) -> with thousands signs
    dates: Counter[tuple[str, ...]] = field(default_factory=Counter)  # forms that read a cell -> cells

    def look(self, label: str, cells: int, decimal: str) -> None:
        """So many cells of one text."""
        figure = figure_of(label)
        if figure is None:
            if number_of(label, decimal) is not None:  # with an exponent
                self.figures["", ONLY[decimal]] += cells
            elif forms := date_forms(label):
                self.dates[forms] += cells
            return
        if figure.bare:
            way = BARE
        else:
            way = EITHER["." if "." in label else ","] if len(figure.signs) > 1 else ONLY[next(iter(figure.signs))]
        self.figures[figure.unit, way] += cells
        for sign in figure.signs if figure.grouped else ():
            self.grouped[figure.unit, sign] += cells

    def plain(self, cells: int, bare: bool, told: bool, decimal: str) -> None:
        """So many plain numbers: digits alone (`bare`), or some with a decimal sign for sure (`told`)."""
        way = BARE if bare else ONLY[decimal] if told else EITHER[decimal]
        self.figures["", way] += cells

    def numbers(self, present: int, few: float, decimal: str) -> Iterator[Fitting]:
        """The forms of numbers that hold."""
        for unit in dict.fromkeys(unit for unit, _ in self.figures):
            for sign in (".", ",") if decimal == "." else (",",):
                odd = present - self._fitting(unit, sign)
                if odd <= few and self._told(unit, sign, decimal):
                    usual = not unit and sign == decimal and not self.grouped[unit, sign]
                    yield odd, None if usual else FORM_OF[sign, unit]

    def _fitting(self, unit: str, sign: str) -> int:
        ways = (BARE, ONLY[sign], *EITHER.values())
        return sum(self.figures[unit, way] for way in ways)

    def _told(self, unit: str, sign: str, decimal: str) -> bool:
        """Whether some cell tells the decimal sign; or none holds another, and it is the one that was said."""
        mine, other = self.figures[unit, ONLY[sign]], self.figures[unit, ONLY[RIVAL[sign]]]
        if sign != decimal:
            return mine > 0 and (unit != "" or other == 0)
        unclear = self.figures[unit, EITHER[RIVAL[sign]]] + (self.figures[unit, EITHER[sign]] if unit else 0)
        return decimal == "," or mine > 0 or unclear == 0

    def days(self, present: int, few: float) -> Iterator[Fitting]:
        """The forms of dates that hold."""
        for form, told in ((POINTS, (POINTS,)), (DAY_FIRST, (DAY_FIRST,)), (MONTH_FIRST, (MONTH_FIRST,))):
            odd = present - sum(cells for forms, cells in self.dates.items() if form in forms)
            if odd <= few and self.dates[told]:
                yield odd, form

    def unclear(self, present: int, few: float, decimal: str) -> tuple[str, ...]:
        """The forms that all but a few cells fit and none of them tells apart."""
        both = DAY_FIRST, MONTH_FIRST
        slashed = {form: sum(cells for forms, cells in self.dates.items() if form in forms) for form in both}
        if all(present - cells <= few for cells in slashed.values()):
            return both
        if decimal == ",":
            return ()
        for unit in dict.fromkeys(unit for unit, _ in self.figures):
            if all(present - self._fitting(unit, sign) <= few for sign in GROUPED):
                return tuple(FORM_OF[sign, unit] for sign in GROUPED)
        return ()
