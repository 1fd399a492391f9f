"""Hints about columns of text that are nearly numbers, as a misplaced word or a decimal comma makes them."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.sources.format import Format
from suffice.sources.written import Text, number_of

MOSTLY = 0.5  # share of numbers from which a column of text is remarked upon


def hint(name: Any, text: Text, format: Format) -> str | None:
    """A remark about a column that is taken as text although most of its cells are numbers; None if they are not."""
    codes, labels = text.coded
    cells = np.bincount(codes[codes >= 0], minlength=len(labels))
    for decimal, remedy in ((format.decimal, "declare its kind"), (_other(format), f"pass decimal={_other(format)!r}")):
        numbers = np.array([number_of(label, decimal) is not None for label in labels])
        share = cells[numbers].sum() / cells.sum()
        if share >= MOSTLY:
            return (
                f"column {name!r} is taken as text, though {share:.0%} of its cells are numbers; {remedy} if it is not"
            )
    return None


def _other(format: Format) -> str:
    return "," if format.decimal == "." else "."
