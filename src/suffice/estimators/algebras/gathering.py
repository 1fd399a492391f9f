"""All rows of a source as a table in memory: a summary that keeps everything. No scikit-learn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array, Block, Coded
from suffice.core.errors import NotASummary, Said, bad, refusal
from suffice.core.kinds import Storage
from suffice.core.learner import Always, Source, learn
from suffice.core.summary import Index, Summary
from suffice.sources.engines.memory import MemorySource
from suffice.sources.tables.grid import Grid


@dataclass(frozen=True)
class Gathered(Summary):
    """Rows as they are; adding puts them one after the other."""

    X: Array  # (n, d) numbers
    y: Any  # labels as a list, numbers (n, t), or None
    w: Array | None

    @classmethod
    def of(cls, block: Block) -> Gathered:
        """The rows of a block whose features are all numbers."""
        y: Any = block.y
        if isinstance(y, Coded):
            y = [y.labels[0][code] for code in y.codes[:, 0].tolist()]
        return cls(np.asarray(block.parts[0], dtype=np.float64), y, block.w)

    @classmethod
    def sum(cls, parts: Sequence[Gathered]) -> Gathered:
        """One after the other."""
        first = parts[0]
        y = first.y
        if isinstance(y, list):
            y = [label for part in parts for label in part.y]
        elif y is not None:
            y = np.concatenate([part.y for part in parts])
        w = None if first.w is None else np.concatenate([np.asarray(part.w) for part in parts])
        return cls(np.concatenate([part.X for part in parts]), y, w)

    def __sub__(self, other: Gathered) -> Gathered:
        """Rows are not looked for."""
        raise refusal(
            NotASummary, self, "rows", "added", Said("rows to take away"), "Gather the others.", "must only be"
        )

    def scale(self, factor: float) -> Gathered:
        """Every row weighs so many times as much."""
        w = np.ones(len(self.X)) if self.w is None else self.w
        return Gathered(self.X, self.y, factor * w)

    def spread(self, index: Index, K: int) -> Gathered:
        """There is one component."""
        return self


class Gather:
    """Keeps everything."""

    def summarize(self, block: Block, model: None = None) -> Gathered:
        """The rows."""
        return Gathered.of(block)

    def estimate(self, summary: Gathered, model: None = None) -> None:
        """Nothing is estimated."""


def gathered(owner: str, source: Source, threads: int | None) -> MemorySource:
    """All rows of a source whose features are numbers."""
    from suffice.sources.tables.labels import code_labels

    schema, rows = learn(Always(Gather()), source)
    odd = [c for c in schema.features if c.kind.storage is not Storage.NUMBERS]
    if odd:
        what = Said(f"{odd[0].name!r}, which is {odd[0].kind.value}")
        raise bad(owner, "the features", "columns of numbers", what, "Leave the column out.")
    y = code_labels(rows.y) if isinstance(rows.y, list) else rows.y
    return MemorySource(Grid(np.ascontiguousarray(rows.X)), schema, y, rows.w, threads)
