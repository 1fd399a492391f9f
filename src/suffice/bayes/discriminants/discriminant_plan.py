"""The plan of discriminant analysis: columns that vary together, complete or not."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from suffice.bayes.discriminants.discriminant_learner import NormalClasses, NormalClassesModel
from suffice.bayes.discriminants.discriminant_needs import Needs
from suffice.bayes.naive.fixed_plan import FixedPlan
from suffice.core.registry import saved
from suffice.core.schema import Schema
from suffice.estimators.state.fitted import FittedModel, Found
from suffice.sources.tables.grid import FiniteGrid, Grid
from suffice.sources.tables.table import Table
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
        """An array or a table of numbers; missing cells stay where they may."""
        if isinstance(X, Grid):
            return X
        table = super().open(X)
        return Grid(table.X) if self.incomplete and isinstance(table, FiniteGrid) else table

    def keeps(self, schema: Schema) -> Any:
        """The kind of summary."""
        return self._family.prior.kept.__name__

    def learner(self, schema: Schema) -> NormalClasses:
        """The learner, which refuses missing cells where they may not be."""
        return NormalClasses(
            self.bayes.product,
            self.bayes.prior,
            owner=self.owner,
            complete=not self.incomplete,
            needs=self.needs,
            width=len(schema.columns),
        )

    def now(self, fitted: FittedModel) -> FittedModel:
        """What an older file held: what was learned in passes was written as if it were a summary."""
        if self.passes == 1:
            return fitted
        return found(replace(fitted, plan=replace(self, passes=1)), self.passes)


def found(fitted: FittedModel, passes: int) -> FittedModel:
    """A fitted value that no longer adds: its model, and the moments that it was read from."""
    model, moments = fitted.model, fitted.declared.over(fitted.state)
    factors = fitted.plan.learner(fitted.schema).factors(moments)
    return replace(fitted, state=Found(NormalClassesModel(model.classes, model.log_prior, factors, moments), passes))
