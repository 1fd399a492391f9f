"""The plan of discriminant analysis: columns that vary together, complete or not."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from suffice.bayes.discriminants import mixed_classes
from suffice.bayes.discriminants.discriminant_learner import NormalClasses, NormalClassesModel
from suffice.bayes.discriminants.discriminant_needs import Needs
from suffice.bayes.naive.fixed_plan import FixedPlan
from suffice.core.by_class import ByClass
from suffice.core.errors import BadInput, Said, bad
from suffice.core.kinds import Kind, Storage
from suffice.core.registry import saved
from suffice.core.schema import Schema
from suffice.core.summary import Together
from suffice.estimators.design.factor_columns import FactorColumns
from suffice.estimators.design.table_design import feature_schema
from suffice.estimators.state.fitted import FittedModel, Found
from suffice.sources.tables.grid import FiniteGrid, Grid
from suffice.sources.tables.table import Table, open_table
from suffice.summaries.pattern_moments import PatternMoments


@saved
@dataclass(frozen=True)
class DiscriminantPlan(FixedPlan):
    """As for any drop-in, but that missing cells may be marginalised, and that rows may be too few for a model."""

    together: ClassVar[bool] = True

    incomplete: bool = False  # whether cells may be missing
    passes: int = 1  # of older files: how often the rows were read; more than once, and their summary does not add
    needs: Needs | None = None  # what rows must be like for a model to follow; None: they may be anything

    @property
    def mixed(self) -> bool:
        """Whether what is kept of rows tells what would be kept of rows whose columns are mixed, as by a rotation."""
        return issubclass(self._family.prior.kept, PatternMoments)

    @property
    def gaps(self) -> bool:
        """Whether cells may be missing."""
        return self.incomplete

    def without_gaps(self) -> DiscriminantPlan:
        """The same plan for rows without missing cells."""
        return replace(self, incomplete=False)

    def open(self, X: Any) -> Table:
        """An array or a table of numbers, where missing cells stay if they may; a table with symbols as it is."""
        if isinstance(X, Grid) or isinstance(X, Table):  # noqa: SIM101  (asking for a protocol is slow)
            return X
        if shows_symbols(X):
            return open_table(X)
        table = super().open(X)
        return Grid(table.X) if self.incomplete and isinstance(table, FiniteGrid) else table

    def schema(self, table: Table) -> Schema:
        """What the table shows; columns without a cell show nothing where others are symbols."""
        return super().schema(table) if isinstance(table, Grid) else self._features(table, table.infer())

    def named(self, schema: Schema) -> Schema:
        """A schema under the names of the columns; symbols keep theirs, and their order."""
        return schema if mixed_classes.is_mixed(schema) else super().named(schema)

    def chunk(self, table: Table, schema: Schema) -> tuple[Table, Schema]:
        """A chunk of a file: numbers as one array; as it is where columns are symbols, or show nothing yet."""
        kinds = {column.kind for column in schema.columns}
        if not any(kind is Kind.UNKNOWN or kind.storage is Storage.SYMBOLS for kind in kinds):
            return super().chunk(table, schema)
        return table, self._picked(self._features(table, schema))

    def _features(self, table: Table, schema: Schema) -> Schema:
        """The columns, if each may become numbers and has a cell where none may be missing."""
        feature_schema(self.owner, schema)  # refuses texts
        self._refuse_empty([column.name for column in schema.columns if column.kind is Kind.UNKNOWN and table.n])
        return schema

    def _refuse_empty(self, names: list[Any]) -> None:
        if names and not self.incomplete:
            rule, got = "present in every row (Input X contains NaN)", Said("rows in which all its cells are missing")
            raise bad(self.owner, f"column {names[0]!r}", rule, got, "Fill them in, or leave the column out.")

    def keeps(self, schema: Schema) -> Any:
        """The kind of summary."""
        return self._family.prior.kept.__name__

    def lift(self, summary: ByClass, old: Schema, new: Schema) -> ByClass:
        """Symbols that show late were missing before, as were numbers."""
        assert isinstance(summary.summary, Together)
        (part,) = summary.summary.parts
        pairs = zip(old.columns, new.columns, strict=True)
        self._refuse_empty([a.name for a, b in pairs if a.kind is Kind.UNKNOWN is not b.kind])
        return replace(summary, summary=Together((mixed_classes.lifted(part, old, new),)))  # type: ignore[arg-type]

    def learner(self, schema: Schema) -> NormalClasses:
        """The learner, which refuses missing cells where they may not be."""
        if not schema.parts:
            raise schema.without_features(self.owner)
        if mixed_classes.is_mixed(schema):
            return self._mixed_learner(schema)
        return NormalClasses(
            self.bayes.product,
            self.bayes.prior,
            owner=self.owner,
            complete=not self.incomplete,
            needs=self.needs,
            width=len(schema.columns),
        )

    def _mixed_learner(self, schema: Schema) -> mixed_classes.MixedClasses:
        return mixed_classes.MixedClasses(
            self.bayes.product,
            self.bayes.prior,
            owner=self.owner,
            complete=not self.incomplete,
            needs=self.needs,
            width=len(schema.columns),
            columns=FactorColumns(self.owner, schema, gaps=self.incomplete),
        )

    def now(self, fitted: FittedModel) -> FittedModel:
        """What an older file held: what was learned in passes was written as if it were a summary."""
        if self.passes == 1:
            return fitted
        return found(replace(fitted, plan=replace(self, passes=1)), self.passes)


def shows_symbols(X: Any) -> bool:
    """Whether a table that is no array shows columns of symbols, truth values among them."""
    if isinstance(X, (np.ndarray, list, tuple)) or hasattr(X, "tocsr"):
        return False
    try:
        return mixed_classes.is_mixed(open_table(X).infer())
    except BadInput:  # no table at all: who reads it says so
        return False


def found(fitted: FittedModel, passes: int) -> FittedModel:
    """A fitted value that no longer adds: its model, and the moments that it was read from."""
    model, moments = fitted.model, fitted.declared.over(fitted.state)
    factors = fitted.plan.learner(fitted.schema).factors(moments)
    return replace(fitted, state=Found(NormalClassesModel(model.classes, model.log_prior, factors, moments), passes))
