"""The memory source: a table in memory, its rows divided among threads."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from suffice.core.block import Array, Block, Coded
from suffice.core.loop import whole
from suffice.core.schema import Schema
from suffice.core.summary import Summary
from suffice.sources.table import Frame, Table

CONVERTED = 65_536  # rows of a table library that are converted at a time
PREDICTED = 8_192  # rows whose posterior is computed at a time, while they are in the cache
ALONE = 20_000  # rows below which one thread is faster than two

T = TypeVar("T")


@dataclass(frozen=True)
class MemorySource:
    """Rows of a table in memory; an engine with `reduce` and `map`."""

    table: Table
    schema: Schema
    y: Coded | None = None
    w: Array | None = None
    threads: int | None = None

    def reduce(self, summarize: Callable[[Block], Summary]) -> Summary:
        """Each thread folds the blocks of its own rows, then the threads' summaries are added."""
        step = CONVERTED if isinstance(self.table, Frame) else max(self.table.n, 1)

        def fold(rows: slice) -> Summary:
            total: Summary | None = None
            for start in range(rows.start, max(rows.stop, rows.start + 1), step):
                summary = summarize(self.block(slice(start, min(start + step, rows.stop))))
                total = summary if total is None else total + summary
            assert total is not None
            return total

        parts = self._in_threads(fold, self._shares())
        return parts[0] if len(parts) == 1 else type(parts[0]).sum(parts)

    def map(self, predict: Callable[[Block], Array]) -> Array:
        """Predict block by block, into one array."""
        blocks = [slice(a, min(a + PREDICTED, self.table.n)) for a in range(0, max(self.table.n, 1), PREDICTED)]
        with whole(self._cells):
            first = predict(self.block(blocks[0]))
        if len(blocks) == 1:
            return first
        out = np.empty((self.table.n, *first.shape[1:]), dtype=first.dtype)
        out[blocks[0]] = first

        def fill(rows: slice) -> None:
            out[rows] = predict(self.block(rows))

        self._in_threads(fill, blocks[1:])
        return out

    def block(self, rows: slice) -> Block:
        """Some rows."""
        y = None if self.y is None else Coded(self.y.codes[rows], self.y.labels)
        w = None if self.w is None else self.w[rows]
        return Block(self.table.parts(self.schema, rows), y, w, rows.start)

    def _shares(self) -> list[slice]:
        """Equal runs of rows, one a thread."""
        threads = 1 if self.table.n < ALONE else self._threads
        edges = np.linspace(0, self.table.n, threads + 1).astype(int).tolist()
        return [slice(a, b) for a, b in zip(edges[:-1], edges[1:], strict=True)]

    @property
    def _threads(self) -> int:
        return self.threads or len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

    def _in_threads(self, work: Callable[[Any], T], items: Sequence[Any]) -> list[T]:
        def sized(item: Any) -> T:
            with whole(self._cells):
                return work(item)

        if len(items) == 1 or self._threads == 1:
            return [sized(item) for item in items]
        with ThreadPoolExecutor(self._threads) as pool:
            return list(pool.map(sized, items))

    @property
    def _cells(self) -> int:
        """Cells of the whole table: what decides whether loops are compiled."""
        stored = getattr(getattr(self.table, "X", None), "nnz", None)
        return int(stored) if stored is not None else self.table.n * max(len(self.schema.columns), 1)
