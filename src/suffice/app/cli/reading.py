"""Files on the command line: which they are, how they are written, and what their columns are for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any

import click

from suffice.app.engines.engine_session import EngineSession
from suffice.app.report.command_words import spelled, told
from suffice.app.terminal.guard import say
from suffice.app.terminal.pipes import stored
from suffice.app.terminal.progress import parts_told, watched
from suffice.core.errors import BadInput, shown
from suffice.core.kinds import Kind
from suffice.core.schema import Column, Schema
from suffice.estimators.state.fitted import FittedModel
from suffice.sources.engines.file_source import FileSource
from suffice.sources.engines.open_engine import open_engine
from suffice.sources.engines.partitioned_source import PartitionedRows, PartitionedSource
from suffice.sources.files.chunk import Chunk
from suffice.sources.files.kept import Kept
from suffice.sources.files.read_report import Report
from suffice.sources.files.roles import Roles
from suffice.sources.files.rows import Rows, open_rows
from suffice.sources.files.text_format import MISSING, Format
from suffice.sources.tables.analyzer import Analyzer

Watch = Callable[[Iterator[Chunk]], Iterator[Chunk]]


@dataclass(frozen=True)
class FileReading:
    """Files, and what was said about them."""

    files: tuple[str | Kept, ...]
    format: Format
    roles: Roles = field(default_factory=Roles)
    kinds: Mapping[str, Any] = field(default_factory=dict)
    session: EngineSession | None = None  # whose workers read them; None: they are read here
    keep: int | None = (
        None  # bytes that a fit in passes may take; None: nothing here, a share of its memory on a worker
    )

    @classmethod
    def of(
        cls,
        files: Sequence[str],
        *,
        separator: str | None = None,
        quote: str = '"',
        encoding: str = "utf-8",
        decimal: str = ".",
        missing: Sequence[str] = (),
        present: Sequence[str] = (),
        limit: float = 0.01,
        target: str | None = None,
        weights: str | None = None,
        ignore: Sequence[str] = (),
        identifier: Sequence[str] = (),
        kinds: Mapping[str, Any] | None = None,
        header: bool = True,
        written: Mapping[str, str] | None = None,
        engine: str | None = None,
        workers: int | None = None,
        scheduler: str | None = None,
        keep: int | None = None,
    ) -> FileReading:
        """From the options of a command."""
        asked = (engine, workers, scheduler)
        session = None if asked == (None, None, None) else EngineSession.of(*asked)
        sign = None if quote == "none" else quote
        try:
            absent = tuple(text for text in (*MISSING, *missing) if text not in present)
            format = Format(
                encoding, separator, sign, decimal, missing=absent, limit=limit, header=header, written=written or {}
            )
            roles = Roles(target, weights, ignore=tuple(ignore), identifier=tuple(identifier))
        except BadInput as error:  # no file was looked at: it is the command line that cannot be
            raise click.UsageError(told(error), click.get_current_context(silent=True)) from None
        if session is not None:
            session.check(files)
        return cls(stored(files), format, roles, dict(kinds or {}), session, keep)

    def rows(self, analyzer: Analyzer | None = None) -> Rows:
        """Their rows."""
        return open_rows(list(self.files), self.roles, self.kinds, self.format, analyzer, keep=self.keep or 0)

    def partitions(self, doing: str, analyzer: Analyzer | None = None) -> PartitionedRows:
        """Their rows, on the engine, which runs from now on."""
        assert self.session is not None
        self.session.start()
        files, progress = list(self.files), parts_told(doing)
        said: dict[str, Any] = {"roles": self.roles, "kinds": self.kinds, "format": self.format, "analyzer": analyzer}
        return open_engine(files, self.session.engine, progress=progress, keep=self.keep, **said)

    def source(
        self, plan: Any, doing: str, number: Any = None, watch: Watch | None = None, analyzer: Analyzer | None = None
    ) -> FileSource | PartitionedSource:
        """Their rows as a plan reads them, here or on the engine.

        Parameters
        ----------
        plan : of a learner
        doing : for the line of progress
        number : the column of numbers to predict, where it holds such
        watch : what chunks are handed through where they are read here
        analyzer : how texts become words
        """
        if self.session is not None:
            parts = self.partitions(doing, analyzer)
            return PartitionedSource(parts if number is None else parts.without_target(), plan, number)
        rows = self.rows(analyzer)
        rows = rows if number is None else rows.without_target()
        return FileSource(rows, plan, number, watch=watch or (lambda chunks: watched_chunks(chunks, doing)))

    def names(self) -> tuple[Any, ...]:
        """The columns that are in the files, whatever their roles; only the first rows are read for that."""
        rows = open_rows(list(self.files), Roles(), {}, self.format)
        with closing(rows.chunks()) as chunks:  # type: ignore[type-var]
            next(chunks, None)
        return rows.schema.names

    def for_model(self, fitted: FittedModel, met: Sequence[Any] | None = None) -> Rows:
        """Their rows, as `as_model` reads them."""
        return self.as_model(fitted, met).rows(analyzer_of(fitted))

    def as_model(self, fitted: FittedModel, met: Sequence[Any] | None = None) -> FileReading:
        """The same files, read as the model's were: columns that it knows as what it knows them for, no others.

        Identifiers may be absent, and so may columns of which the model never saw a cell. `met` are the names of the
        columns that a model was trained on, for one whose members know these by other names.
        """
        names, schema = self.names(), schema_read(fitted)
        if met and not {name for column in schema.columns for name in _several(column.name)} & set(met):
            schema = Schema(tuple(Column(name, Kind.UNKNOWN) for name in met))
            Schema(tuple(Column(name, Kind.QUANTITATIVE) for name in met)).find(names)  # refuses files that lack some
        known = {name: column for column in schema.columns for name in _several(column.name)}
        if any(name not in names for column in schema.features for name in _several(column.name)):
            if met and self.roles.target in (None, *names):  # some models take any columns that are as many
                schema.find(names)
            return self  # of columns that have no names
        apart = {*self.roles.apart, *self.roles.identifier}
        plan = plan_read(fitted)
        told = hasattr(plan, "kinds") or _design(plan) is not None  # models of numbers take columns for what they show
        kinds = {
            name: _said(known[name])
            for name in names
            if name in known and name not in apart and (told or known[name].kind is Kind.IDENTIFIER)
        }
        if self.roles.target is not None:
            kinds[self.roles.target] = kind_of_labels(getattr(fitted.model, "classes", ()))
        ignore = tuple(name for name in names if name not in known and name not in apart)
        forms = {name: form for name, form in schema.forms.items() if name in names and name not in apart}
        format = replace(self.format, written={**forms, **self.format.written})
        roles = Roles(self.roles.target, self.roles.weight, ignore=ignore, identifier=self.roles.identifier)
        said = {name: kind for name, kind in kinds.items() if kind}
        return replace(self, roles=roles, kinds=said, format=format)


def _several(name: Any) -> tuple[Any, ...]:
    """The columns that one of a schema was made of: counts of all columns are kept as one."""
    return name if isinstance(name, tuple) else (name,)


def watched_chunks(chunks: Iterator[Chunk], doing: str) -> Iterator[Chunk]:
    """The same chunks, with a line of progress on a terminal."""
    return watched(chunks, lambda chunk: chunk.table.n, doing)


def analyzer_of(fitted: FittedModel) -> Analyzer | None:
    """How the model's texts became words."""
    return getattr(fitted.plan, "analyzer", None)


