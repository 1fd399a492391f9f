"""Numbers as people write them: thousands signs, a decimal comma, a sign of percent or of a currency."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from suffice.core.written_forms import CODES, FIGURES, PERCENT, SIGNS
from suffice.sources.written.written_cells import number_of

_CURRENCY = f"[{SIGNS}]|{'|'.join(CODES)}"
_CELL = re.compile(
    rf"(?P<sign>[+-]?)(?:(?P<before>{_CURRENCY})\s?(?P<inner>[+-]?))?"
    rf"(?P<body>[0-9.,]*[0-9][0-9.,]*)(?:\s?(?P<after>{_CURRENCY}|%))?"
)
_BODY = {
    ".": re.compile(r"(?:[0-9]+|[1-9][0-9]{0,2}(?:,[0-9]{3})+)(?:\.[0-9]*)?|\.[0-9]+"),
    ",": re.compile(r"(?:[0-9]+|[1-9][0-9]{0,2}(?:\.[0-9]{3})+)(?:,[0-9]*)?|,[0-9]+"),
}
_GROUP = {".": ",", ",": "."}
_WHOLE = re.compile(r"[0-9]+|[1-9][0-9]{0,2}(?:,[0-9]{3})+|[1-9][0-9]{0,2}(?:\.[0-9]{3})+")
_BEGINS, _CODES = frozenset("0123456789+-.," + SIGNS), frozenset(CODES)


def may_begin(text: str) -> bool:
    """Whether a number or a date may begin so: all others need no closer look."""
    return text[:1] in _BEGINS or text[:3] in _CODES


class Figure(NamedTuple):
    """A text that is a number with either decimal sign, or with one of them."""

    unit: str  # "" where there is none
    signs: frozenset[str]  # decimal signs that it can be read with
    bare: bool  # whether it holds neither point nor comma, so that all of them say the same
    grouped: bool  # whether it holds a thousands sign, by one of them


class _Taken(NamedTuple):
    sign: str
    body: str
    unit: str


def _taken(text: str) -> _Taken | None:
    """Sign, digits and unit of a text."""
    found = _CELL.fullmatch(text.strip())
    if found is None:
        return None
    sign, before, inner, body, after = found.group("sign", "before", "inner", "body", "after")
    if (before and after) or (sign and inner):
        return None
    return _Taken(sign or inner or "", body, before or after or "")


def figure_of(text: str) -> Figure | None:
    """How a text can be read as a number; None if it cannot.

    >>> figure_of("$1,234").signs == {".", ","}, figure_of("3,50 EUR").signs == {","}, figure_of("1,23.4")
    (True, True, None)
    """
    taken = _taken(text)
    if taken is None:
        return None
    body = taken.body
    signs = frozenset(sign for sign, body_of in _BODY.items() if body_of.fullmatch(body))
    if not signs:
        return None
    grouped = any(_GROUP[sign] in body for sign in signs)
    return Figure(taken.unit, signs, "," not in body and "." not in body, grouped)


@cache
def figure_reader(form: str) -> Callable[[str], float | None]:
    """Reads numbers of a form; a percentage is the share that it is.

    >>> figure_reader("1.234,5")("1.234,5"), figure_reader("1,234.5 %")("12 %"), figure_reader("1,234.5 $")("3.50")
    (1234.5, 0.12, None)
    """
    sign, unit = FIGURES[form]

    def read(text: str) -> float | None:
        plain = None if unit else number_of(text, sign)
        if plain is not None:
            return plain
        taken = _taken(text)
        if taken is None or taken.unit != unit or not _BODY[sign].fullmatch(taken.body):
            return None
        digits = taken.body.replace(_GROUP[sign], "").replace(",", ".")
        value = float(f"{taken.sign}{digits}{'e-2' if unit == PERCENT else ''}")
        return value if math.isfinite(value) else None

    return read


def is_whole_figure(text: str) -> bool:
    """Whether a text is a whole number of at least 0, with or without thousands signs."""
    return _WHOLE.fullmatch(text.strip()) is not None


FORM_OF = {reading: form for form, reading in FIGURES.items()}  # decimal sign and unit -> form
