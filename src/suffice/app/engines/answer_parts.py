"""Answers to the rows of parts: each worker writes those of its part into a file of its own; no row travels."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from suffice.app.cli.answers import AnswerColumns
from suffice.app.cli.reading import FileReading, analyzer_of
from suffice.app.learning.option_errors import usage
from suffice.app.report.row_output import write_rows
from suffice.core.errors import Said, SufficeError, bad
from suffice.core.saving import value_bytes
from suffice.sources.engines.partition_tasks import REFUSED, SUM, in_partition
from suffice.sources.engines.partitioned_source import PartitionedSource
from suffice.sources.engines.read_partition import ReadPartition, chunks_of
from suffice.sources.engines.wire_format import pack, told, unpack
from suffice.sources.files.chunk import Chunk
from suffice.sources.files.read_report import Report

STYLES = ("csv", "json")


@dataclass(frozen=True)
class AnswerFiles:
    """Where answers are written, and how."""

    folder: str
    style: str  # "csv" or "json"
    no_formulas: bool = False

    def path(self, number: int) -> str:
        """The file of a part."""
        return os.path.join(self.folder, f"part-{number:05}.{self.style}")


class AnswerTask(NamedTuple):
    """What a worker is to do with a part."""

    read: ReadPartition
    answering: AnswerColumns
    files: AnswerFiles


def check_folder(out: str | None, style: str) -> None:
    """Refuse, before any work, a folder that cannot hold the answers."""
    if out is None:
        raise usage("--out", "with --engine each worker writes its answers; name a new folder for them.")
    if style not in STYLES:
        raise usage("--format", f"with --engine it is csv or json, got {style!r}.")
    try:
        os.makedirs(out, exist_ok=True)
        full = bool(os.listdir(out))
    except OSError as error:
        got = Said(f"{out!r}, of which the system says: {error.strerror}")
        raise bad("", "--out", "a folder that can be written", got, "Choose another name.") from None
    if full:
        raise bad("", "--out", "a folder without files", Said(repr(out)), "Name a new one.")


def answer_parts(answering: AnswerColumns, reading: FileReading, files: AnswerFiles) -> Report:
    """Answer every part where it lies; what reading met."""
    fitted = answering.fitted
    parts = reading.partitions("predicting", analyzer_of(fitted))
    source = PartitionedSource(parts, fitted.plan)
    source.count()
    read = ReadPartition(parts.roles, parts.kinds, parts.format, parts.analyzer)
    files = replace(files, folder=os.path.abspath(files.folder))
    with _all_or_nothing(files.folder):
        found = source.ask(answer_part, pack(AnswerTask(read, answering, files)))
        report = Report.sum([Report.of_plain(one[2]) for one in found])
        report.judge("rows", parts.format.limit)
    return report


@contextmanager
def _all_or_nothing(folder: str) -> Iterator[None]:
    """What fails leaves no answers to some of the parts behind."""
    try:
        yield
    except BaseException:
        for name in os.listdir(folder):
            os.remove(os.path.join(folder, name))
        raise


def answer_part(task: bytes, part: Any, number: int, first: int | None) -> bytes:
    """On a worker: write the answers to one part. Done twice it leaves the same file."""
    from suffice.app.cli.predict import answered

    work: AnswerTask = unpack(task)
    rows = work.read.rows(part, number)
    try:
        answers = answered(work.answering, _numbered(chunks_of(rows), first or 0))
        write_rows(work.answering.columns, answers, work.files.path(number), work.files.style, work.files.no_formulas)
    except SufficeError as error:
        return value_bytes((REFUSED, number, *told(in_partition(error, number))))
    return value_bytes((SUM, number, rows.report.plain()))


def _numbered(chunks: Iterator[Chunk], first: int) -> Iterator[Chunk]:
    return (chunk._replace(start=chunk.start + first) for chunk in chunks)