def warn_of_bad(report: Report) -> None:
    """Say what was not read as it was written."""
    for sentence in remarks(report):
        say(sentence)


def remarks(report: Report) -> list[str]:
    """What was not read as it was written, a sentence each."""
    told = [
        f"Bad cells in column {column.name!r}, taken as missing: {column.bad:,}, the first {shown(column.text)} in row "
        f"{column.first_bad}."
        for column in report.columns
        if column.bad
    ]
    counted = (
        (report.unlabelled, "Rows without a target, left out", ""),
        (report.short, "Rows with too few cells, the others taken as missing", ""),
        (report.long, "Rows with too many cells, not read", f", the first of them row {report.first_long}"),
        (report.cut, "Files that end within a row", ""),
        (report.nuls, "NUL characters, removed", ""),
    )
    said = [f"{what}: {count:,}{where}." for count, what, where in counted if count]
    return [*told, *said, *map(_sentence, report.notes)]


def _sentence(note: str) -> str:
    words = spelled(note)
    return words if words.endswith(".") else f"{words}."


def _said(column: Column) -> Any:
    """A column's kind as a user says it; None of a column that the model does not know a cell of."""
    if column.kind is Kind.UNKNOWN:
        return None
    return list(column.order) if column.order else column.kind.value


def kind_of_labels(labels: Sequence[Any]) -> str | None:
    """The kind as which a target is read so that its labels are the model's; None where they are of many types."""
    for types, kind in _LABELS:
        if labels and all(isinstance(label, types) for label in labels):
            return kind.value
    return None


_LABELS: tuple[tuple[Any, Kind], ...] = (
    (bool, Kind.BOOLEAN),
    (str, Kind.CATEGORICAL),
    ((int, float), Kind.QUANTITATIVE),
)


def schema_read(fitted: FittedModel) -> Schema:
    """The columns that a model reads, before they become others; of an estimator around some, of the first inside."""
    helds = getattr(fitted.model, "helds", ())
    return schema_read(helds[0].live._state()[0]) if helds else getattr(_design(fitted.plan), "schema", fitted.schema)


def columns_known(fitted: FittedModel, met: Sequence[Any] | None) -> tuple[Any, ...]:
    """The columns of training in their order; `met` are their names where an estimator kept them."""
    return tuple(name for given in met or schema_read(fitted).names for name in _several(given))


def _design(plan: Any) -> Any:
    """By what columns of a table become numbers; None where all are, or where the model knows them as they are."""
    design = getattr(plan, "design", None)
    return None if design is None or getattr(design, "plain", False) else design


def plan_read(fitted: FittedModel) -> Any:
    """The plan that reads the columns."""
    helds = getattr(fitted.model, "helds", ())
    return plan_read(helds[0].live._state()[0]) if helds else fitted.plan
