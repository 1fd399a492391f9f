"""A fitted classifier as a value: what was asked, what the table was, and the summary of its rows. No scikit-learn.

Everything else (the learner, the model) follows from these three and is derived when first needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

from suffice.core.block import Array, Coded
from suffice.core.by_class import ByClass
from suffice.core.errors import NeverAdded, NotASummary
from suffice.core.registry import saved
from suffice.core.schema import Schema
from suffice.sources.memory import MemorySource
from suffice.sources.table import Table


class Plan(Protocol):
    """What the user asked for; with a schema it becomes a learner."""

    def open(self, X: Any) -> Table:
        """X as a table."""

    def schema(self, table: Table) -> Schema:
        """The kinds of its columns, as they show and as they were declared."""

    def learner(self, schema: Schema) -> Any:
        """The learner for tables of this schema."""

    def loaded(self, value: Any) -> Any:
        """The model that a file of such a plan holds."""

    def lift(self, summary: ByClass, old: Schema, new: Schema) -> ByClass:
        """A summary over the parts of a joined schema."""

    def follow(self, had: tuple[Any, ...], have: tuple[Any, ...]) -> Plan:
        """The plan after classes came or went: those with rows before, and those with rows now."""


@saved
@dataclass(frozen=True)
class Fitted:
    """A plan, a schema and a summary; the model is what they say together."""

    plan: Plan
    schema: Schema
    summary: ByClass

    @classmethod
    def of(
        cls, plan: Plan, table: Table, y: Coded, w: Array | None, threads: int | None, known: Schema | None = None
    ) -> Fitted:
        """Summarize a table: one pass over its rows. Where all its cells are missing, only a known schema can read it."""
        schema = plan.schema(table)
        if known is not None and not schema.parts:
            schema = known.join(schema)
        learner = plan.learner(schema)
        summary = MemorySource(table, schema, y, w, threads).reduce(learner.summarize)
        assert isinstance(summary, ByClass)
        return cls(plan, schema, summary)

    @cached_property
    def model(self) -> Any:
        """The model that the summary says."""
        return self.plan.learner(self.schema).estimate(self.summary)

    def map(self, X: Any, predict: Callable[..., Array], threads: int | None) -> Array:
        """Predict the rows of a table, block by block."""
        return MemorySource(self.plan.open(X), self.schema, threads=threads).map(predict)

    def replan(self, plan: Plan) -> Fitted:
        """Another reading of the same rows."""
        return replace(self, plan=plan)

    def merge(self, others: Sequence[Fitted]) -> Fitted:
        """All rows together."""
        schema = self.schema
        for other in others:
            if type(other.summary.summary) is not type(self.summary.summary):
                raise NotASummary("merge: models must keep the same of their rows, got models of two kinds.")
            schema = schema.join(other.schema)
        parts = [self.plan.lift(each.summary, each.schema, schema) for each in (self, *others)]
        return Fitted(self.plan, schema, ByClass.sum(parts))

    def forget(self, other: Fitted) -> Fitted:
        """Without the rows of another; raises if they were never added."""
        schema = self.schema.join(other.schema)
        if schema.parts != self.schema.parts:
            raise NeverAdded(
                "forget: the columns must be those of the model, got cells in a column it never saw filled."
            )
        return replace(self, summary=self.summary - self.plan.lift(other.summary, other.schema, schema))
