"""Data frames of Spark that are nothing but Parquet files: workers of Python read these files themselves.

Java makes rows of the columns of such files, and columns of Arrow of the rows, which takes longer than most models do.
Whether a data frame is no more than its files is asked of the plan that Spark would run: a scan, without a filter, of
columns of files of Spark's own format, under their own names. Whether a worker finds these files, and these columns in
them, it sees when it opens them. Where either is not so, Spark hands the rows over, as it does those of any data frame.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, ClassVar, NamedTuple
from uuid import uuid4

from suffice.core.saving import bytes_value, value_bytes
from suffice.sources.engines.kept_blocks import NotKept
from suffice.sources.engines.partition_tasks import UNKEPT
from suffice.sources.engines.partitioned_source import Progress, Worker
from suffice.sources.engines.read_partition import PARQUET_BLOCK, NamedTables
from suffice.sources.engines.spark_jobs import AnswerTree, PlacedRuns, Run, SayOfRun

SAME = {  # types of Spark and those of Arrow that a file may have for them: cells mean the same, whoever reads them
    "double": ("double",),
    "float": ("float",),
    "bigint": ("int64",),
    "int": ("int32",),
    "smallint": ("int16",),
    "tinyint": ("int8",),
    "boolean": ("bool",),
    "string": ("string", "large_string"),
}
AROUND = {"WholeStageCodegenExec", "InputAdapter", "ColumnarToRowExec", "ProjectExec"}  # steps that change no cell
BY_NUMBER = "spark.sql.parquet.fieldId.read.enabled"  # columns of files are then found by numbers, not by names


class Piece(NamedTuple):
    """A range of bytes of a file, and so the groups of rows that begin in it."""

    path: str
    start: int
    end: int


class Scan(NamedTuple):
    """What a data frame is that is nothing but files."""

    pieces: list[list[Piece]]  # of each partition
    types: Mapping[str, Sequence[str]]  # its columns, and the types of Arrow that a file may have for them


@dataclass
class ScannedFrame:
    """Partitions of a data frame, read from files where it is nothing else, else as Spark hands them over.

    Parameters
    ----------
    rows : the partitions as Spark hands them over
    frame : of Spark
    name : under which workers keep what they read; None where they need not
    """

    rows: Any
    frame: Any
    name: str | None = None
    sums: AnswerTree = field(default_factory=AnswerTree)
    lacking: bool = False  # whether a worker did not find the files, or what is said to be in them

    engine: ClassVar[str] = "Spark"
    records: ClassVar[bool] = False
    ordered: ClassVar[bool] = False

    def each(self, work: Worker, task: bytes, firsts: Sequence[int | None] | None = None) -> list[bytes]:
        """What executors say of each partition."""
        if self._reads:
            found = self._runs.each(self._say(work, task))
            if not any(self._is_lacking(one) for one in found):
                return found
        return self.rows.each(work, task, firsts)  # type: ignore[no-any-return]

    def tree(self, work: Worker, task: bytes, firsts: Sequence[int | None] | None, progress: Progress | None) -> bytes:
        """Answers are added in a tree."""
        if self._reads:
            found = self._runs.tree(self._say(work, task), task, self.sums, progress)
            if not self._is_lacking(found):
                return found
        return self.rows.tree(work, task, firsts, progress)  # type: ignore[no-any-return]

    def for_passes(self) -> ScannedFrame:
        """The same partitions, of which workers keep what they have read."""
        found = ScannedFrame(self.rows.for_passes(), self.frame, uuid4().hex, lacking=self.lacking)
        found.scan = self.scan
        return found

    def answers(self, answer: Callable[[Any], Any], like: Callable[[Any], Any]) -> Any:
        """The data frame with the answers as further columns."""
        return self.rows.answers(answer, like)

    @cached_property
    def scan(self) -> Scan | None:
        """The files, None where the data frame is more than these."""
        return scan_of(self.frame)

    @property
    def _reads(self) -> bool:
        return self.scan is not None and not self.lacking

    @cached_property
    def _runs(self) -> PlacedRuns:
        assert self.scan is not None
        return PlacedRuns.of(self.frame.sparkSession.sparkContext, self.scan.pieces)

    def _say(self, work: Worker, task: bytes) -> SayOfRun:
        assert self.scan is not None
        return partial(_of_pieces, work, task, self.scan.types, self.name)

    def _is_lacking(self, answer: bytes) -> bool:
        self.lacking = self.lacking or bytes_value(answer)[0] == UNKEPT
        return self.lacking


def scan_of(frame: Any) -> Scan | None:
    """The files that a data frame is, if it is nothing else and that can be known."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    types = {column.name: SAME.get(column.dataType.simpleString(), ()) for column in frame.schema}
    made = getattr(frame, "_jdf", None)  # not where Spark is asked from afar
    told = types and () not in types.values() and len(types) == len(frame.columns)  # none twice
    if made is None or not told or frame.sparkSession.conf.get(BY_NUMBER, "false") == "true":
        return None
    with suppress(Py4JError, PySparkException):  # other versions may name their steps otherwise
        scan = _bare_scan(made.queryExecution().executedPlan())
        parts = () if scan is None else _items(scan.inputRDD().filePartitions())
        pieces = [[_piece(one) for one in part.files()] for part in parts]
        if pieces and all(piece.path for some in pieces for piece in some):
            return Scan(pieces, types)
    return None


