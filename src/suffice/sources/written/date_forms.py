"""Dates as people write them: day, month and year between points, or between slashes in either order."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable
from functools import cache

from suffice.core.written_forms import DATES, ISO
from suffice.sources.written.written_cells import day_of

_DATE = re.compile(
    r"([0-9]{1,2})([./])([0-9]{1,2})\2([0-9]{4})([T ][0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?)?"
)
POINTS, DAY_FIRST, MONTH_FIRST = DATES


def date_forms(text: str) -> tuple[str, ...]:
    """The forms by which a text is a date.

    >>> date_forms("31.12.2024"), date_forms("31/12/2024"), date_forms("1/2/2024"), date_forms("2024-01-31")
    (('DD.MM.YYYY',), ('DD/MM/YYYY',), ('DD/MM/YYYY', 'MM/DD/YYYY'), ())
    """
    found = _DATE.fullmatch(text.strip())
    if found is None:
        return ()
    forms = (POINTS,) if found[2] == "." else (DAY_FIRST, MONTH_FIRST)
    return tuple(form for form in forms if date_reader(form)(text) is not None)


@cache
def date_reader(form: str) -> Callable[[str], float | None]:
    """Reads dates of a form as days since 1970.

    >>> date_reader("DD.MM.YYYY")("2.1.1970"), date_reader("MM/DD/YYYY")("1/2/1970 12:00")
    (1.0, 1.5)
    """
    if form == ISO:
        return day_of
    between = "." if form == POINTS else "/"

    def read(text: str) -> float | None:
        found = _DATE.fullmatch(text.strip())
        if found is None or found[2] != between:
            return None
        day, month = (found[3], found[1]) if form == MONTH_FIRST else (found[1], found[3])
        hour, _, rest = (found[5] or " 0:00")[1:].partition(":")
        try:
            datetime.date(int(found[4]), int(month), int(day))
        except ValueError:  # such as February 30
            return None
        return day_of(f"{found[4]}-{int(month):02}-{int(day):02}T{int(hour):02}:{rest}")

    return read
