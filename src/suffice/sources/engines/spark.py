"""Spark: partitions of data frames and of files, worked on by its executors.

Rows of a Spark data frame have no fixed order, so that what is drawn at random goes by what rows hold. Files have one.
"""

from __future__ import annotations

import gc
import os
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache, partial
from threading import Event, Thread
from typing import Any, ClassVar
from uuid import uuid4
from weakref import finalize

from suffice.core.errors import Said, bad
from suffice.core.saving import bytes_value
from suffice.sources.engines.kept_blocks import limit_cache
from suffice.sources.engines.partition_tasks import SUM, UNKEPT, add_answers
from suffice.sources.engines.partitioned_source import Progress, Worker
from suffice.sources.engines.read_partition import NamedTables, PartFiles
from suffice.sources.engines.sent_rows import SIZE, TABLE, SentRows, joined, packed, unpacked

TOGETHER = 8  # answers that are added before the next level of the tree
ANSWER = "answer"  # the name of a column
LOOKED_AT = 20_000  # objects of a worker that garbage may be looked for among
LOOKS = 0.1  # seconds between looks at what is done
NATIVE = {"b": "boolean", "i": "long", "u": "long", "f": "double"}  # NumPy's kinds in Spark's words


@dataclass(frozen=True)
class SparkPartitions:
    """Partitions of a data frame, or files that executors read."""

    frame: Any  # a DataFrame; of files: their paths
    files: PartFiles | None = None
    placed: dict[str, Any] = field(
        default_factory=dict, compare=False, repr=False
    )  # the list of files, as Spark has it
    sent: SentRows | None = None  # where a row of the data frame is a table, as bytes: when to send it

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
        if self.sent is None:
            return self._tree(self._answers(work, task, firsts), task, progress)
        if self.sent.may_be_kept:
            found = self._tree(self._answers(work, task, firsts, send=False), task, progress)
            if self.sent.were_kept(bytes_value(found)[0] != UNKEPT):
                return found
        found = self._tree(self._answers(work, task, firsts), task, progress)
        self.sent.were_sent(bytes_value(found)[0] == SUM)
        return found

    def _tree(self, answers: Any, task: bytes, progress: Progress | None) -> bytes:
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

    def _answers(self, work: Worker, task: bytes, firsts: Sequence[int | None] | None, send: bool = True) -> Any:
        """One answer a partition: bytes, or rows that hold them, which are left to the JVM as long as nobody looks.

        A large task is broadcast by Spark; a small one comes quicker with the function.
        """
        if self.files is not None:
            known = [None] * len(self.files.paths) if firsts is None else list(firsts)
            return self._numbered.map(partial(_of_file, work, task, known))
        frame, name = (plain_columns(self.frame), None) if self.sent is None else (self.frame, self.sent.name)
        frame = frame if send else frame.select(SIZE)  # other columns of what executors keep are not looked at
        return frame.mapInArrow(partial(_of_batches, work, task, name, send), f"{ANSWER} binary").rdd

    def for_passes(self) -> SparkPartitions:
        """The same partitions, whose rows the first pass packs: executors keep them, in memory or else on disk.

        To turn rows into Arrow's batches takes longer than most passes. They are let go with these partitions.
        Workers of Python keep what they made of them, too, so that in later passes they need not even be sent.
        """
        if self.sent is not None or self.files is not None:
            return self
        frame = plain_columns(self.frame).mapInArrow(packed, f"{TABLE} binary, {SIZE} long").persist()
        found = SparkPartitions(frame, sent=SentRows(uuid4().hex))
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


def _of_batches(work: Worker, task: bytes, name: str | None, sent: bool, batches: Iterator[Any]) -> Iterator[Any]:
    """On an executor: the answer to its partition, which comes batch by batch, or is one that was sent before."""
    import pyarrow as pa
    from pyspark import TaskContext

    context = TaskContext.get()
    number = 0 if context is None else context.partitionId()
    part: Any = joined(batches) if name is None else NamedTables(unpacked(batches), f"{name} {number}")
    if not sent:
        part = NamedTables(None, f"{name} {number}") if sum(batch.num_rows for batch in batches) else iter(())
    _limit_cache()
    answer = work(task, part, number, None)
    deque(batches, maxlen=0)  # a worker that leaves rows behind is not used again
    _keep_loaded()
    yield pa.RecordBatch.from_arrays([pa.array([answer], type=pa.binary())], names=[ANSWER])


@cache
def _limit_cache() -> None:
    """Once a process: what is kept is a share of what Spark lets Python have, where that was said."""
    limit = int(os.environ.get("PYSPARK_EXECUTOR_MEMORY_MB", "-1"))
    if limit > 0:
        limit_cache(limit << 20)


def _let_go(frame: Any) -> None:
    """Executors need not keep a data frame any longer; unless its session has ended before."""
    with suppress(Exception):
        frame.unpersist()


def _of_file(work: Worker, task: bytes, firsts: Sequence[int | None], one: tuple[int, str]) -> bytes:
    number, path = one
    _limit_cache()
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
