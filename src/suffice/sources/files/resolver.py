"""Pages become chunks: in one pass over the rows, what is known of the columns grows with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from suffice.core.block import Array, Coded
from suffice.core.errors import NoRows, Said, bad, refusal
from suffice.core.kinds import Kind, Storage
from suffice.core.schema import Column, Schema
from suffice.core.written_forms import is_date_form
from suffice.sources.files.chunk import Chunk
from suffice.sources.files.page import Page, TypedPage
from suffice.sources.files.read_report import Ledger
from suffice.sources.files.roles import Roles
from suffice.sources.files.text_format import Format
from suffice.sources.files.typed import TypedColumns, columns_of, gaps, labels_of, numbers_of, symbols_of
from suffice.sources.tables.analyzer import Analyzer
from suffice.sources.tables.table import Table, open_table
from suffice.sources.written.convert import convert
from suffice.sources.written.hints import check_forms, forms_told, hint
from suffice.sources.written.shown_kinds import LABEL_TRUTH, Shown, ShownKinds
from suffice.sources.written.written_cells import TRUTH, Text
from suffice.sources.written.written_table import WrittenColumn, WrittenTable
from suffice.sources.written.written_target import WrittenTarget, check_weights, read_written_weights


class Resolver:
    """What is known so far: names from the first page, kinds joined over all pages, and what was counted.

    A column that is known to hold numbers stays numbers, whatever comes; one that holds symbols keeps what is written.
    """

    def __init__(
        self,
        roles: Roles,
        kinds: Mapping[Any, Any],
        format: Format,
        analyzer: Analyzer,
        settled: Mapping[Any, Shown] | None = None,
        forms: Mapping[Any, str] | None = None,
    ) -> None:
        """Nothing is known yet, but what all cells of a pass before have shown, and the forms that a model has met."""
        self.forms = {**(forms or {}), **format.written}
        self.settled = settled or {}
        self.rereadable = False  # whether what first pages were mistaken for can be read again
        self.shown: dict[Any, ShownKinds] = {}
        self.roles, self.kinds, self.format, self.analyzer = roles, kinds, format, analyzer
        self.ledger = Ledger(format.limit)
        self.names: tuple[Any, ...] | None = None  # of all columns
        self.declared: dict[Any, Column] = {}
        self.known: dict[Any, Column] = {}  # the features, in table order
        self.target: WrittenTarget | None = None
        self._schema: Schema | None = None

    @property
    def schema(self) -> Schema:
        """The features, as far as they are known; the same value as long as nothing is learned about them."""
        if self._schema is None:
            self._schema = Schema(tuple(self.known.values()))
        return self._schema

    def _know(self, column: Column) -> Column:
        """What is known of a column, now that its cells were seen to be such."""
        known = self.known[column.name]
        if known.same(column) or column.kind is Kind.UNKNOWN:
            return known
        if column.name in self.declared:
            joined = replace(known, form=column.form) if column.form is not None else known
        else:
            joined = known.join(column)
        if not joined.same(known):
            self.known[column.name], self._schema = joined, None
        return joined

    def expected(self, name: Any) -> Kind:
        """What a column is taken for so far; for whoever reads ahead."""
        if name in (self.roles.target, self.roles.group):
            return Kind.CATEGORICAL
        known = self.known.get(name)
        return Kind.UNKNOWN if known is None else known.kind

    def chunk(self, page: Page | TypedPage) -> Chunk:
        """The rows of a page, read."""
        chunk = self._written(page) if isinstance(page, Page) else self._typed(page)
        self.ledger.rows += chunk.table.n
        self.ledger.check(page.where, end=False, later=self._later())
        return chunk

    def _later(self) -> list[Any]:
        """Columns that all cells may show to be something else, so that it is too early to call cells bad."""
        if not self.rereadable:
            return []
        return [name for name, shown in self.shown.items() if name not in self.declared or self._instead(name, shown)]

    def end(self, where: str) -> None:
        """After the last page: fail where too much was bad, or where there was nothing; unless rows are read again."""
        if not self.ledger.rows:
            got = Said("none below the names of the columns")
            raise refusal(NoRows, where, "the table", "rows", got, "Give it rows.", "must hold")
        if self.again():
            return
        for note in forms_told(where, self.known, self.declared, self.shown, self.format):
            self.ledger.note(note)
        self.ledger.check(where, end=True)

    def again(self) -> dict[Any, Shown]:
        """What columns are that first pages mistook for something else, going by all cells."""
        if not self.rereadable:
            return {}
        found = {name: self._instead(name, shown) for name, shown in self.shown.items()}
        return {name: instead for name, instead in found.items() if instead is not None}

    def _instead(self, name: Any, shown: ShownKinds) -> Shown | None:
        if name in self.forms:
            return None
        if name != self.roles.target:
            return shown.instead(self.known.get(name), self.format, name in self.declared)
        taken = None if self.target is None else Column(name, self.target.kind)
        return shown.instead(taken, self.format, labels=True)

    def _meet(self, where: str, names: tuple[Any, ...]) -> None:
        """The names of the first page decide; the others must have them all."""
        if self.names is None:
            self.roles.check(where, names)
            self.names = names
            identifiers = dict.fromkeys(self.roles.identifier, Kind.IDENTIFIER)
            unknown = Schema(tuple(Column(name, Kind.UNKNOWN) for name in names))
            said = {**identifiers, **self.kinds}
            self.declared = {c.name: c for c in unknown.declare("open_rows", said).columns if c.name in said}
            check_forms(where, names, self.format.written, self.declared)
            apart = {*self.roles.apart, *self.roles.ignore}
            self.known = {c.name: self.declared.get(c.name, c) for c in unknown.columns if c.name not in apart}
            self._schema = None
        elif names != self.names and set(names) != set(self.names):
            odd = next(name for name in (*self.names, *names) if (name in names) != (name in self.names))
            rule = "the same columns as the tables before it"
            raise bad(where, "the table", f"of {rule}", f"{odd!r} in one of them only", "Give all the same columns.")

    def _written(self, page: Page) -> Chunk:
        self._meet(page.where, page.names)
        self._count(page)
        start, role = self.ledger.rows, self.roles
        table = WrittenTable(
            {name: self._column(name, page.columns[name]) for name in self.known}, page.n, self.analyzer
        )
        y, keep = self._labels(role.target, page.columns[role.target]) if role.target is not None else (None, None)
        w = None
        if role.weight is not None:
            w = read_written_weights(role.weight, page.columns[role.weight], self.format, _needed(page, keep), start)
        group = self._group(role.group, page.columns[role.group]) if role.group is not None else None
        return Chunk(table, self.schema, start, y, w, group, keep)

    def _count(self, page: Page) -> None:
        ledger = self.ledger
        if page.long and ledger.first_long is None:
            ledger.first_long = ledger.rows + page.long[0]
        for what in ("short", "cut", "nuls"):
            ledger.count(what, getattr(page, what))
        ledger.count("long", len(page.long))
        for note in page.notes:
            ledger.note(f"{page.where}: {note}")

    def _column(self, name: Any, text: Text) -> WrittenColumn:
        known, declared = self.known[name], name in self.declared
        shown = self.shown.setdefault(name, ShownKinds())
        if not declared or known.kind.storage is Storage.NUMBERS:
            shown.add(text, self.format, TRUTH)
        if known.kind is Kind.UNKNOWN:
            kind, form = self._first(name, shown)
            known = Column(name, kind, form=form)
            if known.kind is Kind.CATEGORICAL and (said := hint(name, text, self.format)):
                self.ledger.note(said)
        elif declared and known.form is None and known.kind.storage is Storage.NUMBERS:
            known = replace(known, form=self._first(name, shown, known.kind).form)
        found = convert(text, self._to_read(known), self.format, declared)
        written = found.written if found.kind is Kind.BOOLEAN else None
        known = self._know(Column(name, found.kind, written=written, form=found.form))
        self.ledger.add(name, known.kind, text.n, found.missing, found.strange)
        return WrittenColumn(text, known, found, self.format)

    def _to_read(self, column: Column) -> Column:
        """A column in the form that was said or found before, which may read more than the cells so far have needed."""
        settled = self.settled.get(column.name)
        form = self.forms.get(column.name) or (settled.form if settled else None)
        if (
            form is None
            or column.kind.storage is not Storage.NUMBERS
            or (column.kind is Kind.DATE) != is_date_form(form)
        ):
            return column
        return replace(column, form=form)

    def _first(self, name: Any, shown: ShownKinds, kind: Kind | None = None) -> Shown:
        """What the first cells of a column show, or what was said or found before."""
        form = self.forms.get(name)
        settled = self.settled.get(name)
        if form is not None and (kind is None or (kind is Kind.DATE) == is_date_form(form)):
            return Shown(kind or (Kind.DATE if is_date_form(form) else Kind.COUNT), form)
        if settled is None:
            return shown.shown(self.format, kind)
        self.ledger.note(f"column {name!r} was read again as {settled}, which all its cells show")
        return settled

    def _labels(self, name: Any, text: Text) -> tuple[Coded, Array | None]:
        if self.target is None:
            declared = self.declared.get(name)
            settled = self.settled.get(name)
            if settled is not None and declared is None:
                self.target = WrittenTarget.settled(settled.kind, self.format)
        if name not in self.declared:
            self.shown.setdefault(name, ShownKinds()).add(text, self.format, LABEL_TRUTH)
        if self.target is None:
            found = WrittenTarget.found(text, self.format) if declared is None else None
            self.target = found if declared is None else WrittenTarget.declared(declared, self.format)
        if self.target is None:  # no label yet
            none = np.full((text.n, 1), -1, dtype=np.int32)
            self.ledger.add(name, Kind.UNKNOWN, text.n, text.n, None)
            return Coded(none, ((),)), self._keep(none)
        labels = self.target.labels(name, text, self.ledger.rows)
        self.ledger.add(name, labels.kind, text.n, labels.missing, labels.strange)
        return labels.y, self._keep(labels.y.codes)

    def _keep(self, codes: Array) -> Array | None:
        there = codes[:, 0] >= 0
        self.ledger.count("unlabelled", int(len(there) - there.sum()))
        return None if there.all() else there

    def _group(self, name: Any, text: Text) -> Coded:
        codes, labels = text.coded
        self.ledger.add(name, Kind.CATEGORICAL, text.n, int((codes < 0).sum()), None)
        return Coded(codes[:, None], (tuple(labels),))

    def _typed(self, page: TypedPage) -> Chunk:
        table = open_table(page.table, self.analyzer)
        columns = columns_of(table)
        if columns is None:
            return self._whole(page, table)
        self._meet(page.where, page.names or columns.names)
        features = columns.select([name for name in self.known])
        self._join(features)
        for name in self.known:
            self.ledger.add(name, self.known[name].kind, table.n, int(gaps(columns.column(name)).sum()), None)
        return self._apart(columns, features)

    def _join(self, table: Table) -> None:
        for column in table.infer().columns:
            self._know(column)

    def _whole(self, page: TypedPage, table: Table) -> Chunk:
        """A matrix whose columns are words: there is nothing to set apart."""
        schema = table.infer()
        self._meet(page.where, schema.names)
        self._join(table)
        self.ledger.add(schema.names[0], self.known[schema.names[0]].kind, table.n, 0, None)
        return Chunk(table, self.schema, self.ledger.rows)

    def _apart(self, columns: TypedColumns, table: Table) -> Chunk:
        role, start, n = self.roles, self.ledger.rows, table.n
        y, keep, w, group = None, None, None, None
        if role.target is not None:
            y, there = labels_of(columns.column(role.target))
            keep = self._keep(y.codes)
            self.ledger.add(role.target, Kind.CATEGORICAL, n, int(n - there.sum()), None)
        if role.weight is not None:
            weights = numbers_of(role.weight, columns.cells(role.weight), n)
            w = check_weights(role.weight, weights, keep, start)
        if role.group is not None:
            group = symbols_of(role.group, columns.cells(role.group), n)
            self.ledger.add(role.group, Kind.CATEGORICAL, n, int((group.codes < 0).sum()), None)
        return Chunk(table, self.schema, start, y, w, group, keep)


def _needed(page: Page, keep: Array | None) -> Array | None:
    """The rows whose weight matters: not those without a target, and not those whose cells cannot be told apart."""
    if not page.long:
        return keep
    needed = np.ones(page.n, dtype=bool) if keep is None else keep.copy()
    needed[list(page.long)] = False
    return needed
