"""The source of files and streams: rows that are read chunk by chunk, whose columns show their kinds as they come."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np

from suffice.core.block import Array, Block, LateNumbers, take
from suffice.core.errors import BadInput
from suffice.core.kinds import Kind, Storage
from suffice.core.learner import Lift, Summarize, add_joined
from suffice.core.schema import Schema
from suffice.core.summary import Summary, kept_bytes
from suffice.numerics.loop import whole
from suffice.sources.engines.kept_blocks import KeptBetweenPasses, are_typed
from suffice.sources.engines.memory import cut
from suffice.sources.files.chunk import Chunk
from suffice.sources.files.roles import absent
from suffice.sources.files.rows import Rows
from suffice.sources.tables.columns import Columns
from suffice.sources.tables.grid import Grid
from suffice.sources.tables.parts import refuse_strangers
from suffice.sources.tables.table import Table
from suffice.sources.written.written_target import not_numbers

WRITTEN = 8  # bytes of a file that are about a cell
TOGETHER = 16  # chunks whose summaries are added at once, so that a growing vocabulary is not united with each
HEAVY = 8 << 20  # bytes of summaries from which they are added before


class ReadsChunks(Protocol):
    """What a plan says of chunks."""

    def chunk(self, table: Table, schema: Schema) -> tuple[Table, Schema]:
        """A chunk of a table as the plan reads it, and the schema it is read with."""


def as_read(chunks: Iterator[Any], known: Schema | None) -> Iterator[Any]:
    """Nothing is kept."""
    return chunks


@dataclass(frozen=True)
class FileSource:
    """Rows of files and streams, read as a plan asks.

    Parameters
    ----------
    rows : made by `open_rows`; where the target holds numbers to predict, it is one of their columns
    plan : what reads them; its kinds and its analyzer go before those of the rows
    number : the name of a column of numbers to predict
    known : the schema of all rows, where a pass before has found it
    watch : what chunks are handed through as they come, such as a line of progress
    order : names of the columns of a model that the rows are for: files may have them in any order
    forms : in which columns of numbers and dates are written, as a model that the rows are for has met them
    note : what every block of a pass is shown to before it is summarized, such as what keeps a ledger
    first : the number of the first row, where others are read elsewhere
    number_rows : how rows are numbered that have no fixed order: a hash of what they hold, once somebody asks
    keep : what the blocks of a pass go through, such as what keeps them for the next one, or has kept them; it is told
        the schema that they are read with
    """

    rows: Rows
    plan: ReadsChunks
    number: Any = None
    known: Schema | None = None
    watch: Callable[[Iterator[Chunk]], Iterator[Chunk]] = iter
    note: Any = None
    order: tuple[Any, ...] | None = None
    first: int = 0
    number_rows: Callable[[Block], Array] | None = None
    forms: Mapping[Any, str] = field(default_factory=dict)
    keep: Callable[[Iterator[Any], Schema | None], Iterator[Any]] = as_read

    @property
    def schema(self) -> Schema:
        """The features, as far as they are known."""
        return self.rows.schema if self.known is None else self.known

    @property
    def settled(self) -> bool:
        """Whether the schema is that of all rows."""
        return self.known is not None

    @property
    def rereadable(self) -> bool:
        """Whether there can be a second pass."""
        return self.rows.rereadable

    def read_as(self, schema: Schema) -> FileSource:
        """The same rows, read with a schema that is known."""
        return replace(self, known=schema)

    def for_passes(self) -> FileSource:
        """The same rows, of which it is known that they will be read more than once: kept if that was asked for."""
        if not self.rows.keep or self.keep is not as_read:
            return self
        paths = getattr(self.rows.origin, "paths", ())
        return replace(self, keep=KeptBetweenPasses(self.rows.keep, self.rows, bool(paths) and are_typed(paths)))

    def read_by(self, plan: ReadsChunks) -> FileSource:
        """The same rows, read as another plan asks."""
        return replace(self, plan=plan, known=None)

    def reduce(self, open: Callable[[Schema], Summarize], lift: Lift) -> tuple[Schema, Summary]:
        """Chunk by chunk; what is known of the columns grows with the rows, and summaries are lifted to it.

        Where all cells of a column show another kind than its first, the rows are read again, once: where odd cells
        stand makes no difference, and neither does the order of files.
        """
        try:
            found = self._reduce(open, lift)
            mistaken = self.rows.mistaken
        except BadInput:  # of a cell, perhaps, that is bad only as what the first cells were
            mistaken = self.rows.settle(*self._said)
            if not mistaken:
                raise
        if not mistaken:
            return found
        begin = getattr(open, "begin", None)
        if begin is not None:
            begin()
        return self._reduce(open, lift)

    def _reduce(self, open: Callable[[Schema], Summarize], lift: Lift) -> tuple[Schema, Summary]:
        done: list[tuple[Schema, Any]] = []
        held = 0
        shown: Schema | None = None
        summarize: Summarize | None = None
        if self.note is not None:
            self.note.begin()
        for schema, cells, blocks in self.keep(self._chunks(), self.known):
            if summarize is None or schema != shown:
                shown, summarize = schema, self._noting(schema, open(schema))
            with whole(cells):
                done.append((schema, _added(summarize(block) for block in blocks)))
            held += kept_bytes(done[-1][1])
            if len(done) == TOGETHER or held > HEAVY:
                done, held = [add_joined(done, lift)], 0
        if not done:
            open(self.plan.chunk(Columns({}), self.schema)[1])  # says that there is nothing to learn from
        return add_joined(done, lift)

    def _noting(self, schema: Schema, summarize: Summarize) -> Summarize:
        """Show blocks to who takes note of them, then summarize them."""
        if self.note is None:
            return summarize

        def noted(block: Block) -> Summary:
            self.note.add(schema, block)
            return summarize(block)

        return noted

    def map(self, predict: Callable[[Block], Array]) -> Array:
        """Apply to every block, in the order of the rows; those without a target too."""
        return np.concatenate([predict(block) for _, _, blocks in self._chunks(every=True) for block in blocks])

    def _chunks(self, every: bool = False) -> Iterator[tuple[Schema, int, Iterator[Block]]]:
        """A schema that can read a chunk, the cells that the table has at least, and the blocks of the chunk.

        Before a column is known that is a feature, rows tell their target at least: they wait until one is.
        """
        waiting: list[Chunk] = []
        for chunk in self.watch(self.rows.chunks(*self._said)):
            features = self.features(chunk.schema)
            table, schema = self._read(chunk, features)
            if not schema.parts and not getattr(table, "together", False):
                waiting.append(chunk)
                continue
            cells = max(self.rows.size // WRITTEN, (chunk.start + chunk.table.n) * len(features.columns))
            for one in waiting:
                yield schema, cells, self._blocks(one, *self._read(one, features), every)
            waiting.clear()
            yield schema, cells, self._blocks(chunk, table, schema, every)

    @property
    def _said(self) -> tuple[Any, Any, Any]:
        """Kinds, analyzer and forms that the plan and the model say."""
        forms = self.forms if self.known is None else self.known.forms
        return getattr(self.plan, "kinds", None), getattr(self.plan, "analyzer", None), forms

    def features(self, schema: Schema) -> Schema:
        """The columns without the target, where that is one of them, in the order of the model that they are for."""
        columns = tuple(column for column in schema.columns if self.number is None or column.name != self.number)
        features = schema if len(columns) == len(schema.columns) else Schema(columns)
        return features if self.order is None else self._asked(features).ordered(self.order)

    def _asked(self, features: Schema) -> Schema:
        """Without the columns that the model does not know, where it has learned: some know columns by place alone."""
        assert self.order is not None
        known, names = self.known, set(features.names)
        if known is None or not names.issuperset(self.order) or names.issubset({*self.order, *known.names}):
            return features
        return Schema(tuple(c for c in features.columns if c.name in self.order or c.name in known.names))

    def _read(self, chunk: Chunk, features: Schema) -> tuple[Table, Schema]:
        table, schema = self.plan.chunk(named(chunk.table), features)
        return table, schema if self.known is None else self.known

    def _blocks(self, chunk: Chunk, table: Table, schema: Schema, every: bool) -> Iterator[Block]:
        """The rows that have a target, where one is asked for; or all of them."""
        y = chunk.y if self.number is None else self._numbers(chunk)
        keep = ~np.isnan(y[:, 0]) if isinstance(y, np.ndarray) else chunk.keep
        for rows in cut(slice(0, table.n), table.at_once(schema)):
            parts, start = table.parts(schema, rows), self.first + (chunk.start + rows.start)
            if schema.parts:  # where a table is handed on as it is, who reads it looks
                refuse_strangers(schema, parts, start)
            w = None if chunk.w is None else chunk.w[rows]
            block = Block(parts, None if y is None else take(y, rows), w, start)
            if self.number_rows is not None and (self.known is not None or self._numbers_alone(chunk)):
                block = block._replace(apart=LateNumbers(self.number_rows, block))
            yield block if every or keep is None or keep[rows].all() else block.take(np.flatnonzero(keep[rows]))

    def _numbers_alone(self, chunk: Chunk) -> bool:
        """Whether all columns are numbers: rows of other partitions are then read alike, before all were looked at."""
        return all(column.kind.storage is Storage.NUMBERS for column in self.features(chunk.schema).columns)

    def _numbers(self, chunk: Chunk) -> Array:
        """Numbers to predict (n, 1), NaN where missing."""
        if self.number not in chunk.schema.names:
            raise absent(getattr(self.plan, "owner", "fit"), "the target column", self.number, chunk.schema.names)
        column = chunk.schema.columns[chunk.schema.names.index(self.number)]
        if column.kind is Kind.UNKNOWN:
            return np.full((chunk.table.n, 1), np.nan)
        if column.kind.storage is not Storage.NUMBERS:
            raise not_numbers(getattr(self.plan, "owner", "fit"), column)
        (values,) = named(chunk.table).parts(Schema((column,)), slice(0, chunk.table.n))
        return np.asarray(values, dtype=np.float64)


def named(table: Table) -> Table:
    """A table whose columns are known by name; those of an array are x0, x1, ..."""
    if not isinstance(table, Grid):
        return table
    return Columns({f"x{j}": table.X[:, j] for j in range(table.X.shape[1])}, table.analyzer)


def _added(summaries: Iterable[Any]) -> Any:
    """Their sum; heavy ones are added as they come, so that no more than two or three are kept."""
    done: list[Any] = []
    held = 0
    for summary in summaries:
        done.append(summary)
        held += kept_bytes(summary)
        if held > HEAVY and len(done) > 1:
            done, held = [type(done[0]).sum(done)], 0
    return done[0] if len(done) == 1 else type(done[0]).sum(done)
