"""How the numbers and dates of a column are written in files, each form named by an example of it.

Digits alone may stand beside any sign of decimals, a number without thousands signs beside one with them. A sign of
percent or of a currency is on all cells of a column or on none, and two orders of days and months are never mixed.
"""

from __future__ import annotations

DIGITS = "1234"
POINT, COMMA = "1234.5", "1234,5"  # numbers without thousands signs, by their decimal sign
GROUPED = {".": "1,234.5", ",": "1.234,5"}  # numbers with thousands signs, by their decimal sign; a unit may follow
PLAIN = {".": POINT, ",": COMMA}
PERCENT = "%"
SIGNS = "$€£¥₹₩₽₺₴₪"
CODES = ("EUR", "USD", "GBP", "CHF", "JPY", "CNY", "INR", "CAD", "AUD", "NZD", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF",
         "RON", "BRL", "MXN", "ZAR", "KRW", "TRY", "SGD", "HKD")  # fmt: skip
FIGURES = {  # the forms with thousands signs -> decimal sign and unit
    f"{form} {unit}".rstrip(): (sign, unit) for sign, form in GROUPED.items() for unit in ("", PERCENT, *SIGNS, *CODES)
}
DATES = ("DD.MM.YYYY", "DD/MM/YYYY", "MM/DD/YYYY")
ISO = "YYYY-MM-DD"

_ABOVE = {
    DIGITS: (POINT, COMMA, *GROUPED.values()),
    POINT: (GROUPED["."],),
    COMMA: (GROUPED[","],),
}  # the other forms that read all that a form does, with the same values, nearest first


def is_number_form(form: str) -> bool:
    """Whether a name is that of a form of numbers."""
    return form in (DIGITS, POINT, COMMA) or form in FIGURES


def is_date_form(form: str) -> bool:
    """Whether a name is that of a form of dates."""
    return form == ISO or form in DATES


def is_plain(form: str | None) -> bool:
    """Whether a form is that of numbers and dates that need no other reading than the usual one."""
    return form in (None, DIGITS, POINT, COMMA, ISO)


def read_more(form: str) -> str:
    """The form in which more cells of such a column are read: a thousands sign may come late.

    >>> read_more("1234.5"), read_more("1234"), read_more("DD/MM/YYYY")
    ('1,234.5', '1234', 'DD/MM/YYYY')
    """
    return {POINT: GROUPED["."], COMMA: GROUPED[","]}.get(form, form)


def join_forms(a: str | None, b: str | None) -> str | None:
    """The least form that reads what both do, None for tables of no files; ValueError if there is none.

    >>> join_forms("1234", "1,234.5"), join_forms(None, "1.234,5 EUR")
    ('1,234.5', '1.234,5 EUR')
    """
    if a is None or b is None or a == b:
        return b if a is None else a
    shared = {b, *_ABOVE.get(b, ())}
    found = next((form for form in (a, *_ABOVE.get(a, ())) if form in shared), None)
    if found is None:
        raise ValueError(f"{a} in one and {b} in another")
    return found
