"""How one partition is read where it lies: a table, a list of records, or files, as rows of a source."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from suffice.core.block import Uncounted
from suffice.core.errors import NoRows, Said, bad
from suffice.core.schema import Schema
from suffice.sources.engines.file_source import FileSource, ReadsChunks
from suffice.sources.engines.kept_blocks import CACHE, Keep, KeepChunks, NotKept, PartBlocks, PartKey, are_typed
from suffice.sources.engines.row_hashes import row_hashes
from suffice.sources.files.chunk import Chunk
from suffice.sources.files.csv_files import Splitting, read_engine
from suffice.sources.files.files import Files, Pages
from suffice.sources.files.page import TypedPage
from suffice.sources.files.roles import Roles
from suffice.sources.files.rows import Rows
from suffice.sources.files.text_format import TYPED_BLOCK, Format
from suffice.sources.tables.analyzer import Analyzer
from suffice.sources.written.shown_kinds import Shown

TARGET, WEIGHT = "__target__", "__weight__"  # columns that y and sample_weight become beside the features


PARQUET_BLOCK = 2 * TYPED_BLOCK  # bytes of cells at a time: nobody reads ahead here, and each time has its price


@dataclass(frozen=True)
class PartFiles:
    """A partition that lies in files, read by whoever works on it."""

    paths: tuple[str, ...]


@dataclass(frozen=True)
class WithTarget:
    """A partition whose targets and weights came beside it."""

    table: Any
    y: Any
    w: Any


@dataclass(frozen=True)
class NamedTables:
    """A partition whose tables an engine sends under a name: always the same rows."""

    tables: Iterator[Any] | None  # None: they were sent before
    name: str


@dataclass(frozen=True)
class PartitionTables:
    """The tables of one partition as pages."""

    tables: Iterable[Any]
    name: str

    def pages(self, roles: Roles, format: Format, engine: Splitting) -> Pages:
        """One page a table that has rows."""
        for table in self.tables:
            if not is_empty(table):
                yield TypedPage(self.name, table)


@dataclass(frozen=True)
class ReadPartition:
    """Everything a worker needs to know to read a partition as the driver would."""

    roles: Roles = field(default_factory=Roles)
    kinds: Mapping[Any, Any] = field(default_factory=dict)
    format: Format = field(default_factory=Format)
    analyzer: Analyzer = field(default_factory=Analyzer)
    plan: ReadsChunks | None = None
    number: Any = None  # the column of numbers to predict
    order: tuple[Any, ...] | None = None
    known: Schema | None = None
    settled: Mapping[Any, Shown] = field(default_factory=dict)  # what all cells show, where partitions disagree
    names: tuple[Any, ...] | None = None  # of the columns of records
    counts_labels: bool = False  # whether rows are counted by their label
    hashed: bool = False  # whether rows are numbered by what they hold, as their order is not fixed
    keep: Keep | None = None  # whether blocks are kept for the next pass

    def rows(self, part: Any, number: int) -> Rows:
        """The rows of a partition."""
        origin, engine = self._origin(part, number), read_engine(None)
        format = self.format
        if is_parquet(part) and format.block is None:
            format = replace(format, block=PARQUET_BLOCK)
        rows = Rows(origin, self.roles, self.kinds, format, self.analyzer, engine, judged=False)
        rows._settled |= dict(self.settled)
        return rows

    def source(self, part: Any, number: int, first: int | None) -> FileSource:
        """The rows of a partition as a source; `first` is the number of its first row, None where nobody counted."""
        assert self.plan is not None
        start = Uncounted(0) if first is None else first
        hashes = row_hashes if self.hashed else None
        rows = self.rows(part, number)
        source = FileSource(rows, self.plan, self.number, self.known, order=self.order, first=start, number_rows=hashes)
        if self.keep is None or not isinstance(part, (PartFiles, NamedTables)):
            return source
        if isinstance(part, NamedTables):
            return self._kept(source, part, first, self.keep, PartKey.named(self.keep, part.name))
        key = PartKey.of(self.keep, part.paths)
        return source if key is None else self._kept(source, part, first, self.keep, key)

    def _kept(self, source: FileSource, part: Any, first: int | None, asked: Keep, key: PartKey) -> FileSource:
        """A source of what a pass before has kept of a partition; or one that keeps it."""
        budget = CACHE.limit if asked.budget is None else asked.budget
        found = CACHE.get(key) if budget else None
        blocks = None if found is None else found.read_as(self.known, first)
        if blocks is not None and self.hashed and self.known is not None:
            blocks = blocks.numbered_by(row_hashes)
        if blocks is not None:
            return replace(source, rows=blocks.rows, keep=partial(_instead, blocks))
        if isinstance(part, NamedTables) and part.tables is None:
            raise NotKept
        typed = is_parquet(part) or isinstance(part, NamedTables)
        keep = KeepChunks(budget, source.rows, first, typed, lambda kept: CACHE.put(key, kept, budget))
        return replace(source, keep=keep)

    def _origin(self, part: Any, number: int) -> Any:
        if isinstance(part, PartFiles):
            return Files(tuple(map(Path, part.paths)))
        return PartitionTables(self._tables(part, number), f"partition {number}")

    def _tables(self, part: Any, number: int) -> Iterable[Any]:
        if isinstance(part, NamedTables):
            part = iter(()) if part.tables is None else part.tables
        if isinstance(part, WithTarget):
            return [beside(part, f"partition {number}")]
        if isinstance(part, Iterator):  # tables as they come, or records
            first = next(part, None)
            part = [] if first is None else chain([first], part)
            return [columns_of(list(part), self.names)] if isinstance(first, Mapping) else part
        if isinstance(part, (list, tuple)):
            if part and not isinstance(part[0], Mapping):
                return part
            return [columns_of(part, self.names)] if part else []
        return [part]


def _instead(blocks: PartBlocks, chunks: Iterator[Any], known: Schema | None) -> Iterator[Any]:
    """What was kept; nothing is read."""
    return iter(blocks.chunks)


def chunks_of(rows: Rows, *said: Any) -> Iterator[Chunk]:
    """The rows of a partition, which may be none: others have some.

    Parameters
    ----------
    rows : of one partition
    said : as for `Rows.chunks`
    """
    try:
        yield from rows.chunks(*said)
    except NoRows:
        return


def columns_of(records: Sequence[Mapping[Any, Any]], names: tuple[Any, ...] | None = None) -> dict[Any, list[Any]]:
    """Records as columns; what a record lacks is missing.

    >>> columns_of([{"age": 31}, {"age": 25, "ill": "yes"}])
    {'age': [31, 25], 'ill': [None, 'yes']}
    """
    names = names if names is not None else names_of(records)
    return {name: [record.get(name) for record in records] for name in names}


def names_of(records: Iterable[Mapping[Any, Any]]) -> tuple[Any, ...]:
    """The keys of all records, in the order that they are met."""
    return tuple(dict.fromkeys(name for record in records for name in record))


def is_parquet(part: Any) -> bool:
    """Whether a partition lies in Parquet files."""
    return isinstance(part, PartFiles) and are_typed(part.paths)


def beside(part: WithTarget, where: str) -> Any:
    """A table with its targets and weights as two more columns."""
    added = {name: given for name, given in ((TARGET, part.y), (WEIGHT, part.w)) if given is not None}
    for name, given in added.items():
        if len(given) != len(part.table):
            what = "y" if name == TARGET else "sample_weight"
            got = Said(f"{len(given)} for {len(part.table)} rows")
            raise bad(where, what, "one for each row of its partition", got, "Divide both alike.")
    if hasattr(part.table, "assign"):  # pandas
        return part.table.assign(**{name: np.asarray(given) for name, given in added.items()})
    X = np.asarray(part.table)
    return {**{f"x{j}": X[:, j] for j in range(X.shape[1])}, **{name: np.asarray(v) for name, v in added.items()}}


def is_empty(part: Any) -> bool:
    """Whether a partition certainly holds no rows."""
    table = part.table if isinstance(part, WithTarget) else part
    if isinstance(table, PartFiles):
        return not table.paths
    if isinstance(table, Mapping):
        return all(len(cells) == 0 for cells in table.values())
    rows = getattr(table, "num_rows", None)  # Arrow
    return rows == 0 if rows is not None else hasattr(table, "__len__") and len(table) == 0
