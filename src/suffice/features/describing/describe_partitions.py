"""Describing rows on an engine: workers keep statistics of bounded length, which add in a tree. No scikit-learn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from operator import add
from typing import Any, ClassVar

from suffice.core.errors import NoRows, SufficeError, bad
from suffice.core.saving import value_bytes
from suffice.core.schema import Schema
from suffice.features.describing.column_statistics import ColumnStatistics
from suffice.features.describing.rounded_values import Rounding
from suffice.features.describing.table_description import HowToDescribe, TableDescription, described_rows
from suffice.sources.engines.open_engine import open_engine
from suffice.sources.engines.partition_tasks import EMPTY, REFUSED, SUM, PartitionTask, in_partition
from suffice.sources.engines.partitioned_source import PartitionedRows, PartitionedSource
from suffice.sources.engines.read_partition import is_empty
from suffice.sources.engines.wire_format import told, unpack
from suffice.sources.files.read_report import Report

MOST = 10_000  # different numbers that are kept of a column, unless asked for otherwise


@dataclass(frozen=True)
class DescribingPlan:
    """Reads columns for what they are."""

    owner: ClassVar[str] = "describe"

    how: HowToDescribe

    def chunk(self, table: Any, schema: Schema) -> tuple[Any, Schema]:
        """As it is, with the kinds that were declared."""
        return table, schema.declare("describe", self.how.kinds)


def describe_partitions(table: Any, how: HowToDescribe, weight: Any = None) -> tuple[TableDescription, Report]:
    """The statistics of rows on an engine, and what reading them met.

    Parameters
    ----------
    table : a collection of an engine, or rows opened by `open_engine`
    how : what was asked for
    weight : the name of a column of weights
    """
    if weight is not None and (not isinstance(weight, str) or isinstance(table, PartitionedRows)):
        remedy = "Name it when the rows are opened." if isinstance(table, PartitionedRows) else "Name that column."
        raise bad("describe", "sample_weight", "the name of a column of the rows", weight, remedy)
    rows = table if isinstance(table, PartitionedRows) else open_engine(table, weight=weight)
    how = replace(how, most=how.most or MOST)
    source = PartitionedSource(rows, DescribingPlan(how))
    answer = source.gather(partial(describe_partition, how), add_descriptions)
    report = Report.of_plain(answer[3])
    report.judge(f"rows on {rows.partitions.engine}", rows.format.limit)
    return _read(answer[2]), report


def describe_partition(how: HowToDescribe, task: bytes, part: Any, number: int, first: int | None) -> bytes:
    """On a worker: the statistics of one partition."""
    work: PartitionTask = unpack(task)
    if is_empty(part):
        return value_bytes((EMPTY, number))
    rows = work.read.rows(part, number)
    try:
        found = described_rows(rows, how)
    except NoRows:
        return value_bytes((EMPTY, number))
    except SufficeError as error:
        return value_bytes((REFUSED, number, *told(in_partition(error, number))))
    return value_bytes((EMPTY, number) if found is None else (SUM, number, _plain(found), rows.report.plain()))


def add_descriptions(answers: Sequence[tuple[Any, ...]]) -> tuple[Any, ...]:
    """Those of several partitions as one."""
    total = reduce(add, (_read(one[2]) for one in answers))
    report = Report.sum([Report.of_plain(one[3]) for one in answers])
    return SUM, answers[0][1], _plain(total), report.plain()


def _plain(described: TableDescription) -> tuple[Any, ...]:
    columns = described.columns.values()
    return tuple((c.name, c.kind, c.order, c.kept, c.rounding and tuple(c.rounding)) for c in columns)


def _read(told: Sequence[Any]) -> TableDescription:
    columns = (
        ColumnStatistics(name, kind, order, kept, None if rounding is None else Rounding(*rounding))
        for name, kind, order, kept, rounding in told
    )
    return TableDescription({column.name: column for column in columns})
