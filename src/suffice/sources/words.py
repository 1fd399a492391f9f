"""Documents as counts of words over the block's own vocabulary."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from suffice.core.block import Words
from suffice.core.errors import BadInput


def count_documents(documents: Iterable[Any], analyzer: Callable[[str], list[str]]) -> Words:
    """Analyze each document and count its words; a missing document is marked."""
    from scipy.sparse import csr_array

    place: dict[str, int] = {}
    columns: list[int] = []
    ends, missing = [0], []
    for row, document in enumerate(documents):
        absent = document is None or document != document
        missing.append(absent)
        if not absent:
            columns.extend(place.setdefault(word, len(place)) for word in analyzer(_text(document, row)))
        ends.append(len(columns))
    counts = csr_array((np.ones(len(columns)), columns, ends), shape=(len(missing), len(place)))
    counts.sum_duplicates()
    return Words(counts, tuple(place), np.array(missing) if any(missing) else None)


def _text(document: Any, row: int) -> str:
    if not isinstance(document, str):
        raise BadInput(
            f"X: a text must be a string or missing, got {type(document).__name__} in row {row} of its block. "
            "Convert the column or declare another kind."
        )
    return document
