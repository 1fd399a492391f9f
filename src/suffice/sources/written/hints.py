"""Hints about columns of text that are nearly numbers, as a misplaced word or a decimal comma makes them."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.phrases import Phrase, Setting
from suffice.sources.files.text_format import Format
from suffice.sources.written.written_cells import Text, number_of

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
