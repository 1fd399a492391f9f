"""`describe` and `statistics`: what is in the columns of a table, by what their kinds permit. No scikit-learn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from numbers import Integral
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.core.kinds import Kind, Storage
from suffice.core.schema import Column, Schema
from suffice.core.shares import Shares
from suffice.core.summary import Summary, Together
from suffice.core.tally import Tally
from suffice.estimators.boundary.opening import are_rows
from suffice.estimators.boundary.targets import read_weights
from suffice.features.describing.column_statistics import ColumnStatistics
from suffice.features.describing.rounded_values import Rounding
from suffice.features.describing.shown import as_html, as_text
from suffice.numerics.blas_threads import one_thread_if_small
from suffice.numerics.loop import whole
from suffice.numerics.threads import in_threads, processors
from suffice.sources.engines.partitioned_source import PartitionedRows
from suffice.sources.files.chunk import Chunk
from suffice.sources.files.rows import Rows, open_rows
from suffice.sources.tables.columns import NamedColumns
from suffice.sources.tables.table import Table, engine_of, open_table
from suffice.summaries.counts import Counts
from suffice.summaries.quartic_moments import LARGEST, QuarticMoments
from suffice.summaries.rankings import Rankings

DIVIDED = 200_000  # cells from which columns are described in threads
WHOLE = {Kind.TEXT, Kind.IDENTIFIER}  # whose cells are taken as they are


@dataclass(frozen=True)
class TableDescription:
    """The statistics of each column of a table; it prints as a table, and adds.

    Parameters
    ----------
    columns : by name
    """

    columns: Mapping[Any, ColumnStatistics]

    def __getitem__(self, name: Any) -> ColumnStatistics:
        """The statistics of one column."""
        if name not in self.columns:
            raise bad("describe", "a column", f"one of {list(self.columns)}", name)
        return self.columns[name]

    def __iter__(self) -> Iterator[Any]:
        """The names of the columns."""
        return iter(self.columns)

    def __len__(self) -> int:
        """Number of columns."""
        return len(self.columns)

    def __add__(self, other: TableDescription) -> TableDescription:
        """Of the rows of both tables."""
        if not isinstance(other, TableDescription) or other.columns.keys() != self.columns.keys():
            raise bad("describe", "descriptions to add", "of the same columns", other)
        return TableDescription({name: mine + other.columns[name] for name, mine in self.columns.items()})

    def __str__(self) -> str:
        """One line a column."""
        return as_text(list(self.columns.values()))

    def _repr_html_(self) -> str:
        return as_html(list(self.columns.values()))


def describe(
    table: Any, kinds: Mapping[Any, Any] | None = None, sample_weight: Any = None, most: int | None = None
) -> TableDescription:
    """What is in each column of a table: kinds, missing cells, and the statistics that each kind permits.

    Parameters
    ----------
    table : an array, a mapping of columns, pandas, polars, Arrow; files, a pattern, a stream, read chunk by chunk; or
        rows on Dask or Spark
    kinds : mapping column -> kind, or the values of an ordinal column, lowest first; overriding what columns show
    sample_weight : one weight a row; weight w counts as w copies
    most : of different numbers that are kept of a column; where there are more, medians and quantiles are known up to
        the column's `precision`, and all else exactly. None: all are kept, but of rows on an engine 10,000

    Examples
    --------
    >>> from suffice import describe
    >>> told = describe({"age": [20, 30, 70], "site": ["north", "east", "north"]})
    >>> told["age"].mean, told["age"].median, told["site"].mode
    (40.0, 30.0, ('north',))
    """
    if most is not None and (isinstance(most, bool) or not isinstance(most, Integral) or most < 2):
        raise bad("describe", "most", "None or a whole number from 2", most)
    how = HowToDescribe(kinds or {}, None if most is None else int(most))
    if engine_of(table) is not None or isinstance(table, PartitionedRows):
        from suffice.features.describing.describe_partitions import describe_partitions

        return describe_partitions(table, how, sample_weight)[0]
    if are_rows(table):
        return _of_files(table, how, sample_weight)
    opened = open_table(table)
    w = read_weights("describe", sample_weight, opened.n, some=False)
    return TableDescription(_of_table(opened, opened.infer().declare("describe", how.kinds), w, how))


def statistics(column: Any, kind: Any = None, sample_weight: Any = None) -> ColumnStatistics:
    """The statistics of one column, by what its kind permits.

    Parameters
    ----------
    column : cells
    kind : "boolean", "categorical", "ordinal", "count", "ratio", "quantitative", "date", "text", "identifier", or the
        values of an ordinal column, lowest first; None: what the cells show
    sample_weight : one weight a cell; weight w counts as w copies

    Examples
    --------
    >>> from suffice import statistics
    >>> statistics(["mild", "none", "severe"], ["none", "mild", "severe"]).median
    'mild'
    """
    shape = np.shape(column)
    if len(shape) != 1:
        raise bad("statistics", "column", "cells in a row", Said(f"shape {shape}"), "Take one column of the table.")
    named = getattr(column, "name", None)
    name = "column" if named is None else named
    return describe({name: column}, None if kind is None else {name: kind}, sample_weight)[name]


@dataclass(frozen=True)
class HowToDescribe:
    """What was asked for."""

    kinds: Mapping[Any, Any] = field(default_factory=dict)
    most: int | None = None  # different numbers of a column
    words: bool = False  # whether texts are counted by their words, and identifiers not at all: names of rows are many


def _of_files(source: Any, how: HowToDescribe, weight: Any) -> TableDescription:
    from suffice.sources.files.roles import Roles

    if weight is not None and not isinstance(weight, str):
        raise bad("describe", "sample_weight", "the name of a column where the rows come from files", weight)
    total = described_rows(open_rows(source, Roles(weight=weight)), how)
    if total is None:
        raise bad("describe", "table", "rows", Said("none"))
    return total


def described_rows(
    rows: Rows, how: HowToDescribe, watch: Callable[[Iterator[Chunk]], Iterator[Chunk]] = iter
) -> TableDescription | None:
    """The statistics of rows that come chunk by chunk; None where there are none.

    Parameters
    ----------
    rows : made by `open_rows`
    how : what was asked for
    watch : what chunks are handed through as they come, such as a line of progress
    """
    total = _of_rows(rows, how, watch)
    return _of_rows(rows, how, watch) if rows.mistaken else total  # columns are not what their first cells were


def _of_rows(rows: Rows, how: HowToDescribe, watch: Any) -> TableDescription | None:
    total: TableDescription | None = None
    for chunk in watch(rows.chunks()):
        if not chunk.table.n:
            continue
        more = TableDescription(_of_table(chunk.table, chunk.schema.declare("describe", how.kinds), chunk.w, how))
        total = more if total is None else total + more
    return total


def _of_table(table: Table, schema: Schema, w: Array | None, how: HowToDescribe) -> dict[Any, ColumnStatistics]:
    taken = set() if how.words else WHOLE
    read = Schema(tuple(Column(c.name, Kind.CATEGORICAL) if c.kind in taken else c for c in schema.columns))
    R = Shares.hard(np.zeros(table.n, dtype=np.int32), 1, w)
    tally = Tally.of(R)
    kept: dict[Any, Together] = {c.name: Together((tally,)) for c in schema.columns}
    cells = _cells(table, read) if read.parts and table.n else []
    threads = processors() if table.n * len(cells) >= DIVIDED else 1
    with one_thread_if_small(1):  # a product of one column with itself is no work to divide
        found = in_threads(partial(_summarized, R, table.n * len(cells)), cells, threads) if cells else []
    for (name, _), summaries in zip(cells, found, strict=True):
        kept[name] = Together((tally, *summaries))
    rounding = None if how.most is None else Rounding(how.most)
    columns = (ColumnStatistics(c.name, c.kind, c.order, kept[c.name], rounding) for c in schema.columns)
    return {column.name: column.bounded() for column in columns}


Cells = Callable[[], tuple[Storage, Any, int]]  # how a column is stored, the part of the rows it is in, and its place


def _cells(table: Table, read: Schema) -> list[tuple[Any, Cells]]:
    """The columns that are described, and what reads each: one by one where they are known by name, in any thread."""
    every = slice(0, table.n)
    if isinstance(table, NamedColumns):

        def one(place: int) -> tuple[Storage, Any, int]:
            alone = Schema((read.columns[place],))
            return alone.parts[0][0], table.parts(alone, every)[0], 0

        return [(read.columns[i].name, partial(one, i)) for _, places in read.parts for i in places]
    parts = zip(read.parts, table.parts(read, every), strict=False)
    return [
        (read.columns[place].name, partial(lambda *found: found, storage, part, at))
        for (storage, places), part in parts
        for at, place in enumerate(places)
    ]


def _summarized(R: Shares, size: int, column: tuple[Any, Cells], go_on: Callable[[], bool]) -> tuple[Summary, ...]:
    """The summaries of a column of a table of so many cells."""
    name, read = column
    with whole(size):
        return _summaries(name, *read(), R)


def _summaries(name: Any, storage: Storage, part: Any, at: int, R: Shares) -> tuple[Summary, ...]:
    if storage is Storage.WORDS:
        return (Counts.of_words(part, R),)
    if storage is Storage.SYMBOLS:
        one = part._replace(codes=part.codes[:, at : at + 1], labels=part.labels[at : at + 1])
        return (Counts.of(one, R),)
    x = np.asarray(part[:, at : at + 1], dtype=np.float64)
    ranking = Rankings.of(x, R)
    ends = ranking.values[0][[0, -1]] if len(ranking.values[0]) else np.zeros(2)
    if not np.abs(ends).max() <= LARGEST:
        rule, remedy = f"finite and at most {LARGEST:g} in size for fourth powers", "Use another unit, or leave it out."
        raise bad("describe", f"column {name!r}", rule, float(np.abs(ends).max()), remedy)
    here = ~np.isnan(x[:, 0]) if ranking.missing_rows.any() or not R.plain else None
    return ranking, QuarticMoments.of(x, R) if here is None else QuarticMoments.of(x[here], R[here])