def _bare_scan(step: Any) -> Any:
    """The scan below steps that change nothing; None where one may."""
    while (kind := _kind(step)) in AROUND:
        if kind == "ProjectExec" and any(_kind(one) != "AttributeReference" for one in _items(step.projectList())):
            return None
        step = step.children().head()
    if kind != "FileSourceScanExec" or step.dataFilters().size() or step.partitionFilters().size():
        return None
    files = step.relation()
    return step if _kind(files.fileFormat()) == "ParquetFileFormat" and not files.partitionSchema().size() else None


def _piece(one: Any) -> Piece:
    """A piece of a file; without a path where that is not one of the file system, the same for all machines."""
    where = one.filePath().toUri()
    path = str(where.getPath()) if where.getScheme() == "file" else ""
    return Piece(path, int(one.start()), int(one.start()) + int(one.length()))


def _kind(value: Any) -> str:
    return str(value.getClass().getSimpleName())


def _items(several: Any) -> Iterator[Any]:
    return (several.apply(i) for i in range(several.size()))


def _of_pieces(
    work: Worker, task: bytes, types: Mapping[str, Sequence[str]], name: str | None, run: Run
) -> Iterator[tuple[int, bytes]]:
    """On an executor: the answers to partitions that it reads by itself, or that it cannot."""
    for number, pieces in run:
        tables = tables_of(pieces, types)
        try:
            yield number, work(task, tables if name is None else NamedTables(tables, f"{name} {number}"), number, None)
        except NotKept:
            yield number, value_bytes((UNKEPT, number))


def tables_of(pieces: Sequence[Piece], types: Mapping[str, Sequence[str]]) -> Iterator[Any]:
    """The rows of pieces of files, if each file is here and has the columns."""
    import pyarrow as pa

    opened = [_opened(piece.path, types) for piece in pieces]  # all, before a row is read
    step = max(PARQUET_BLOCK // (8 * len(types)), 1)
    for piece, file in zip(pieces, opened, strict=True):
        groups = [i for i in range(file.num_row_groups) if piece.start <= _begin(file, i) < piece.end]
        for batch in file.iter_batches(step, groups, list(types)) if groups else ():
            batch.validate(full=True)
            yield pa.Table.from_batches([batch])


def _begin(file: Any, group: int) -> int:
    """The first byte of a group of rows."""
    column = file.metadata.row_group(group).column(0)
    return int(column.dictionary_page_offset or column.data_page_offset)


def _opened(path: str, types: Mapping[str, Sequence[str]]) -> Any:
    import pyarrow as pa
    from pyarrow import parquet

    try:
        file = parquet.ParquetFile(path)
        found = {column.name: str(column.type) for column in file.schema_arrow}
    except (pa.ArrowException, OSError):
        raise NotKept from None
    if any(found.get(name) not in some for name, some in types.items()):
        raise NotKept
    return file
