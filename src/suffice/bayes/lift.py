"""Lifting a summary to a joined schema: columns that one shard never saw a cell of come in empty."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.bayes.learner import Bayes
from suffice.core.block import Coded, Words
from suffice.core.by_class import ByClass
from suffice.core.kinds import Storage
from suffice.core.schema import Schema
from suffice.core.shares import Shares
from suffice.core.summary import Together


def lift(summary: ByClass, old: Schema, new: Schema, learner: Bayes) -> ByClass:
    """The same rows, over the parts of a schema that knows at least as much."""
    if old.parts == new.parts:
        return summary
    assert isinstance(summary.summary, Together)
    K = len(summary.labels)
    nobody = Shares.hard(np.zeros(0, dtype=np.int32), K)
    empty = learner.product.summarize([_no_rows(storage, len(places)) for storage, places in new.parts], nobody)
    parts = list(empty.parts)
    for at, (storage, places) in enumerate(new.parts):
        for (known, had), part in zip(old.parts, summary.summary.parts, strict=True):
            if known is storage and set(had) <= set(places):
                parts[at] = part if had == places else part.among([places.index(i) for i in had], len(places))  # type: ignore[attr-defined]
    return ByClass(summary.labels, summary.tally, Together(tuple(parts)))


def _no_rows(storage: Storage, columns: int) -> Any:
    """A part without rows."""
    if storage is Storage.WORDS:
        return Words(np.zeros((0, 0)), ())
    if storage is Storage.SYMBOLS:
        return Coded(np.zeros((0, columns), dtype=np.int32), ((),) * columns)
    return np.zeros((0, columns))
