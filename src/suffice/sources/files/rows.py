"""Rows from anywhere, chunk by chunk: files of any size, folders, open files, streams of tables."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any, Protocol

from suffice.core.errors import BadInput, bad
from suffice.core.schema import Schema
from suffice.sources.files.chunk import Chunk
from suffice.sources.files.csv_files import Engine, Splitting, read_engine
from suffice.sources.files.files import Files, OpenFile, Pages, find_files
from suffice.sources.files.kept import Kept
from suffice.sources.files.page import Once, is_table, table_pages
from suffice.sources.files.read_ahead import read_ahead
from suffice.sources.files.read_report import Report
from suffice.sources.files.resolver import Resolver
from suffice.sources.files.roles import Roles
from suffice.sources.files.text_format import Format
from suffice.sources.tables.analyzer import PLAIN_WORDS, Analyzer
from suffice.sources.written.shown_kinds import Shown


class PageOrigin(Protocol):
    """Where pages come from."""

    @property
    def name(self) -> str:
        """What messages call it."""

    def pages(self, roles: Roles, format: Format, engine: Splitting) -> Pages:
        """The rows, from the first on."""


@dataclass(frozen=True)
class Tables:
    """Tables that come one by one."""

    tables: Iterable[Any] | Once
    name: str = "rows"

    def pages(self, roles: Roles, format: Format, engine: Splitting) -> Pages:
        """One page a table."""
        return table_pages(self.tables.take() if isinstance(self.tables, Once) else self.tables)


@dataclass
class Rows:
    """Rows that are read chunk by chunk; made by `open_rows`."""

    origin: PageOrigin
    roles: Roles
    kinds: Mapping[Any, Any]
    format: Format
    analyzer: Analyzer
    engine: Engine
    judged: bool = True  # whether too many bad cells fail; those of a partition are judged with all others
    keep: int = 0  # bytes that a fit in passes may take to keep what it has read

    def __post_init__(self) -> None:
        """Nothing is read yet."""
        self._settled: dict[Any, Shown] = {}
        self._pass = Resolver(self.roles, self.kinds, self.format, self.analyzer)

    def chunks(
        self,
        kinds: Mapping[Any, Any] | None = None,
        analyzer: Analyzer | None = None,
        forms: Mapping[Any, str] | None = None,
    ) -> Iterator[Chunk]:
        """All rows, from the first on; a stream can be read once, everything else again and again.

        Files are read and split by a thread of their own, while the chunks before are worked on.

        Parameters
        ----------
        kinds : more declared kinds, which go before those that the rows were opened with
        analyzer : how texts become words, in place of what the rows were opened with
        forms : in which columns of numbers and dates are written, where the format does not say
        """
        said = {**self.kinds, **(kinds or {})}
        work = self._pass = Resolver(self.roles, said, self.format, analyzer or self.analyzer, self._settled, forms)
        work.ledger.limit = self.format.limit if self.judged else 1.0
        work.rereadable = self.rereadable and not self._settled and not isinstance(self.origin, Tables)
        pages = self.origin.pages(self.roles, self.format, Splitting(self.engine, work.expected))
        if not isinstance(self.origin, Tables):  # whose makers may belong to this thread
            pages = read_ahead(pages)
        with closing(pages):  # type: ignore[type-var]
            for page in pages:
                chunk = work.chunk(page)
                if chunk.table.n:
                    yield chunk
        work.end(self.origin.name)
        self._settled |= work.again()

    def settle(self, *said: Any) -> bool:
        """Read all rows for what their columns are, where that is not known yet; whether their first cells misled.

        Parameters
        ----------
        said : as for `chunks`
        """
        if not self.rereadable or self._settled or isinstance(self.origin, Tables):
            return False
        try:
            for _ in self.chunks(*said):
                pass
        except BadInput:
            return False
        return self.mistaken

    @property
    def mistaken(self) -> bool:
        """Whether columns are not what their first cells were, by all cells of the last pass: then read again."""
        return bool(self._pass.again())

    @property
    def rereadable(self) -> bool:
        """Whether there can be a second pass: not over an iterator, nor over a file that cannot go back."""
        if isinstance(self.origin, Tables):
            return not isinstance(self.origin.tables, Once)
        return not isinstance(self.origin, OpenFile) or self.origin.start is not None

    def without_target(self) -> Rows:
        """The same rows, whose target is one of the columns, as it is where it holds numbers to predict."""
        if self.roles.target is None:
            return self
        return replace(self, roles=replace(self.roles, target=None))

    @property
    def size(self) -> int:
        """Bytes that there are to read, packed as they are; 0 where nobody knows before."""
        return int(getattr(self.origin, "size", 0))

    @property
    def report(self) -> Report:
        """What the last pass met, or has met so far."""
        return self._pass.ledger.report()

    @property
    def label_texts(self) -> dict[Any, tuple[str, ...]]:
        """How labels were written that the last pass read as numbers or truth values."""
        target = self._pass.target
        return {} if target is None else {label: tuple(sorted(texts)) for label, texts in target.met.items()}

    @property
    def schema(self) -> Schema:
        """The features, as far as the last pass knows them."""
        return self._pass.schema


def open_rows(
    what: Any,
    roles: Roles | None = None,
    kinds: Mapping[Any, Any] | None = None,
    format: Format | None = None,
    analyzer: Analyzer | None = None,
    engine: str | None = None,
    keep: int = 0,
) -> Rows:
    r"""Rows of any number, to be read chunk by chunk. Nothing is read before `chunks` is.

    Parameters
    ----------
    what : a path, folder or pattern such as "part-*.csv", a list of these, an open file, a table, or tables one by one
    roles : the target, the weight and other columns that are no features
    kinds : mapping column -> kind, overriding what is written; a list of values, lowest first, is an ordinal
    format : how text files are written, and how much is forgiven
    analyzer : how texts become words
    engine : what splits text: "csv" is the standard library, "pyarrow" faster; None takes what pays and is installed
    keep : bytes of memory that a model in passes may take to keep what it has read from one pass to the next; rows that
        do not fit are read again in each, as all are by default

    >>> import io
    >>> rows = open_rows(io.StringIO("age,ill\n31,yes\nold,no\n"), Roles(target="ill"))
    >>> [chunk.y.labels for chunk in rows.chunks()]
    [(('yes', 'no'),)]
    >>> print(rows.schema)
    column  kind
    age     categorical
    """
    roles = Roles() if roles is None else roles
    format = Format() if format is None else format
    kinds = {} if kinds is None else kinds
    for name, value, needed in (("roles", roles, Roles), ("kinds", kinds, Mapping), ("format", format, Format)):
        if not isinstance(value, needed):
            raise bad("open_rows", name, f"a {needed.__name__}", value, "See its documentation.")
    if not (isinstance(keep, int) and keep >= 0):
        raise bad("open_rows", "keep", "a number of bytes, at least 0", keep, "Use 0 to keep nothing.")
    return Rows(_origin(what), roles, kinds, format, analyzer or PLAIN_WORDS, read_engine(engine), keep=keep)


def _origin(what: Any) -> PageOrigin:
    if isinstance(what, (str, os.PathLike)):
        return Files(find_files([what]))
    if hasattr(what, "read") and not hasattr(what, "read_next_batch"):
        return OpenFile.of(what)
    if is_table(what):
        return Tables([what])
    if isinstance(what, (list, tuple)):
        return _of_list(what)
    if hasattr(what, "__next__") or hasattr(what, "read_next_batch"):
        return Tables(Once(iter(what)))
    if hasattr(what, "__iter__") and not isinstance(what, (bytes, bytearray)):
        return Tables(what)
    rule = "a path, a folder, a pattern, an open file, a table, or a series of these"
    raise bad("open_rows", "what", rule, what, "Pass where the rows are.")


def _of_list(what: list[Any] | tuple[Any, ...]) -> PageOrigin:
    if not what:
        raise bad("open_rows", "what", "at least one file or table", what, "Pass where the rows are.")
    paths = [isinstance(one, (str, os.PathLike, Kept)) for one in what]
    if all(paths):
        return Files(find_files(what))
    if any(paths) or not all(map(is_table, what)):
        raise bad("open_rows", "what", "a list of paths or a list of tables", what, "Pass only one of them.")
    return Tables(list(what))
