"""Spark: partitions of data frames and of files, worked on by its executors.

Rows of a Spark data frame have no fixed order, so that what is drawn at random goes by what rows hold. Files have one.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from threading import Event, Thread
from typing import Any, ClassVar
from uuid import uuid4
from weakref import finalize

import numpy as np

from suffice.core.errors import Said, bad
from suffice.sources.engines.partition_tasks import add_answers
from suffice.sources.engines.partitioned_source import Progress, Worker
from suffice.sources.engines.read_partition import PartFiles

TOGETHER = 8  # answers that are added before the next level of the tree
ANSWER, TABLE = "answer", "table"  # names of columns
ENOUGH, HEAVY = 50_000, 32 * 2**20  # rows, or bytes, that are summarized at once
LOOKED_AT = 20_000  # objects of a worker that garbage may be looked for among
LOOKS = 0.1  # seconds between looks at what is done
Tables = Callable[[Iterator[Any]], Iterator[Any]]  # batches as tables
NATIVE = {"b": "boolean", "i": "long", "u": "long", "f": "double"}  # NumPy's kinds in Spark's words


@dataclass(frozen=True)
class SparkPartitions:
    """Partitions of a data frame, or files that executors read."""

    frame: Any  # a DataFrame; of files: their paths
    files: PartFiles | None = None
    placed: dict[str, Any] = field(
        default_factory=dict, compare=False, repr=False
    )  # the list of files, as Spark has it
    packed: bool = False  # whether a row of the data frame is a table, as bytes

    engine: ClassVar[str] = "Spark"
    records: ClassVar[bool] = False

    @property
    def ordered(self) -> bool:
        """Files are; the partitions of a data frame depend on who made them."""
        return self.files is not None

    def each(self, work: Worker, task: bytes, firsts: Sequence[int | None] | None = None) -> list[bytes]:
        """What executors say of each partition."""
        with _job(self._context):
            return _collected(self._answers(work, task, firsts))

    def tree(self, work: Worker, task: bytes, firsts: Sequence[int | None] | None, progress: Progress | None) -> bytes:
        """Answers are added in a tree on the executors; the driver adds the last few."""
        answers = self._answers(work, task, firsts)
        parts = answers.getNumPartitions()
        with _job(self._context, progress, parts):
            while parts > TOGETHER:
                parts = -(-parts // TOGETHER)
                # not groupByKey, which takes blocks that a worker has kept for its own and spills to disk
                grouped = answers.mapPartitionsWithIndex(_grouped).partitionBy(parts, int)
                answers = grouped.mapPartitions(partial(_add, task))
            return add_answers(task, _collected(answers))

    @property
    def _context(self) -> Any:
        return self._session.sparkContext

    @property
    def _session(self) -> Any:
        from pyspark.sql import SparkSession

        if self.files is None:
            return self.frame.sparkSession
        return SparkSession.getActiveSession() or SparkSession.builder.getOrCreate()

    def _answers(self, work: Worker, task: bytes, firsts: Sequence[int | None] | None) -> Any:
        """One answer a partition: bytes, or rows that hold them, which are left to the JVM as long as nobody looks.

        A large task is broadcast by Spark; a small one comes quicker with the function.
        """
        if self.files is not None:
            known = [None] * len(self.files.paths) if firsts is None else list(firsts)
            return self._numbered.map(partial(_of_file, work, task, known))
        frame, tables = (self.frame, _unpacked) if self.packed else (plain_columns(self.frame), _joined)
        return frame.mapInArrow(partial(_of_batches, work, task, tables), f"{ANSWER} binary").rdd

    def for_passes(self) -> SparkPartitions:
        """The same partitions, whose rows the first pass packs: executors keep them, in memory or else on disk.

        To turn rows into Arrow's batches takes longer than most passes. They are let go with these partitions.
        """
        if self.packed or self.files is not None:
            return self
        frame = plain_columns(self.frame).mapInArrow(_packed, f"{TABLE} binary").persist()
        found = SparkPartitions(frame, packed=True)
        finalize(found, _let_go, frame)
        return found

    @property
    def _numbered(self) -> Any:
        """The paths of files and their numbers. Spark keeps this little list where its parts were first worked on,
        and sends later passes there, to workers that may have kept what they read."""
        assert self.files is not None
        context = self._context
        if self.placed.get("context") is not context:
            paths = list(enumerate(self.files.paths))
            self.placed.update(context=context, paths=context.parallelize(paths, len(paths)).cache())
        return self.placed["paths"]

    def answers(self, answer: Callable[[Any], Any], like: Callable[[Any], Any]) -> Any:
        """The data frame with the answers as further columns: its rows have no order to be found again by."""
        if self.files is not None:
            rows = self._context.parallelize(list(enumerate(self.files.paths)), len(self.files.paths))
            form = like(PartFiles(self.files.paths[:1]))
            names, types = _columns(form)
            said = rows.flatMap(partial(_file_answers, answer))
            return self._session.createDataFrame(said, _fields(names, types))
        frame = plain_columns(self.frame)
        names, types = _columns(like(_made_up(frame)))
        fields = ", ".join([*(f"`{f.name}` {f.dataType.simpleString()}" for f in frame.schema), _fields(names, types)])
        return frame.mapInArrow(partial(_with_answers, answer, names), fields)


def open_spark(what: Any, y: Any = None, w: Any = None) -> SparkPartitions:
    """The partitions of a Spark data frame, or of files."""
    if y is not None or w is not None:
        rule = "None: columns of a Spark data frame are named"
        raise bad("Spark", "y and sample_weight", rule, Said("some"), "Pass target='name'.")
    if isinstance(what, PartFiles):
        return SparkPartitions(None, what)
    if not hasattr(what, "mapInArrow"):
        raise bad("Spark", "X", "a DataFrame", Said(type(what).__name__), "Make it one: rdd.toDF().")
    return SparkPartitions(what)


def plain_columns(frame: Any) -> Any:
    """A data frame whose vector columns are one column for each of their numbers: features_0, features_1, ..."""
    from pyspark.ml.functions import vector_to_array
    from pyspark.sql.functions import col

    vectors = [f.name for f in frame.schema if f.dataType.typeName() == "vectorudt" or "Vector" in str(f.dataType)]
    if not vectors:
        return frame
    widths = {name: _width(frame, name) for name in vectors}
    columns: list[Any] = []
    for column in frame.schema:
        name = column.name
        cells = vector_to_array(col(f"`{name}`")) if name in widths else None
        columns += [col(f"`{name}`")] if cells is None else [cells[j].alias(f"{name}_{j}") for j in range(widths[name])]
    return frame.select(columns)


def _width(frame: Any, name: str) -> int:
    """How many numbers the vectors of a column have: it is written down, or that of the first row."""
    known = frame.schema[name].metadata.get("ml_attr", {}).get("num_attrs")
    if known is not None:
        return int(known)
    first = frame.select(name).filter(frame[name].isNotNull()).head()
    if first is None:
        raise bad("Spark", f"the vector column {name!r}", "filled in some row", Said("none"), "Leave it out.")
    return len(first[0])


def _of_batches(work: Worker, task: bytes, tables: Tables, batches: Iterator[Any]) -> Iterator[Any]:
    """On an executor: the answer to its partition, which comes batch by batch."""
    import pyarrow as pa
    from pyspark import TaskContext

    context = TaskContext.get()
    number = 0 if context is None else context.partitionId()
    answer = work(task, tables(batches), number, None)
    _keep_loaded()
    yield pa.RecordBatch.from_arrays([pa.array([answer], type=pa.binary())], names=[ANSWER])


def _joined(batches: Iterator[Any]) -> Iterator[Any]:
    """Tables of many rows: Spark sends ten thousand at a time, of which each has its price."""
    import pyarrow as pa

    waiting: list[Any] = []
    for batch in batches:
        waiting += [batch] if batch.num_rows else []
        if sum(one.num_rows for one in waiting) >= ENOUGH or sum(one.nbytes for one in waiting) >= HEAVY:
            yield pa.Table.from_batches(waiting)
            waiting = []
    if waiting:
        yield pa.Table.from_batches(waiting)


def _packed(batches: Iterator[Any]) -> Iterator[Any]:
    """On an executor: tables of many rows, each as bytes."""
    import pyarrow as pa

    for table in _joined(batches):
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, table.schema) as stream:
            stream.write_table(table.combine_chunks())
        data = sink.getvalue()
        ends = pa.py_buffer(np.array([0, len(data)], dtype=np.int32))
        yield pa.RecordBatch.from_arrays([pa.Array.from_buffers(pa.binary(), 1, [None, ends, data])], names=[TABLE])


def _unpacked(batches: Iterator[Any]) -> Iterator[Any]:
    """The tables that were packed, nothing copied."""
    import pyarrow as pa

    for batch in batches:
        for one in batch.column(0):
            yield pa.ipc.open_stream(one.as_buffer()).read_all()


def _let_go(frame: Any) -> None:
    """Executors need not keep a data frame any longer; unless its session has ended before."""
    with suppress(Exception):
        frame.unpersist()


def _of_file(work: Worker, task: bytes, firsts: Sequence[int | None], one: tuple[int, str]) -> bytes:
    number, path = one
    answer = work(task, PartFiles((path,)), number, firsts[number])
    _keep_loaded()
    return answer


def _keep_loaded() -> None:
    """After each task Spark has garbage looked for among all objects; those of modules, which stay, are taken out."""
    if len(gc.get_objects()) > LOOKED_AT:
        gc.collect()
        gc.freeze()


def _collected(answers: Any) -> list[bytes]:
    return list(map(_bytes, answers.collect()))


def _bytes(answer: Any) -> bytes:
    return answer if isinstance(answer, bytes) else bytes(answer[0])


def _grouped(index: int, answers: Iterator[Any]) -> Iterator[tuple[int, bytes]]:
    """Neighbours under one number."""
    _keep_loaded()
    return ((index // TOGETHER, _bytes(answer)) for answer in answers)


def _add(task: bytes, neighbours: Iterator[tuple[int, bytes]]) -> Iterator[bytes]:
    """On an executor: the answers of neighbours as one."""
    found = [answer for _, answer in neighbours]
    if found:
        yield add_answers(task, found)


def _with_answers(answer: Callable[[Any], Any], names: Sequence[Any], batches: Iterator[Any]) -> Iterator[Any]:
    """On an executor: batches with their answers beside them."""
    import pyarrow as pa

    for batch in batches:
        if batch.num_rows:
            found = answer(batch.to_pandas())
            found = found.to_frame() if found.ndim == 1 else found
            columns = [pa.array(found.iloc[:, j].to_numpy()) for j in range(len(names))]
            yield pa.RecordBatch.from_arrays([*batch.columns, *columns], names=[*batch.schema.names, *map(str, names)])


def _file_answers(answer: Callable[[Any], Any], one: tuple[int, str]) -> list[tuple[Any, ...]]:
    found = answer(PartFiles((one[1],)))
    found = found.to_frame() if found.ndim == 1 else found
    return list(map(tuple, found.to_numpy().tolist()))


def _columns(form: Any) -> tuple[list[Any], list[str]]:
    form = form.to_frame() if form.ndim == 1 else form
    return list(form.columns), [NATIVE.get(getattr(t, "kind", "O"), "string") for t in form.dtypes]


def _fields(names: Sequence[Any], types: Sequence[str]) -> str:
    return ", ".join(f"`{name}` {kind}" for name, kind in zip(names, types, strict=True))


def _made_up(frame: Any) -> Any:
    """Two rows with the columns of a data frame, to see what is answered."""
    import pandas as pd

    made = {"string": "", "boolean": False, "date": pd.Timestamp(0), "timestamp": pd.Timestamp(0)}
    return pd.DataFrame({f.name: [made.get(f.dataType.typeName(), 1)] * 2 for f in frame.schema})


@contextmanager
def _job(context: Any, progress: Progress | None = None, parts: int = 0) -> Iterator[None]:
    """A group of jobs, which is cancelled as a whole where it is interrupted."""
    group = f"suffice-{uuid4().hex}"
    context.setJobGroup(group, "suffice", interruptOnCancel=True)
    watching = _watch(context, group, progress, parts) if progress else None
    try:
        yield
    except BaseException:
        context.cancelJobGroup(group)
        raise
    else:
        if watching is not None:
            watching()
    finally:
        context.setLocalProperty("spark.jobGroup.id", None)


def _watch(context: Any, group: str, progress: Progress, parts: int) -> Callable[[], None]:
    """Tell how many partitions are done, from a thread that looks now and then; the function ends it."""
    end, told = Event(), [0]

    def look() -> None:
        tracker = context.statusTracker()
        while not end.wait(LOOKS):
            infos = [tracker.getJobInfo(job) for job in tracker.getJobIdsForGroup(group)]
            stages = [tracker.getStageInfo(stage) for info in infos if info for stage in info.stageIds]
            done = max((s.numCompletedTasks for s in stages if s is not None and s.numTasks == parts), default=0)
            if done > told[0]:
                told[0] = done
                progress(done, parts)

    thread = Thread(target=look, daemon=True)
    thread.start()

    def stop() -> None:
        end.set()
        thread.join()
        if told[0] < parts:
            progress(parts, parts)

    return stop


QUIET = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.log.level": "OFF"}


@contextmanager
def started_spark(workers: int, master: str | None, patience: float) -> Iterator[None]:
    """A session on threads of our own, or on the workers of a master; it ends with us.

    Parameters
    ----------
    workers : how many threads, where there is no master
    master : its address
    patience : is up to Spark
    """
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    built = SparkSession.builder.master(master or f"local[{workers}]").appName("suffice")
    for name, value in QUIET.items():
        built = built.config(name, value)
    built = built.config("spark.executorEnv.PYTHONPATH", os.pathsep.join(filter(None, sys.path)))
    session = built.getOrCreate()
    try:
        session.sparkContext.setLogLevel("OFF")
        yield
    finally:
        session.stop()
