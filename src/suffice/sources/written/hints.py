"""Remarks about how columns are written: nearly numbers, in other forms, or so that it is unclear."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from suffice.core.errors import Said, bad
from suffice.core.kinds import Kind, Storage
from suffice.core.phrases import Phrase, Setting
from suffice.core.schema import Column
from suffice.core.written_forms import is_date_form, is_plain
from suffice.sources.files.roles import absent
from suffice.sources.files.text_format import Format
from suffice.sources.written.shown_kinds import ShownKinds
from suffice.sources.written.written_cells import Text, number_of

MOSTLY = 0.5  # share of numbers from which a column of text is remarked upon


def hint(name: Any, text: Text, format: Format) -> Phrase | None:
    """A remark about a column that is taken as text although most of its cells are numbers; None if they are not."""
    codes, labels = text.coded
    if not labels:
        return None
    cells = np.bincount(codes[codes >= 0], minlength=len(labels))
    numbers = np.array([number_of(label, format.decimal) is not None for label in labels])
    share = cells[numbers].sum() / cells.sum()
    if share < MOSTLY:
        return None
    return Phrase(
        f"Column {name!r} is taken as text, though {share:.0%} of its cells are numbers; declare its kind if it is not"
    )


def forms_told(
    where: str,
    known: Mapping[Any, Column],
    declared: Collection[Any],
    shown: Mapping[Any, ShownKinds],
    format: Format,
) -> Iterator[str]:
    """What columns were read how, and which could be read in two ways; one of those that was declared is refused."""
    for name, column in known.items():
        if not is_plain(column.form):
            yield f"column {name!r} is read as {_what(column.form)} written {column.form}"
            continue
        forms = shown[name].unclear(format) if name in shown else ()
        if not forms or column.kind not in (Kind.CATEGORICAL, Kind.DATE):
            continue
        remedy = Setting("Format", written={name: forms[0]})
        if name not in declared:
            told = f"Column {name!r} is taken as text, as its cells may be {' or '.join(forms)}; say which, such as "
            yield Phrase(told, remedy)
        elif column.kind is Kind.DATE:
            got = Said(f"cells that may be {' or '.join(forms)}")
            raise bad(where, f"the dates of column {name!r}", "told apart", got, Phrase("Say which: ", remedy, "."))


def _what(form: str | None) -> str:
    return "dates" if form is not None and is_date_form(form) else "numbers"


def check_forms(where: str, names: Sequence[Any], written: Mapping[Any, str], declared: Mapping[Any, Column]) -> None:
    """Refuse forms of columns that are not there, or whose declared kind is another."""
    for name, form in written.items():
        if name not in names:
            raise absent(where, "the column of a form", name, names)
        kind = declared[name].kind if name in declared else None
        if kind is not None and (kind.storage is not Storage.NUMBERS or (kind is Kind.DATE) != is_date_form(form)):
            raise bad(
                where, f"the form of column {name!r}", f"that of its kind, {kind.value}", form, "Correct one of them."
            )
