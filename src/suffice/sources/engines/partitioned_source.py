"""The source of rows that lie in partitions, on the workers of an engine: summaries travel, rows stay.

What one pass sends to the workers is what to do; what comes back, added in a tree on the workers, is one summary. Rows
are counted when somebody first asks for their numbers, kinds are settled when partitions first disagree: a model of one
pass reads rows that agree once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import accumulate
from typing import Any, ClassVar, Protocol

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.errors import BadInput, Said, SufficeError, bad
from suffice.core.folds import DrawnFolds, FoldOf, HashedFolds
from suffice.core.kinds import Kind, Storage
from suffice.core.learner import Lift, Summarize
from suffice.core.saving import bytes_value
from suffice.core.schema import Column, Schema
from suffice.core.summary import Summary
from suffice.sources.engines import partition_tasks as tasks
from suffice.sources.engines.kept_blocks import Keep
from suffice.sources.engines.noted_blocks import reduce_noted
from suffice.sources.engines.partition_tasks import PartitionTask
from suffice.sources.engines.read_partition import ReadPartition
from suffice.sources.engines.wire_format import pack, retold
from suffice.sources.files.read_report import Report
from suffice.sources.files.roles import Roles
from suffice.sources.files.text_format import Format
from suffice.sources.tables.analyzer import Analyzer
from suffice.sources.tables.columns import Columns
from suffice.sources.written.shown_kinds import Shown, ShownKinds

Worker = Callable[[bytes, Any, int, int | None], bytes]
Progress = Callable[[int, int], None]  # partitions done, and all


class Partitions(Protocol):
    """Where partitions lie and who works on them: one class an engine, in its own file."""

    engine: ClassVar[str]
    ordered: bool  # whether partitions, and the rows within each, have a fixed order
    records: bool  # whether rows are mappings, which may differ in their keys

    def each(self, work: Worker, task: bytes, firsts: Sequence[int | None] | None = None) -> list[bytes]:
        """What workers say of each partition, in their order; `firsts` are the numbers of their first rows."""

    def tree(self, work: Worker, task: bytes, firsts: Sequence[int | None] | None, progress: Progress | None) -> bytes:
        """What workers say of all partitions, added in a tree on the workers."""

    def answers(self, answer: Callable[[Any], Any], like: Callable[[Any], Any]) -> Any:
        """A table of answers for each partition, as the engine's own collection, not computed yet."""


@dataclass
class PartitionFacts:
    """What was found out about partitions, once for all passes."""

    counts: tuple[int, ...] | None = None
    labels: tuple[Mapping[Any, int], ...] | None = None
    settled: Mapping[Any, Shown] = field(default_factory=dict)
    names: tuple[Any, ...] | None = None  # of records

    @property
    def firsts(self) -> list[int] | None:
        """The number of the first row of each partition."""
        return None if self.counts is None else list(accumulate(self.counts, initial=0))[:-1]


@dataclass(frozen=True)
class PartitionedRows:
    """Rows in partitions and what their columns are for; made by `open_engine`, taken by `fit` and the others."""

    partitions: Any  # Partitions
    roles: Roles = field(default_factory=Roles)
    kinds: Mapping[Any, Any] = field(default_factory=dict)
    format: Format = field(default_factory=Format)
    analyzer: Analyzer = field(default_factory=Analyzer)
    progress: Progress | None = None
    facts: PartitionFacts = field(default_factory=PartitionFacts)
    keep: int | None = None  # bytes that a worker may keep of files between passes; None: a share of its memory
    rereadable: ClassVar[bool] = True

    def __reduce__(self) -> tuple[Any, ...]:
        """What is sent to workers may hold its source; the partitions, and who works on them, stay with the driver."""
        return PartitionedRows, (None, self.roles, self.kinds, self.format, self.analyzer)

    def without_target(self) -> PartitionedRows:
        """The same rows, whose target is one of the columns, as it is where it holds numbers to predict."""
        if self.roles.target is None:
            return self
        return replace(self, roles=replace(self.roles, target=None), facts=replace(self.facts, labels=None))


