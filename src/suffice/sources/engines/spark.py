"""Spark: partitions of data frames and of files, worked on by its executors.

Rows of a Spark data frame have no fixed order, so that what is drawn at random goes by what rows hold. Files have one.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar
from uuid import uuid4

from suffice.core.errors import Said, bad
from suffice.sources.engines.partitioned_source import Progress, Worker
from suffice.sources.engines.read_partition import PartFiles
from suffice.sources.engines.sent_rows import SentRows
from suffice.sources.engines.spark_frames import ANSWERED, FrameInPasses, of_batches
from suffice.sources.engines.spark_jobs import AnswerTree, PlacedRuns, collected, one_worker_each, spark_job
from suffice.sources.engines.spark_scans import ScannedFrame

NATIVE = {"b": "boolean", "i": "long", "u": "long", "f": "double"}  # NumPy's kinds in Spark's words


@dataclass(frozen=True)
class SparkFiles:
    """Files that executors read, some of them in a task."""

    files: PartFiles
    placed: dict[str, PlacedRuns] = field(default_factory=dict, compare=False, repr=False)  # by sessions of Spark
    sums: AnswerTree = field(default_factory=AnswerTree)

    engine: ClassVar[str] = "Spark"
    records: ClassVar[bool] = False
    ordered: ClassVar[bool] = True

    def each(self, work: Worker, task: bytes, firsts: Sequence[int | None] | None = None) -> list[bytes]:
        """What executors say of each file."""
        return self._runs.each(partial(_of_files, work, task, firsts))

    def tree(self, work: Worker, task: bytes, firsts: Sequence[int | None] | None, progress: Progress | None) -> bytes:
        """Answers are added in a tree."""
        return self._runs.tree(partial(_of_files, work, task, firsts), task, self.sums, progress)

    @property
    def _runs(self) -> PlacedRuns:
        context = self._context
        if context.applicationId not in self.placed:
            self.placed.clear()
            self.placed[context.applicationId] = PlacedRuns.of(context, self.files.paths)
        return self.placed[context.applicationId]

    @property
    def _context(self) -> Any:
        return _session().sparkContext

    def answers(self, answer: Callable[[Any], Any], like: Callable[[Any], Any]) -> Any:
        """A data frame of the answers."""
        rows = self._context.parallelize(list(enumerate(self.files.paths)), len(self.files.paths))
        names, types = _columns(like(PartFiles(self.files.paths[:1])))
        said = rows.flatMap(partial(_file_answers, answer))
        return _session().createDataFrame(said, _fields(names, types))


@dataclass(frozen=True)
class SparkFrame:
    """Partitions of a data frame, whose order depends on who made them."""

    frame: Any
    sums: AnswerTree = field(default_factory=AnswerTree)

    engine: ClassVar[str] = "Spark"
    records: ClassVar[bool] = False
    ordered: ClassVar[bool] = False

    def each(self, work: Worker, task: bytes, firsts: Sequence[int | None] | None = None) -> list[bytes]:
        """What executors say of each partition."""
        with spark_job(self._context):
            return collected(self._answers(work, task))

    def tree(self, work: Worker, task: bytes, firsts: Sequence[int | None] | None, progress: Progress | None) -> bytes:
        """Answers are added in a tree."""
        answers = self._answers(work, task)
        parts = answers.getNumPartitions()
        with spark_job(self._context, progress, parts, parts):
            return self.sums.sum(task, answers, parts)

    def _answers(self, work: Worker, task: bytes) -> Any:
        """One answer a partition, in rows that are left to the JVM as long as nobody looks."""
        return plain_columns(self.frame).mapInArrow(partial(of_batches, work, task, None, False), ANSWERED).rdd

    def for_passes(self) -> FrameInPasses:
        """The same partitions, of whose rows workers keep what they need until these partitions are let go."""
        found = FrameInPasses(plain_columns(self.frame), SentRows(uuid4().hex))
        if not one_worker_each(self._context):  # those of an executor take turns, and find what another one has kept
            found.held.pack(found.frame)
        return found

    @property
    def _context(self) -> Any:
        return self.frame.sparkSession.sparkContext

    def answers(self, answer: Callable[[Any], Any], like: Callable[[Any], Any]) -> Any:
        """The data frame with the answers as further columns: its rows have no order to be found again by."""
        frame = plain_columns(self.frame)
        names, types = _columns(like(_made_up(frame)))
        names = _unlike(frame.columns, names)
        fields = ", ".join([*(f"`{f.name}` {f.dataType.simpleString()}" for f in frame.schema), _fields(names, types)])
        return frame.mapInArrow(partial(_with_answers, answer, names), fields)


def open_spark(what: Any, y: Any = None, w: Any = None) -> SparkFiles | ScannedFrame:
    """The partitions of a Spark data frame, or of files."""
    if y is not None or w is not None:
        rule = "None: columns of a Spark data frame are named"
        raise bad("Spark", "y and sample_weight", rule, Said("some"), "Pass target='name'.")
    if isinstance(what, PartFiles):
        return SparkFiles(what)
    if not hasattr(what, "mapInArrow"):
        raise bad("Spark", "X", "a DataFrame", Said(type(what).__name__), "Make it one: rdd.toDF().")
    return ScannedFrame(SparkFrame(what), what)


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


def _of_files(
    work: Worker, task: bytes, firsts: Sequence[int | None] | None, run: Sequence[tuple[int, str]]
) -> Iterator[tuple[int, bytes]]:
    """On an executor: what is to be said of each of some files."""
    for number, path in run:
        yield number, work(task, PartFiles((path,)), number, None if firsts is None else firsts[number])


def _session() -> Any:
    from pyspark.sql import SparkSession

    return SparkSession.getActiveSession() or SparkSession.builder.getOrCreate()


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


def _unlike(taken: Sequence[str], names: Sequence[Any]) -> list[str]:
    """Names of answers, "_answer" behind those that the rows have: of two columns of one name Spark finds neither."""
    met = {name.lower() for name in taken}  # Spark takes no account of case
    found: list[str] = []
    for name in map(str, names):
        while name.lower() in met:
            name += "_answer"
        met.add(name.lower())
        found.append(name)
    return found


def _fields(names: Sequence[Any], types: Sequence[str]) -> str:
    return ", ".join(f"`{name}` {kind}" for name, kind in zip(names, types, strict=True))


def _made_up(frame: Any) -> Any:
    """Two rows with the columns of a data frame, to see what is answered."""
    import pandas as pd

    made = {"string": "", "boolean": False, "date": pd.Timestamp(0), "timestamp": pd.Timestamp(0)}
    return pd.DataFrame({f.name: [made.get(f.dataType.typeName(), 1)] * 2 for f in frame.schema})


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
