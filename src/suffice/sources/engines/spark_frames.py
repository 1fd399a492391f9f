"""Data frames of Spark that are read in passes: rows are sent once, and kept by the workers that answered.

Turning rows into Arrow's batches takes longer than most passes. So the first pass goes over the data frame as it is,
and workers of Python keep the blocks that they make of it; Spark keeps where, with their answers. Only if a worker has
lost them, the first pass could not be finished, or executors have several workers, which take turns, are rows packed
and kept by Spark, as bytes, to be sent again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar
from weakref import finalize

from suffice.core.saving import bytes_value
from suffice.sources.engines.partition_tasks import SUM, UNKEPT
from suffice.sources.engines.partitioned_source import Progress, Worker
from suffice.sources.engines.read_partition import NamedTables
from suffice.sources.engines.sent_rows import TABLE, SentRows, joined, packed, unpacked
from suffice.sources.engines.spark_jobs import AnswerTree, collected, keep_loaded, limit_to_share, spark_job

NUMBER, ANSWER, ROWS = "number", "answer", "rows"  # names of columns
ANSWERED = f"{NUMBER} long, {ANSWER} binary, {ROWS} long"


@dataclass
class HeldFrames:
    """What Spark keeps for a fit in passes."""

    packed: Any = None  # rows as bytes, once they had to be sent again
    answered: Any = None  # the answers of a pass that had all rows, where the workers are that gave them

    def pack(self, frame: Any) -> None:
        """From now on rows are sent as bytes that Spark keeps, in memory or else on disk."""
        if self.packed is None:
            self.packed = frame.mapInArrow(packed, f"{TABLE} binary").persist()

    def note(self, answered: Any) -> None:
        """These answers are the last ones; those before are let go."""
        old, self.answered = self.answered, answered
        _let_go(old)

    def let_go(self) -> None:
        """Nothing is kept any longer."""
        _let_go(self.packed)
        _let_go(self.answered)


@dataclass(frozen=True)
class FrameInPasses:
    """The partitions of a data frame of plain columns, which workers keep from one pass to the next."""

    frame: Any
    sent: SentRows
    sums: AnswerTree = field(default_factory=AnswerTree)
    held: HeldFrames = field(default_factory=HeldFrames)

    engine: ClassVar[str] = "Spark"
    records: ClassVar[bool] = False
    ordered: ClassVar[bool] = False

    def __post_init__(self) -> None:
        """What is kept is let go with the partitions."""
        finalize(self, self.held.let_go)

    def each(self, work: Worker, task: bytes, firsts: Sequence[int | None] | None = None) -> list[bytes]:
        """What executors say of each partition."""
        with spark_job(self._context):
            return collected(self._sending(work, task).rdd)

    def tree(self, work: Worker, task: bytes, firsts: Sequence[int | None] | None, progress: Progress | None) -> bytes:
        """What workers say of what they have kept; where they have not, or not all, of rows that are sent."""
        if self.sent.may_be_kept:
            found = self._sum(self._asking(work, task), task, progress)
            if self.sent.were_kept(bytes_value(found)[0] != UNKEPT):
                return found
            self.held.pack(self.frame)
        answered = self._sending(work, task).persist()
        found = self._sum(answered, task, progress)
        summed = bytes_value(found)[0] == SUM
        self.sent.were_sent(summed)
        self.held.note(answered)
        if not summed:  # something has to be found out in the rows, before they are asked for again
            self.held.pack(self.frame)
        return found

    def _sum(self, answered: Any, task: bytes, progress: Progress | None) -> bytes:
        answers = answered.rdd
        parts = answers.getNumPartitions()
        with spark_job(self._context, progress, parts, parts):
            return self.sums.sum(task, answers, parts)

    def _sending(self, work: Worker, task: bytes) -> Any:
        rows = self.frame if self.held.packed is None else self.held.packed
        return rows.mapInArrow(partial(of_batches, work, task, self.sent.name, self.held.packed is not None), ANSWERED)

    def _asking(self, work: Worker, task: bytes) -> Any:
        where = self.held.answered.select(NUMBER, ROWS)  # Spark sends tasks to where these few bytes are
        return where.mapInArrow(partial(_of_kept, work, task, self.sent.name), ANSWERED)

    @property
    def _context(self) -> Any:
        return self.frame.sparkSession.sparkContext


def of_batches(work: Worker, task: bytes, name: str | None, is_packed: bool, batches: Iterator[Any]) -> Iterator[Any]:
    """On an executor: the answer to its partition, which comes batch by batch; kept under its name, if it has one."""
    from pyspark import TaskContext

    context = TaskContext.get()
    number = 0 if context is None else context.partitionId()
    met: list[int] = []
    tables = _counted(unpacked(batches) if is_packed else joined(batches), met)
    limit_to_share()
    answer = work(task, tables if name is None else NamedTables(tables, f"{name} {number}"), number, None)
    deque(tables, maxlen=0)  # a worker that leaves rows behind is not used again
    keep_loaded()
    yield _answered([number], [answer], [sum(met)])


def _counted(tables: Iterator[Any], met: list[int]) -> Iterator[Any]:
    for table in tables:
        met.append(table.num_rows)
        yield table


def _of_kept(work: Worker, task: bytes, name: str, batches: Iterator[Any]) -> Iterator[Any]:
    """On an executor: the answers to partitions whose rows were sent before; of no rows nothing is kept."""
    for batch in batches:
        numbers, rows = (column.to_pylist() for column in batch.columns)
        parts = [NamedTables(None, f"{name} {i}") if n else iter(()) for i, n in zip(numbers, rows, strict=True)]
        answers = [work(task, part, number, None) for number, part in zip(numbers, parts, strict=True)]
        keep_loaded()
        yield _answered(numbers, answers, rows)


def _answered(numbers: Sequence[int], answers: Sequence[bytes], rows: Sequence[int]) -> Any:
    import pyarrow as pa

    columns = [pa.array(numbers, pa.int64()), pa.array(answers, pa.binary()), pa.array(rows, pa.int64())]
    return pa.RecordBatch.from_arrays(columns, names=[NUMBER, ANSWER, ROWS])


def _let_go(frame: Any) -> None:
    """Executors need not keep a data frame any longer; unless its session has ended before."""
    with suppress(Exception):
        frame.unpersist()
