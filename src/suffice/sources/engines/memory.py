"""The memory source: a table in memory, its rows divided among threads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import pairwise
from numbers import Integral
from threading import Lock
from typing import Any, ClassVar, TypeVar

import numpy as np

from suffice.core.block import Array, Block, Coded, take
from suffice.core.errors import bad
from suffice.core.learner import Lift, Summarize
from suffice.core.schema import Schema
from suffice.core.summary import Summary
from suffice.numerics.blas_threads import one_thread_each
from suffice.numerics.loop import whole
from suffice.numerics.threads import in_threads, processors
from suffice.sources.tables.parts import refuse_strangers
from suffice.sources.tables.table import Table

PREDICTED = 16_384  # rows whose posterior is computed at a time, while they are in the cache
FEW, MANY = 1 << 12, 1 << 16  # cells of tables whose products one thread ends sooner than another wakes up
ALONE = 20_000  # rows below which one thread is faster than two

T = TypeVar("T")


@dataclass(frozen=True)
class MemorySource:
    """Rows of a table in memory.

    Parameters
    ----------
    table : the rows
    schema : the kinds of its columns, or those of the table that a model was trained on
    y : labels of the rows, or numbers to predict (n, t)
    w : weights of the rows
    threads : how many; None takes all processors this process may use
    note : what every block of a pass is shown to before it is summarized, such as what keeps a ledger

    >>> from suffice.core.shares import Shares
    >>> from suffice.core.tally import Tally
    >>> from suffice.sources.tables.table import open_table
    >>> table = open_table({"age": [31, 44, 25]})
    >>> source = MemorySource(table, table.infer())
    >>> count = lambda block: Tally.of(Shares.hard(np.zeros(block.n, dtype=np.int32), 1))
    >>> source.reduce(lambda schema: count, lift=None)[1].rows.tolist()
    [3]
    """

    table: Table
    schema: Schema
    y: Coded | Array | None = None
    w: Array | None = None
    threads: int | None = None
    note: Any = None

    rereadable: ClassVar[bool] = True
    settled: ClassVar[bool] = True  # its schema is that of all rows

    def __post_init__(self) -> None:
        """Refuse a number of threads that is none."""
        if self.threads is not None and not (isinstance(self.threads, Integral) and self.threads >= 1):
            raise bad(self, "threads", "a whole number of at least 1, or None", self.threads, "None takes all.")

    def read_as(self, schema: Schema) -> MemorySource:
        """The same rows, read with another schema."""
        return self if schema is self.schema else replace(self, schema=schema)

    def reduce(self, open: Callable[[Schema], Summarize], lift: Lift | None = None) -> tuple[Schema, Summary]:
        """Each thread folds the blocks of its own run of rows, then the runs' summaries are added in order."""
        step, summarize = self.table.at_once(self.schema), open(self.schema)
        if self.note is not None:
            self.note.begin()

        def fold(run: slice, go_on: Callable[[], bool]) -> Summary | None:
            total: Summary | None = None
            for rows in cut(run, step):
                if not go_on():
                    return None
                block = self.block(rows)
                refuse_strangers(self.schema, block.parts, rows.start)
                if self.note is not None:
                    self.note.add(self.schema, block)
                summary = summarize(block)
                total = summary if total is None else total + summary
            return total

        alone = getattr(summarize, "by_columns", False)  # it divides the columns by itself, as its summaries add slowly
        runs = [slice(0, self.table.n)] if alone else self._runs()
        parts = [part for part in self._in_threads(fold, runs) if part is not None]
        return self.schema, parts[0] if len(parts) == 1 else type(parts[0]).sum(parts)

    def map(self, predict: Callable[[Block], Array]) -> Array:
        """Predict block by block, into one array in the order of the rows."""
        n, step = self.table.n, self.table.at_once(self.schema)
        together = getattr(self.table, "together", False)  # rows that only somebody else can read
        blocks = cut(slice(0, n), step if step < n or together else PREDICTED)
        if len(blocks) == 1:
            (answer,) = self._in_threads(lambda rows, go_on: predict(self.block(rows)), blocks)
            return answer if hasattr(answer, "tocsr") else np.array(answer, order="C")  # of its own, as of many blocks
        out: list[Array] = []  # one array, once the first block has shown its shape
        sparse: dict[int, Any] = {}  # blocks of sparse answers
        lock = Lock()

        def fill(rows: slice, go_on: Callable[[], bool]) -> None:
            if not go_on():
                return
            answer = predict(self.block(rows))
            if hasattr(answer, "tocsr"):
                sparse[rows.start] = answer
                return
            with lock:
                if not out:
                    out.append(np.empty((n, *answer.shape[1:]), dtype=answer.dtype))
            out[0][rows] = answer

        self._in_threads(fill, blocks)
        if sparse:
            from scipy.sparse import vstack

            stacked: Array = vstack([sparse[rows.start] for rows in blocks], format="csr")
            return stacked
        return out[0]

    def block(self, rows: slice) -> Block:
        """Some rows."""
        y = None if self.y is None else take(self.y, rows)
        w = None if self.w is None else self.w[rows]
        return Block(self.table.parts(self.schema, rows), y, w, rows.start)

    def _runs(self) -> list[slice]:
        """Equal runs of rows, one a thread."""
        threads = 1 if self.table.n < ALONE else min(self._threads, self.table.n, max(self._cells // self._kept, 1))
        if threads == 1:
            return [slice(0, self.table.n)]
        edges = np.linspace(0, self.table.n, threads + 1).astype(int).tolist()
        return [slice(a, b) for a, b in pairwise(edges)]

    @property
    def _threads(self) -> int:
        return processors() if self.threads is None else int(self.threads)

    @property
    def _kept(self) -> int:
        """Cells from which a thread earns the summary it fills: one number a class and column, met sixteen times."""
        columns = getattr(getattr(self.table, "X", None), "shape", (0, len(self.schema.columns)))[1]
        return 16 * max(columns, 1) * (max(len(self.y.labels[0]), 1) if isinstance(self.y, Coded) else 1)

    @property
    def _cells(self) -> int:
        """Cells of the whole table: what decides whether loops are compiled."""
        stored = getattr(getattr(self.table, "X", None), "nnz", None)
        return int(stored) if stored is not None else self.table.n * max(len(self.schema.columns), 1)

    def _in_threads(self, work: Callable[[slice, Callable[[], bool]], T], items: Sequence[slice]) -> list[T]:
        """Work on each item; what it does is part of a table that may be worth a loop."""

        def one(item: slice, go_on: Callable[[], bool]) -> T:
            with whole(cells, idle=max(threads - len(items), 0)):
                return work(item, go_on)

        cells = self._cells
        if len(items) == 1 and cells < FEW:  # not worth another thread
            with whole(cells):
                return [work(items[0], _always)]
        threads = 1 if len(items) == 1 and cells < MANY else self._threads
        alone = (len(items) == 1 or threads == 1) and not FEW <= cells < MANY
        with nullcontext() if alone else one_thread_each():
            return in_threads(one, items, threads)


def cut(run: slice, step: int) -> list[slice]:
    """A run of rows as blocks of at most `step`; no rows are one empty block."""
    return [slice(a, min(a + step, run.stop)) for a in range(run.start, max(run.stop, run.start + 1), step)]


def _always() -> bool:
    return True