@dataclass
class PassFindings:
    """What the last pass has met: how labels were written, and missing and bad cells."""

    label_texts: dict[Any, tuple[str, ...]] = field(default_factory=dict)
    report: Report = field(default_factory=Report)
    again: bool = False  # whether the rows are read more than once
    partitions: Any = None  # as the engine keeps them between passes


@dataclass(frozen=True)
class PartitionedSource:
    """Rows of partitions, read as a plan asks: the source contract, whatever the engine."""

    parts: PartitionedRows
    plan: Any
    number: Any = None
    known: Schema | None = None
    order: tuple[Any, ...] | None = None
    rows: PassFindings = field(default_factory=PassFindings)
    note: Any = None  # what every block is shown to on its worker, such as what keeps a ledger

    rereadable: ClassVar[bool] = True

    @property
    def schema(self) -> Schema:
        """The features, as far as they are known."""
        return Schema(()) if self.known is None else self.known

    @property
    def settled(self) -> bool:
        """Whether the schema is that of all rows."""
        return self.known is not None

    def read_as(self, schema: Schema) -> PartitionedSource:
        """The same rows, read with a schema that is known."""
        return replace(self, known=schema)

    def reduce(self, open: Callable[[Schema], Summarize], lift: Lift) -> tuple[Schema, Summary]:
        """Summaries of partitions, added in a tree; what the workers lack is found out, and the pass repeated."""
        if self.note is not None:
            return reduce_noted(self.note, replace(self, note=None), open, lift)
        source, facts, tried = self, self.parts.facts, set()
        self._name_records()
        while True:
            task = pack(PartitionTask(source._kept(), open, lift))
            firsts = facts.firsts if self.parts.partitions.ordered else None
            answer = bytes_value(self._partitions().tree(tasks.summarize_partition, task, firsts, self.parts.progress))
            kind = answer[0]
            if kind == tasks.SUM:
                found = tasks.Sum(*answer)
                self.rows.label_texts, self.rows.report = found.texts, Report.of_plain(found.report)
                self.rows.again = True
                self.rows.report.judge(f"rows on {self.parts.partitions.engine}", self.parts.format.limit)
                return found.schema, found.summary
            if kind == tasks.EMPTY:
                raise self._no_rows()
            if kind == tasks.UNSENT:
                raise self.in_memory_only()
            if kind == tasks.REFUSED or kind in tried:
                raise self._refused(answer)
            tried.add(kind)
            source = source._find_out(kind, answer)

    def gather(self, work: Worker, add: Callable[[Sequence[tuple[Any, ...]]], tuple[Any, ...]]) -> tuple[Any, ...]:
        """What workers answer of all partitions, added in a tree on the workers in a way of its own.

        What columns are is settled by a pass before, so that all partitions are read alike.

        Parameters
        ----------
        work : answers of a partition: ("sum", its number, what adds ...)
        add : several such answers as one
        """
        self._name_records()
        seen = self._look((tasks.DISAGREE, 0))
        symbols = {column.name: Kind.CATEGORICAL.value for column in seen.columns if column.kind is Kind.CATEGORICAL}
        format = replace(self.parts.format, written={**seen.forms, **self.parts.format.written})
        parts = replace(self.parts, kinds={**symbols, **self.parts.kinds}, format=format)
        task = pack(PartitionTask(replace(self, parts=parts)._read(), add=add))
        answer: tuple[Any, ...] = bytes_value(self.parts.partitions.tree(work, task, None, self.parts.progress))
        if answer[0] == tasks.EMPTY:
            raise self._no_rows()
        if answer[0] != tasks.SUM:
            raise self._refused(answer)
        return answer

    def _find_out(self, kind: str, answer: tuple[Any, ...]) -> PartitionedSource:
        """What the workers lacked: numbers of rows, or what the columns are."""
        if kind == tasks.UNCOUNTED and self.parts.partitions.ordered:
            self.count()
            return self
        return replace(self, known=self._look(answer))

    def for_passes(self) -> PartitionedSource:
        """The same rows, of which it is known that they will be read more than once."""
        self.rows.again = True
        return self

    def counted(self) -> PartitionedSource:
        """The same rows, of which it is known that their numbers will be asked for: no pass fails for want of them."""
        self._name_records()
        if self.parts.partitions.ordered:
            self.count()
        return self

    def _partitions(self) -> Any:
        """The partitions; where they are read again, as their engine keeps them meanwhile, if it does."""
        found = self.parts.partitions
        if not self.rows.again or self.parts.keep == 0 or not hasattr(found, "for_passes"):
            return found
        if self.rows.partitions is None:
            self.rows.partitions = found.for_passes()
        return self.rows.partitions

    def _kept(self) -> ReadPartition:
        """How partitions are read; what is read again is kept by its workers meanwhile."""
        read = self._read()
        if not self.rows.again:
            return read
        reading = sha256(pack(replace(read, known=None))).hexdigest()
        return replace(read, keep=Keep(reading, self.parts.keep))

    def _read(self, **more: Any) -> ReadPartition:
        rows = self.parts
        facts = rows.facts
        return ReadPartition(
            rows.roles,
            rows.kinds,
            rows.format,
            rows.analyzer,
            self.plan,
            self.number,
            self.order,
            self.known,
            facts.settled,
            facts.names,
            hashed=not rows.partitions.ordered,
            **more,
        )

    def count(self, labels: bool = False) -> None:
        """Count the rows of each partition, once; with their labels where folds are drawn."""
        facts = self.parts.facts
        if (facts.labels if labels else facts.counts) is not None:
            return
        found = self._each(tasks.count_partition, self._read(counts_labels=labels))
        facts.counts = tuple(int(one[2]) for one in found)
        if labels:
            facts.labels = tuple(one[3] for one in found)

    def _name_records(self) -> None:
        """Find the keys of all records, once; other rows have columns of their own."""
        if not self.parts.partitions.records or self.parts.facts.names is not None:
            return
        found = self._each(tasks.keys_of_partition, ReadPartition())
        self.parts.facts.names = tuple(dict.fromkeys(name for one in found for name in one[2]))

    def _each(self, work: Worker, read: ReadPartition) -> list[tuple[Any, ...]]:
        return self.ask(work, pack(PartitionTask(read)))

    def ask(self, work: Worker, task: bytes) -> list[tuple[Any, ...]]:
        """What workers answer of each partition, in their order; the first refusal is raised."""
        firsts = self.parts.facts.firsts if self.parts.partitions.ordered else None
        answers = self._partitions().each(work, task, firsts)
        found = sorted((bytes_value(one) for one in answers), key=lambda one: int(one[1]))
        for one in found:
            if one[0] == tasks.REFUSED:
                raise self._refused(one)
        return found

    def _look(self, answer: tuple[Any, ...]) -> Schema:
        """The schema of all partitions; where written columns are of two minds, what all their cells show decides."""
        found = [one for one in self._each(tasks.look_at_partition, self._read()) if one[0] == tasks.SUM]
        if not found:
            raise self._no_rows()
        try:
            schema, odd = _joined(found), None
        except BadInput as error:
            schema, odd = Schema(()), error
        if schema.columns and len({one[4] for one in found if one[4] is not None}) < 2:
            return self._declared(schema)
        if not any(one[3] for one in found):  # typed columns, which mean what they say
            raise odd or self._refused(answer)
        self.parts.facts.settled = self._settled(found)
        found = [one for one in self._each(tasks.look_at_partition, self._read()) if one[0] == tasks.SUM]
        return self._declared(_joined(found))

    def _declared(self, schema: Schema) -> Schema:
        """As the plan reads such columns, going by one row that is made up."""
        row = Columns({column.name: _cell(column) for column in schema.columns})
        return self.plan.chunk(row, schema)[1]  # type: ignore[no-any-return]

    def _settled(self, found: Sequence[tuple[Any, ...]]) -> dict[Any, Shown]:
        """The kind and form that all cells of each written column show together."""
        taken: dict[Any, dict[Any, Column]] = {}  # what partitions took each column for
        shown: dict[Any, ShownKinds] = {}
        for _, _, schema, cells, target in found:
            columns = [column for column in schema.columns if column.kind is not Kind.UNKNOWN]
            for column in columns if target is None else [*columns, Column(self.parts.roles.target, target)]:
                taken.setdefault(column.name, {}).setdefault((column.kind, column.form), column)
            for name, counts in cells.items():
                shown.setdefault(name, ShownKinds()).join(counts)
        told: dict[Any, Shown] = {}
        for name, several in taken.items():
            first = next(iter(several.values()))
            labels = name == self.parts.roles.target
            instead = None if name not in shown else shown[name].instead(first, self.parts.format, labels=labels)
            if instead is not None or (len(several) > 1 and name in shown):
                told[name] = instead or Shown(first.kind, first.form)
        return told

    def place_folds(self, fold_of: FoldOf) -> FoldOf:
        """Folds that do not depend on who reads which rows: ranks begin in each partition where those before end."""
        if not self.parts.partitions.ordered:
            if isinstance(fold_of, DrawnFolds):
                return HashedFolds(fold_of.K, fold_of.seed)
            if isinstance(fold_of, HashedFolds):
                return fold_of
            name = type(fold_of).__name__
            rule = "a number of folds where rows have no fixed order"
            raise bad("cross-validation", "cv", rule, Said(name), "Give cv=5.")
        by_rank: Any = fold_of
        if not getattr(by_rank, "by_rank", False):
            return fold_of
        self.count(labels=True)
        facts = self.parts.facts
        assert facts.labels is not None
        assert facts.firsts is not None
        met: dict[Any, int] = {}
        begins: dict[int, dict[Any, int]] = {}
        for first, labels in zip(facts.firsts, facts.labels, strict=True):
            begins[first] = dict(met)
            for label, n in labels.items():
                met[label] = met.get(label, 0) + n
        placed: FoldOf = by_rank.beginning(begins)
        return placed

    def map(self, predict: Callable[[Block], Array]) -> Any:
        """Rows do not travel: what maps them is the answer of an estimator."""
        raise self.in_memory_only()

    def in_memory_only(self) -> BadInput:
        """The refusal of those who want all rows at once."""
        owner = getattr(self.plan, "owner", "fit")
        engine = self.parts.partitions.engine
        remedy = "Use an estimator of one pass or in passes, or gather the rows yourself."
        return bad(owner, "X", "a table in memory, as this takes all rows at once", Said(f"rows on {engine}"), remedy)

    def _no_rows(self) -> BadInput:
        return bad(getattr(self.plan, "owner", "fit"), "X", "a table with rows", Said("empty partitions"), "Give rows.")

    def _refused(self, answer: Iterable[Any]) -> SufficeError:
        _, number, *fields = answer
        if len(fields) == 3:
            return retold(*fields)
        rule = "such that its columns can be read"
        return bad(f"partition {number}", "the rows", rule, Said("only missing cells"), "Declare the kinds.")


def _joined(found: Sequence[tuple[Any, ...]]) -> Schema:
    """The schema of all partitions, in the order of the first one's columns; it is told which does not go with it."""
    schema: Schema = found[0][2]
    for _, number, other, *_ in found[1:]:
        try:
            schema = schema.join(other.ordered(schema.names))
        except BadInput as error:
            raise tasks.in_partition(error, number) from None
    return schema


def _cell(column: Column) -> Any:
    """A cell that a column of its kind may have."""
    if column.kind.storage is Storage.NUMBERS:
        return np.zeros(1)
    return [None if column.kind.storage is Storage.NOTHING else column.values[0] if column.values else ""]
