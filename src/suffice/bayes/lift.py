"""Lifting a summary to a joined schema: columns that one shard never saw a cell of come in empty."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from suffice.core.block import Coded, Words
from suffice.core.by_class import ByClass
from suffice.core.kinds import Storage
from suffice.core.schema import Schema
from suffice.core.shares import Shares
from suffice.core.summary import Together
from suffice.families.product import Product


def lift(summary: ByClass, old: Schema, new: Schema, product: Product) -> ByClass:
    """The same rows, over the parts of a schema that knows at least as much."""
    if old.parts == new.parts:
        return summary
    assert isinstance(summary.summary, Together)
    nobody = Shares.hard(np.zeros(0, dtype=np.int32), len(summary.labels))
    empty = product.summarize([_EMPTY[storage](len(places)) for storage, places in new.parts], nobody)
    parts: list[Any] = list(empty.parts)
    for (storage, had), part in zip(old.parts, summary.summary.parts, strict=True):
        at = next(at for at, (kept, places) in enumerate(new.parts) if kept is storage and set(had) <= set(places))
        places = new.parts[at][1]
        parts[at] = part if had == places else _among(part, [places.index(i) for i in had], len(places))
    return ByClass(summary.labels, summary.tally, Together(tuple(parts)))


def _among(part: Any, places: list[int], d: int) -> Any:
    """The summary of some columns, at their places among more."""
    return part.among(places, d)


_EMPTY: Mapping[Storage, Any] = {  # parts without rows
    Storage.NUMBERS: lambda columns: np.zeros((0, columns)),
    Storage.SYMBOLS: lambda columns: Coded(np.zeros((0, columns), dtype=np.int32), ((),) * columns),
    Storage.WORDS: lambda columns: Words(np.zeros((0, 0)), ()),
}
