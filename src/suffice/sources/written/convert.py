"""Written columns become numbers and symbols: which kind they show, and how the cells of each kind are read.

A kind holds for a column where all but a few of the present cells fit it, whether the odd ones come first or last; so a
stray word makes no difference to what a column of numbers is, and how a file is cut into blocks does not either. What
does not fit is bad: it is counted and taken as missing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.kinds import Kind
from suffice.core.schema import Column
from suffice.core.written_forms import DIGITS, GROUPED, ISO, PLAIN, is_plain
from suffice.sources.files.read_report import Strange
from suffice.sources.files.text_format import Format
from suffice.sources.tables.symbols import Symbols
from suffice.sources.written.date_forms import date_reader
from suffice.sources.written.number_forms import figure_reader, is_whole_figure
from suffice.sources.written.written_cells import DECLARED_TRUTH, TRUTH, Text, is_whole, number_of

FEW = 0.01  # share of the first present cells of a column that may not fit its kind, if the format forgives as much
Read = Callable[[str], Any]  # a text's value, None if it has none


class Converted(NamedTuple):
    """A column as one kind."""

    kind: Kind  # what its cells show; unknown where all are missing
    missing: int
    strange: Strange | None = None
    numbers: Array | None = None  # (n,), NaN where missing or bad
    symbols: Symbols | None = None  # codes (n,), -1 where missing or bad, and labels
    written: tuple[tuple[str, ...], tuple[str, ...]] | None = None  # the texts of False and True
    form: str | None = None  # how numbers and dates are written


def fits(text: Text, read: Read, format: Format) -> bool:
    """Whether all but a few of the present cells can be read so."""
    codes, labels = text.coded
    cells = np.bincount(codes[codes >= 0], minlength=len(labels))
    strange = np.array([read(label) is None for label in labels])
    return bool(cells[strange].sum() <= min(format.limit, FEW) * cells.sum())


def convert(text: Text, column: Column, format: Format, declared: bool = False) -> Converted:
    """The cells of a column of that kind; a declared Boolean may be written in more ways."""
    return _CONVERT[column.kind](text, column, format, declared)


def _numbers(text: Text, column: Column, format: Format, declared: bool) -> Converted:
    form = column.form
    usual = is_plain(form)
    fast = text.floats if usual or form == GROUPED[format.decimal] else None  # of plain numbers both say the same
    if fast is not None:
        kind = Kind.COUNT if column.kind is Kind.COUNT and text.digits else Kind.QUANTITATIVE
        missing = text.n - int(np.count_nonzero(fast == fast))  # NaN differs from itself
        return Converted(kind, missing, numbers=fast, form=_plain(kind, format))
    plain = _number(format)
    read = plain if form is None or usual else figure_reader(form)
    found = _table_of_numbers(text, read)
    present = [label for label in text.coded[1] if read(label) is not None]
    if not present:
        return found
    whole = column.kind is Kind.COUNT and all(map(is_whole if usual else is_whole_figure, present))
    kind = Kind.COUNT if whole else Kind.QUANTITATIVE
    shows = not usual and (form != GROUPED[format.decimal] or any(plain(label) is None for label in present))
    return found._replace(kind=kind, form=form if shows else _plain(kind, format))


def _plain(kind: Kind, format: Format) -> str:
    """The form of plain numbers."""
    return DIGITS if kind is Kind.COUNT else PLAIN[format.decimal]


def _dates(text: Text, column: Column, format: Format, declared: bool) -> Converted:
    form = column.form or ISO
    fast = text.days if form == ISO else None
    if fast is not None:
        return Converted(Kind.DATE, int(np.isnan(fast).sum()), numbers=fast, form=form)
    found = _table_of_numbers(text, date_reader(form))
    some = found.numbers is not None and not np.isnan(found.numbers).all()
    return found._replace(kind=Kind.DATE, form=form) if some else found


def _table_of_numbers(text: Text, read: Read) -> Converted:
    """Each distinct text is read once."""
    codes, labels = text.coded
    values = [read(label) for label in labels]
    table = np.array([*(np.nan if value is None else value for value in values), np.nan])  # code -1 finds the last
    return Converted(Kind.UNKNOWN, int((codes < 0).sum()), strange_cells(codes, labels, values), numbers=table[codes])


def _truths(text: Text, column: Column, format: Format, declared: bool) -> Converted:
    read = read_truth(DECLARED_TRUTH if declared else TRUTH)
    found = _table_of_symbols(text, Kind.BOOLEAN, read)
    if declared:
        return found
    false, true = (tuple(sorted(label for label in text.coded[1] if read(label) is value)) for value in (False, True))
    return found._replace(written=(false, true))


def _ordinals(text: Text, column: Column, format: Format, declared: bool) -> Converted:
    """Values of the order are known by how they are written; without an order, any text is one."""
    if column.order is None:
        return _symbols(text, column, format, declared)._replace(kind=Kind.ORDINAL)
    return _table_of_symbols(text, Kind.ORDINAL, read_value(column.order, format))


def _table_of_symbols(text: Text, kind: Kind, read: Read) -> Converted:
    codes, labels = text.coded
    values = [read(label) for label in labels]
    symbols = relabel(codes, values)
    found = kind if symbols[1] else Kind.UNKNOWN
    return Converted(found, int((codes < 0).sum()), strange_cells(codes, labels, values), symbols=symbols)


def relabel(codes: Array, values: Sequence[Any]) -> Symbols:
    """Symbols whose labels are replaced by values: equal ones become one label, None becomes missing."""
    place = {value: i for i, value in enumerate(dict.fromkeys(value for value in values if value is not None))}
    table = np.array([*(-1 if value is None else place[value] for value in values), -1], dtype=np.int32)
    return table[codes], list(place)  # code -1 finds the last


def _symbols(text: Text, column: Column, format: Format, declared: bool) -> Converted:
    codes, labels = text.coded
    kind = Kind.CATEGORICAL if labels else Kind.UNKNOWN
    return Converted(kind, int((codes < 0).sum()), symbols=(codes, labels))


def _unread(text: Text, column: Column, format: Format, declared: bool) -> Converted:
    """Texts are analyzed when they are summarized, identifiers never."""
    return Converted(column.kind if text.missing < text.n else Kind.UNKNOWN, text.missing)


def _unknown(text: Text, column: Column, format: Format, declared: bool) -> Converted:
    return Converted(Kind.UNKNOWN, text.n)


_CONVERT: Mapping[Kind, Callable[[Text, Column, Format, bool], Converted]] = {
    Kind.UNKNOWN: _unknown,
    Kind.BOOLEAN: _truths,
    Kind.ORDINAL: _ordinals,
    Kind.CATEGORICAL: _symbols,
    Kind.COUNT: _numbers,
    Kind.RATIO: _numbers,
    Kind.QUANTITATIVE: _numbers,
    Kind.DATE: _dates,
    Kind.TEXT: _unread,
    Kind.IDENTIFIER: _unread,
}


def _number(format: Format) -> Read:
    return lambda text: number_of(text, format.decimal)


def read_truth(words: Mapping[str, bool]) -> Read:
    """Reads truth values, whatever the case of their letters."""
    return lambda text: words.get(text.strip().lower())


def read_value(order: Sequence[Any], format: Format) -> Read:
    """Reads the values of an order: by their own text, or as numbers."""
    by_text = {str(value).strip(): value for value in order}
    by_number: dict[Any, Any] = {
        value: value for value in order if isinstance(value, (int, float)) and not isinstance(value, bool)
    }

    def read(text: str) -> Any:
        found = by_text.get(text.strip())
        return found if found is not None else by_number.get(number_of(text, format.decimal))

    return read


def strange_cells(codes: Array, labels: Sequence[str], values: Sequence[Any]) -> Strange | None:
    """The cells whose text has no value; None where all have."""
    odd = [code for code, value in enumerate(values) if value is None]
    rows = np.flatnonzero(np.isin(codes, odd)) if odd else codes[:0]
    if not len(rows):
        return None
    return Strange(len(rows), int(rows[0]), labels[codes[rows[0]]])
