"""A fitted model as a value: what was asked, what the table was, and the summary of its rows. No scikit-learn.

Everything else (the learner, the model) follows from these and is derived when first needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from typing import Any, Protocol, Self

from suffice.core.blas import one_thread_if_small
from suffice.core.block import Array, Block, Coded
from suffice.core.by_class import ByClass
from suffice.core.errors import NeverAdded, NotASummary, Said, bad
from suffice.core.registry import saved
from suffice.core.schema import Schema
from suffice.core.summary import Summary
from suffice.estimators.declared import Declared
from suffice.estimators.weights import read_weights
from suffice.sources.memory import MemorySource
from suffice.sources.table import Table


class ClassModel(Protocol):
    """What predicts: classes and their posterior."""

    @property
    def classes(self) -> tuple[Any, ...]:
        """K labels."""

    @property
    def log_prior(self) -> Array:
        """Log share of each class (K,)."""

    def log_posterior(self, block: Block) -> Array:
        """log p(class | x) (n, K)."""

    def likeliest(self, block: Block) -> Array:
        """The number of the most probable class (n,): where exp(log_posterior) is largest, the first of equals."""


class Plan(Protocol):
    """What the user asked for; with a schema it becomes a learner."""

    def open(self, X: Any) -> Table:
        """X as a table."""

    def schema(self, table: Table) -> Schema:
        """The kinds of its columns, as they show and as they were declared."""

    def declare(self, schema: Schema) -> Schema:
        """The kinds that were declared, in place of those that showed."""

    def keeps(self, schema: Schema) -> Any:
        """What is kept of the rows of such a table: only where this is equal do summaries add."""

    def learner(self, schema: Schema) -> Any:
        """The learner for tables of this schema."""

    def lift(self, summary: Any, old: Schema, new: Schema) -> Any:
        """A summary over the parts of a joined schema."""

    def loaded(self, value: Any) -> Any:
        """The model that a file of such a plan holds."""


@dataclass(frozen=True)
class FittedModel:
    """A plan, a schema and a summary; the model is what they say together."""

    plan: Plan
    schema: Schema
    summary: Any  # a Summary

    @cached_property
    def model(self) -> Any:
        """The model that the summary says."""
        with one_thread_if_small(len(self.schema.columns)):
            return self.plan.learner(self.schema).estimate(self.summary)

    @property
    def empty(self) -> bool:
        """Whether no rows are left."""
        return bool(self.summary.empty)

    def source(self, X: Any, threads: int | None = None) -> MemorySource:
        """Rows to be read as those of training were."""
        return MemorySource(self.plan.open(X), self.schema, threads=threads)

    def map(self, X: Any, predict: Callable[[Block], Array], threads: int | None) -> Array:
        """Predict the rows of a table, block by block."""
        return self.source(X, threads).map(predict)

    def block(self, X: Any) -> Block:
        """All rows of a table at once."""
        source = self.source(X)
        return source.block(slice(0, source.table.n))

    def replan(self, plan: Plan) -> Self:
        """Another reading of the same rows; this one where the summary cannot say what the other plan asks."""
        schema = plan.declare(self.schema)
        if schema.parts != self.schema.parts or plan.keeps(schema) != self.plan.keeps(self.schema):
            return self
        return replace(self, plan=plan, schema=schema)

    def merge(self, others: Sequence[Self]) -> Self:
        """All rows together."""
        schema = reduce(Schema.join, (other.schema for other in others), self.schema)
        for other in others:
            self._check_alike(other, schema, "merge")
        parts = [self.plan.lift(each.summary, each.schema, schema) for each in (self, *others)]
        summary: Summary = type(parts[0]).sum(parts)
        return replace(self, schema=schema, summary=summary)

    def forget(self, other: Self) -> Self:
        """Without the rows of another; raises if they were never added."""
        schema = self.schema.join(other.schema)
        if schema.parts != self.schema.parts:
            odd = next(a.name for a, b in zip(schema.columns, self.schema.columns, strict=True) if a.kind != b.kind)
            raise NeverAdded(
                f"forget: the rows must have been added before, got cells in column {odd!r}, which was always empty. "
                "Nothing was changed; forget only rows this model has learned from."
            )
        self._check_alike(other, schema, "forget")
        return replace(self, summary=self.summary - self.plan.lift(other.summary, other.schema, schema))

    def _check_alike(self, other: FittedModel, schema: Schema, verb: str) -> None:
        if self.plan.keeps(schema) != other.plan.keeps(schema):
            raise NotASummary(
                f"{verb}: the models must keep the same of their rows, got parameters that change what is kept (how "
                "texts become words, levels of counts, thresholds). Use the parameters of the fit, or fit anew."
            )


@saved
@dataclass(frozen=True)
class Fitted(FittedModel):
    """A fitted classifier: its summary is by class, and some classes may be declared."""

    summary: ByClass
    declared: Declared = field(default_factory=Declared)

    @classmethod
    def of(
        cls,
        owner: str,
        plan: Plan,
        X: Any,
        y: Coded,
        sample_weight: Any = None,
        *,
        threads: int | None = None,
        declared: Declared | None = None,
        before: Fitted | None = None,
    ) -> Fitted:
        """Summarize rows of their own, in one pass; `before` is what they will be added to or taken from.

        Where all cells of a table are missing, only the schema before can read it.
        """
        declared = before.declared if before is not None else declared or Declared()
        table = plan.open(X)
        if table.n != len(y.codes):
            both = f"(Found input variables with inconsistent numbers of samples: [{table.n}, {len(y.codes)}])"
            raise bad(
                owner,
                "X and y",
                f"of one length {both}",
                Said(f"{table.n} and {len(y.codes)}"),
                "Give one label a row.",
            )
        if before is None and table.n == 0:
            rule = "a table with rows (Found array with 0 sample(s) while a minimum of 1 is required.)"
            raise bad(owner, "X", rule, Said("none"), "Give it rows to learn from.")
        w = read_weights(owner, sample_weight, table.n, some=before is None)
        declared.admit(owner, y.labels[0])
        schema = plan.schema(table)
        if before is not None and not schema.parts:
            schema = before.schema.join(schema)
        summary = MemorySource(table, schema, y, w, threads).reduce(plan.learner(schema).summarize)
        assert isinstance(summary, ByClass)
        return cls(plan, schema, summary, declared.besides(summary))

    @cached_property
    def model(self) -> Any:
        """The model that the summary says."""
        with one_thread_if_small(len(self.schema.columns)):
            return self.plan.learner(self.schema).estimate(self.declared.over(self.summary))

    @property
    def empty(self) -> bool:
        """Whether no rows are left."""
        return not self.summary.labels

    def merge(self, others: Sequence[Self]) -> Self:
        """All rows together."""
        declared = reduce(Declared.join, (other.declared for other in others), self.declared)
        return replace(super().merge(others), declared=declared)
