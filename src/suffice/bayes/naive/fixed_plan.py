"""One learner whatever the table: the plan of the drop-ins, whose columns are all of one kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from suffice.bayes.learner import Bayes
from suffice.bayes.naive.naive_plan import encoding_of
from suffice.core.block import Array
from suffice.core.by_class import ByClass
from suffice.core.errors import BadInput, Said, bad
from suffice.core.kinds import Kind, Storage
from suffice.core.registry import saved
from suffice.core.schema import Column, Schema
from suffice.families.counts.complement import Complement
from suffice.sources.tables.codes import Codes
from suffice.sources.tables.grid import FiniteGrid, Grid, as_array
from suffice.sources.tables.matrix import Matrix, as_rows
from suffice.sources.tables.numbers import number_columns
from suffice.sources.tables.parts import WORDS
from suffice.sources.tables.table import Table


@saved
@dataclass(frozen=True)
class FixedPlan:
    """A learner of one part, and how an array becomes that part."""

    face: ClassVar[str] = "probabilistic"
    together: ClassVar[bool] = False  # whether columns vary together

    bayes: Bayes
    owner: str  # the estimator
    names: tuple[Any, ...] | None = None  # of the columns, where the table had some

    @property
    def pushes(self) -> bool:
        """Whether what is kept of rows tells what would be kept of rows whose columns are scaled."""
        return bool(self._family.storage is Storage.NUMBERS)

    @property
    def _family(self) -> Any:
        return self.bayes.product.groups[0].family

    def open(self, X: Any) -> Table:
        """An array, a sparse matrix, or a table of numbers."""
        return X if isinstance(X, (Grid, Codes, Matrix)) else _DOORS[self._family.storage](X, self)

    def schema(self, table: Table) -> Schema:
        """What the array shows, under the names of its columns."""
        return self.named(table.infer())

    def named(self, schema: Schema) -> Schema:
        """A schema under the names of the columns; words are one column, whatever they are called."""
        if len(schema.columns) == 1 and schema.columns[0].kind is Kind.TEXT:
            return WORDS
        names = schema.unnamed.names if self.names is None else self.names
        if names == schema.names:
            return schema
        if len(names) != len(schema.columns):
            return schema
        return Schema(tuple(Column(name, c.kind) for name, c in zip(names, schema.columns, strict=True)))

    def chunk(self, table: Table, schema: Schema) -> tuple[Table, Schema]:
        """Columns of numbers as one array; of words, the schema has one column, whose name is all of theirs."""
        names, X = number_columns(self.owner, table, self._picked(schema))
        opened, told = self.open(X), replace(self, names=names)
        shown = told.schema(opened)
        return opened, Schema((Column(names, Kind.TEXT),)) if self.names is None and shown == WORDS else shown

    def _picked(self, schema: Schema) -> Schema:
        """The columns of the model, where it knows them by name."""
        if self.names is None:
            return schema
        known = {column.name: column for column in schema.columns}
        absent = [name for name in self.names if name not in known]
        if absent:
            rule = f"those of the training table, {absent[0]!r} among them"
            raise bad(self.owner, "the columns", rule, list(known), "Give it the same columns.")
        return Schema(tuple(known[name] for name in self.names))

    def columns(self, schema: Schema) -> tuple[Any, ...]:
        """Names of the columns of a file that was read with this schema."""
        if self.names is not None or self._family.storage is not Storage.WORDS:
            return self.names or schema.names
        return tuple(schema.columns[0].name)

    def of_files(self, schema: Schema) -> FixedPlan:
        """The plan after files were read with this schema: later ones may have their columns in any order."""
        return replace(self, names=self.columns(schema))

    def declare(self, schema: Schema) -> Schema:
        """Nothing is declared."""
        return schema

    def keeps(self, schema: Schema) -> Any:
        """How words become counts; all else is kept alike whatever the parameters."""
        return encoding_of(self._family)

    def learner(self, schema: Schema) -> Bayes:
        """The learner."""
        return self.bayes

    def lift(self, summary: ByClass, old: Schema, new: Schema) -> ByClass:
        """Nothing to do: there is one part."""
        return summary

    def readings(self) -> tuple[type[Any], ...]:
        """Evidence, and densities and new rows; complement weights are scores, not densities."""
        from suffice.bayes.readings.feature_evidence import Evidence
        from suffice.bayes.readings.generative import Generative

        return (Evidence if isinstance(self._family, Complement) else Generative,)

    def show(self, model: Any) -> str:
        """The tables of conditional probabilities of a model of this plan."""
        from suffice.bayes.readings.probability_tables import show_tables

        return show_tables(model._state()[0], model._words)


def _array(X: Any, names: Sequence[Any] | None) -> Array:
    """An array; of a table, the columns with these names, in this order."""
    if isinstance(X, (np.ndarray, list, tuple)):
        return as_array(X)
    import narwhals.stable.v2 as nw

    frame = nw.from_native(X, pass_through=True, eager_only=True)
    if not isinstance(frame, nw.DataFrame):
        return as_array(X)
    absent = [name for name in names or () if name not in frame.columns]
    if absent:
        raise bad("X", "the columns", f"those of the training table, {absent[0]!r} among them", list(frame.columns))
    return as_array((frame.select(*map(frame.get_column, names)) if names else frame).to_numpy())


def _numbers(X: Any, plan: FixedPlan) -> FiniteGrid:
    return FiniteGrid(_typed(_array(X, plan.names), "f", np.float64), plan.owner)


def _codes(X: Any, plan: FixedPlan) -> Codes:
    codes = _typed(_array(X, plan.names), "iu", np.float64)
    if codes.dtype.kind == "f" and not np.isfinite(codes).all():
        raise missing_cell(plan.owner)
    return Codes(codes.astype(np.int64, copy=False), plan.owner)


def _words(X: Any, plan: FixedPlan) -> Matrix:
    cells = as_rows(X) if hasattr(X, "tocsr") else _typed(_array(X, plan.names), "biuf", np.float64)
    return Matrix(cells, plan.owner)


def missing_cell(owner: str) -> BadInput:
    """What a model says that cannot do without a cell."""
    remedy = "Use NaiveBayes, which leaves missing cells out."
    return bad(owner, "every cell", "present (Input X contains NaN)", Said("a missing one"), remedy)


def _typed(X: Array, kinds: str, otherwise: type[Any]) -> Array:
    if X.dtype.kind in kinds:
        return X
    try:
        return X.astype(otherwise)
    except (TypeError, ValueError):
        raise bad("X", "cells", "numbers", X.dtype, "Use NaiveBayes for symbols and texts.") from None


_DOORS: Mapping[Storage, Callable[[Any, FixedPlan], Table]] = {
    Storage.NUMBERS: _numbers,
    Storage.SYMBOLS: _codes,
    Storage.WORDS: _words,
}
