"""The rows of a source to learn from and those left out, split by split."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array, Block, Coded, take
from suffice.core.errors import NotASummary, Said, refusal
from suffice.core.folds import DrawnFolds
from suffice.core.learner import Always, Source, learn
from suffice.core.summary import Index, Summary
from suffice.estimators.boundary.table_rows import take_rows
from suffice.estimators.folds.fold_models import read_folds, read_splits
from suffice.estimators.state.origin import label_array
from suffice.sources.engines.memory import MemorySource
from suffice.sources.engines.wrapped_sources import SomeFolds
from suffice.sources.tables.table import Table, open_table


class SourceSplit(NamedTuple):
    """Rows to learn from and rows to test with."""

    learned: Source
    held: Source
    tested: Array | None = None  # the numbers of the rows to test with, where they are in memory


def parts_of(owner: str, source: Source, cv: Any, groups: Any = None) -> Iterator[SourceSplit]:
    """The splits of a source: copies of rows in memory, others picked out anew in each pass."""
    if not isinstance(source, MemorySource):
        K = read_folds(owner, cv)
        draw = partial(DrawnFolds, K)
        for k in range(K):
            yield SourceSplit(
                SomeFolds(source, draw, frozenset(range(K)) - {k}), SomeFolds(source, draw, frozenset({k}))
            )
        return
    classes = isinstance(source.y, Coded)
    y = source.y if classes or source.y is None else np.asarray(source.y)
    for train, test in read_splits(owner, cv, y, source.table.n, groups, classes=classes).pairs:
        yield SourceSplit(_some(source, train), _some(source, test), test)


def _some(source: MemorySource, rows: Array) -> MemorySource:
    y, w = None if source.y is None else take(source.y, rows), None if source.w is None else source.w[rows]
    return replace(source, table=_rows_of(source.table, rows), y=y, w=w)


def _rows_of(table: Any, rows: Array) -> Table:
    """Some rows of a table, opened as it was."""
    name = next(name for name in ("X", "frame", "cells") if hasattr(table, name))
    found = getattr(table, name)
    if name == "frame":
        return open_table(take_rows(found.to_native(), rows), table.analyzer)
    some: Table = replace(table, **{name: take_rows(found, rows)})
    return some


@dataclass(frozen=True)
class _Truth(Summary):
    """Labels and weights, one after the other."""

    labels: list[Any]
    w: Array | None

    @classmethod
    def sum(cls, parts: Sequence[_Truth]) -> _Truth:
        w = None if parts[0].w is None else np.concatenate([np.asarray(part.w) for part in parts])
        return cls([label for part in parts for label in part.labels], w)

    def __sub__(self, other: _Truth) -> _Truth:
        raise refusal(
            NotASummary, self, "labels", "added", Said("labels to take away"), "Gather the others.", "must only be"
        )

    def scale(self, factor: float) -> _Truth:
        return self

    def spread(self, index: Index, K: int) -> _Truth:
        return self


class _Truths:
    """Keeps the labels of rows."""

    def summarize(self, block: Block, model: None = None) -> _Truth:
        assert isinstance(block.y, Coded)
        labels = block.y.labels[0]
        return _Truth([labels[code] for code in block.y.codes[:, 0].tolist()], block.w)


def truth_of(source: Source) -> tuple[Array, Array | None]:
    """The labels and weights of all rows, in their order."""
    if isinstance(source, MemorySource):
        assert isinstance(source.y, Coded)
        return label_array(source.y.labels[0])[source.y.codes[:, 0]], source.w
    found = learn(Always(_Truths()), source).summary
    return label_array(found.labels), found.w
