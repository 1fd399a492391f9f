"""What workers do: summarize a partition, add summaries, count rows, look at cells. Bytes come and bytes go.

An answer is a tuple in our file format whose first item says what it is. A partition that is worked on twice, after a
worker was lost or by a second attempt, gives the same bytes: a task relies on no state but what it came with.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Block, Coded, NotCounted
from suffice.core.errors import BadInput, Fields, NoRows, Said, SufficeError, bad
from suffice.core.learner import Lift, Summarize, add_joined
from suffice.core.saving import bytes_value, value_bytes
from suffice.core.schema import Schema
from suffice.core.summary import Summary
from suffice.sources.engines.file_source import FileSource
from suffice.sources.engines.kept_blocks import NotKept
from suffice.sources.engines.read_partition import ReadPartition, WithTarget, chunks_of, is_empty, is_parquet, names_of
from suffice.sources.engines.wire_format import told, unpack
from suffice.sources.files.read_report import Report

SUM, EMPTY, REFUSED = "sum", "empty", "refused"
UNSENT = "unsent"  # what is kept of the rows has no file form
UNKEPT = "unkept"  # rows that were sent before are not there any more
UNCOUNTED, UNREAD, DISAGREE = "uncounted", "unread", "disagree"  # what the driver has to find out first
NEEDED = (
    UNKEPT,
    REFUSED,
    UNSENT,
    DISAGREE,
    UNREAD,
    UNCOUNTED,
)  # what an answer among others decides, the first before the next


class PartitionTask(NamedTuple):
    """What is to be done with each partition."""

    read: ReadPartition
    open: Callable[[Schema], Summarize] | None = None
    lift: Lift | None = None
    add: Callable[[Sequence[tuple[Any, ...]]], tuple[Any, ...]] | None = None  # answers of a kind of their own


class Sum(NamedTuple):
    """What is kept of some partitions."""

    kind: str
    number: int  # of the first of them
    schema: Schema
    summary: Summary
    target: Any  # what written labels were read as
    texts: dict[Any, tuple[str, ...]]  # how labels were written
    report: tuple[Any, ...]  # what reading met, as `Report.plain` tells it


def summarize_partition(task: bytes, part: Any, number: int, first: int | None) -> bytes:
    """The summary of a partition, or what has to be found out before there can be one."""
    work: PartitionTask = unpack(task)
    if is_empty(part):
        return value_bytes((EMPTY, number))
    met: list[bool] = []
    try:
        source = work.read.source(part, number, first)
    except NotKept:
        return value_bytes((UNKEPT, number))
    try:
        return _sent(_summed(work, source, number, met))
    except NotCounted:
        return value_bytes((UNCOUNTED, number))
    except NoRows:
        return value_bytes((EMPTY, number))
    except SufficeError as error:
        if not met and source.known is None and isinstance(error, BadInput):
            return value_bytes((UNREAD, number))
        return value_bytes((REFUSED, number, *told(in_partition(error, number))))


def _sent(found: Sum) -> bytes:
    try:
        return value_bytes(tuple(found))
    except BadInput:  # what it keeps are the rows themselves
        return value_bytes((UNSENT, found.number))


def _summed(work: PartitionTask, source: FileSource, number: int, met: list[bool]) -> Sum:
    def noting(schema: Schema) -> Summarize:
        assert work.open is not None
        summarize = work.open(schema)

        def noted(block: Block) -> Summary:
            met.append(True)
            return summarize(block)

        return noted

    if hasattr(work.open, "begin"):
        noting.begin = work.open.begin  # type: ignore[attr-defined, union-attr]
    assert work.lift is not None
    schema, summary = source.reduce(noting, work.lift)
    target = getattr(source.rows._pass.target, "kind", None)
    return Sum(SUM, number, schema, summary, target, source.rows.label_texts, source.rows.report.plain())


def in_partition(error: SufficeError, number: int) -> SufficeError:
    """The same sentence, which says where."""
    fields = error.fields
    if f"partition {number}" in str(error):
        return error
    fields = fields._replace(owner=f"{fields.owner} (partition {number})" if fields.owner else f"partition {number}")
    found = type(error)(fields.sentence())
    found.fields = Fields(*fields)
    return found


def add_answers(task: bytes, answers: Sequence[bytes]) -> bytes:
    """The answers of neighbouring partitions as one."""
    found = sorted((tuple(bytes_value(one)) for one in answers), key=lambda one: int(one[1]))
    for need in NEEDED:
        asked = [one for one in found if one[0] == need]
        if asked:
            return value_bytes(asked[0])
    told_of = [one for one in found if one[0] == SUM]
    if len(told_of) < 2:
        return value_bytes((told_of or found)[0])
    work: PartitionTask = unpack(task)
    if work.add is not None:
        try:
            return value_bytes(work.add(told_of))
        except SufficeError as error:
            return value_bytes((REFUSED, told_of[0][1], *told(error)))
    sums = [Sum(*one) for one in told_of]
    odd = _of_two_minds(sums)
    if odd is not None:
        return value_bytes(odd)
    assert work.lift is not None
    try:
        return value_bytes(tuple(_added(sums, work.lift)))
    except SufficeError as error:
        return value_bytes((REFUSED, sums[0].number, *told(error)))


def _added(sums: Sequence[Sum], lift: Lift) -> Sum:
    schema, summary = add_joined([(one.schema, one.summary) for one in sums], lift)
    texts: dict[Any, tuple[str, ...]] = {}
    for one in sums:
        for label, some in one.texts.items():
            texts[label] = tuple(sorted({*texts.get(label, ()), *some}))
    target = next((one.target for one in sums if one.target is not None), None)
    report = Report.sum([Report.of_plain(one.report) for one in sums]).plain()
    return Sum(SUM, sums[0].number, schema, summary, target, texts, report)


def _of_two_minds(sums: Sequence[Sum]) -> tuple[Any, ...] | None:
    """The first partition that does not go with those before it; None where all do."""
    schema, target = sums[0].schema, sums[0].target
    for one in sums[1:]:
        try:
            schema = schema.join(one.schema)
        except BadInput as error:
            return (DISAGREE, one.number, *told(in_partition(error, one.number)))
        if None not in (target, one.target) and target is not one.target:
            came = Said(f"{target.value} in one and {one.target.value} in another")
            refused = bad(
                f"partition {one.number}", "the labels", "of one kind", came, "Declare the kind of the target."
            )
            return (DISAGREE, one.number, *told(refused))
        target = one.target if target is None else target
    return None


def count_partition(task: bytes, part: Any, number: int, first: int | None) -> bytes:
    """How many rows a partition has, and how many of each label where labels are asked for."""
    work: PartitionTask = unpack(task)
    try:
        return value_bytes(_counted(work.read, part, number))
    except SufficeError as error:
        return value_bytes((REFUSED, number, *told(in_partition(error, number))))


def _counted(read: ReadPartition, part: Any, number: int) -> tuple[Any, ...]:
    if is_empty(part):
        return SUM, number, 0, {}
    source = read.source(part, number, 0)
    known = None if read.counts_labels else _known_length(part)
    if known is not None:
        return SUM, number, known, {}
    rows = 0
    labels: dict[Any, int] = {}
    for chunk in chunks_of(source.rows):
        rows += chunk.table.n
        for label, n in _labels(source, chunk).items():
            labels[label] = labels.get(label, 0) + n
    return SUM, number, rows, labels


def _known_length(part: Any) -> int | None:
    """Rows of a partition, where that is written down somewhere."""
    if is_parquet(part):
        from pyarrow.parquet import read_metadata

        return sum(int(read_metadata(path).num_rows) for path in part.paths)
    table = part.table if isinstance(part, WithTarget) else part
    return len(table) if hasattr(table, "iloc") or isinstance(table, np.ndarray) else None


def _labels(source: FileSource, chunk: Any) -> dict[Any, int]:
    """How many rows of a chunk have each label; all rows are alike where there are none."""
    if isinstance(chunk.y, Coded):
        codes = chunk.y.codes[:, 0]
        counts = np.bincount(codes[codes >= 0], minlength=len(chunk.y.labels[0])).tolist()
        return dict(zip(chunk.y.labels[0], counts, strict=True))
    if source.number is None:
        return {None: chunk.table.n}
    y = source._numbers(chunk)
    return {None: int((y[:, 0] == y[:, 0]).sum())}


def look_at_partition(task: bytes, part: Any, number: int, first: int | None) -> bytes:
    """What the columns of a partition are taken for, and what their cells show; and the keys of its records."""
    work: PartitionTask = unpack(task)
    if is_empty(part):
        return value_bytes((EMPTY, number))
    source = work.read.source(part, number, 0)
    try:
        schema = Schema(())
        for chunk in source.rows.chunks(*_said(work.read)):
            schema = source.features(chunk.schema)
    except NoRows:
        return value_bytes((EMPTY, number))
    except SufficeError as error:
        return value_bytes((REFUSED, number, *told(in_partition(error, number))))
    state = source.rows._pass
    shown = {name: one.counts for name, one in state.shown.items()}
    return value_bytes((SUM, number, schema, shown, getattr(state.target, "kind", None)))


def _said(read: ReadPartition) -> tuple[Any, Any]:
    return getattr(read.plan, "kinds", None), getattr(read.plan, "analyzer", None)


def keys_of_partition(task: bytes, part: Any, number: int, first: int | None) -> bytes:
    """The keys of the records of a partition."""
    return value_bytes((SUM, number, names_of(part)))
