"""A fitted model as a value: what was asked, what the table was, and what was learned. No scikit-learn.

One type for all estimators, which exchange it whole; a file holds just this. What was learned is a summary, which adds,
or the model that was found in passes or from rows in memory, which does not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from typing import Any, Protocol, Self

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.by_class import ByClass
from suffice.core.errors import NotASummary, Said, never_added, refusal, shown
from suffice.core.learner import add_joined
from suffice.core.registry import saved
from suffice.core.schema import Schema
from suffice.core.sparse import is_sparse
from suffice.core.summary import Together
from suffice.core.tally import Tally
from suffice.estimators.ledger.ledger import RowLedger
from suffice.estimators.state.class_labels import Declared, labels_alike, united
from suffice.numerics.blas_threads import SMALL, one_thread_if_small
from suffice.sources.engines.memory import MemorySource
from suffice.sources.tables.table import Table

AT_ONCE = 1 << 13  # cells that this thread predicts in one piece; of as many, no product asks for another thread


class ClassModel(Protocol):
    """What predicts: classes and their posterior."""

    @property
    def classes(self) -> tuple[Any, ...]:
        """K labels."""

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

    def chunk(self, table: Table, schema: Schema) -> tuple[Table, Schema]:
        """A chunk of a file, and what is known of its columns, as this plan reads them."""

    @property
    def face(self) -> str:
        """What a model of such a plan answers: the name of a face, one of `loaded_faces.FACES`."""

    def readings(self) -> tuple[type[Any], ...]:
        """Classes whose methods and properties a model from a file has beside its face."""


@saved
@dataclass(frozen=True)
class Found:
    """A model that was found in passes, or from rows in memory: what it was found from is gone, so it does not add."""

    model: Any
    passes: int = 0
    settled: bool = True


@saved
@dataclass(frozen=True)
class FittedModel:
    """A plan, a schema, and what was learned; the learner and the model follow and are derived."""

    plan: Plan
    schema: Schema
    state: Any  # a Summary, or a Found
    declared: Declared = field(default_factory=Declared)  # classes that are there without rows
    ledger: RowLedger | None = None  # which rows were learned, where that is kept
    written: Mapping[Any, tuple[str, ...]] = field(default_factory=dict)  # texts of labels that files had as numbers

    @property
    def adds(self) -> bool:
        """Whether more rows can be added and learned ones taken away."""
        return not isinstance(self.state, Found)

    @property
    def algebra(self) -> str:
        """What learning came to: a summary ("one pass"), the "rows", or a model found in "passes" or "in memory"."""
        if isinstance(self.state, Found):
            return "passes" if self.state.passes > 1 else "in memory"
        kept = self.state
        while hasattr(kept, "summary"):
            kept = kept.summary
        return str(getattr(kept, "algebra", "one pass"))

    @property
    def summary(self) -> Any:
        """What is kept of the rows; None where only the model was."""
        return self.state if self.adds else None

    @cached_property
    def model(self) -> Any:
        """The model that the summary says, or the one that was found."""
        if isinstance(self.state, Found):
            return self.state.model
        with one_thread_if_small(self._solved):
            return self.plan.learner(self.schema).estimate(self._whole)

    @property
    def _solved(self) -> int:
        """Columns of the matrices that are solved: where rows are kept, they may be the fewer."""
        columns = len(self.schema.columns)
        return min(columns, self.rows) if columns > SMALL and self.algebra == "rows" else columns

    @property
    def _whole(self) -> Any:
        """The summary, with places for the declared classes."""
        return self.declared.over(self.state) if isinstance(self.state, ByClass) else self.state

    @property
    def empty(self) -> bool:
        """Whether no rows are left; a model that was found has had some."""
        if not self.adds:
            return False
        if isinstance(self.state, ByClass):
            return not self.state.labels
        kept = self.state.parts[0] if isinstance(self.state, Together) else self.state
        rows = kept.rows if isinstance(kept, Tally) else self.state.fewest()
        return not (rows.any() if isinstance(rows, np.ndarray) else rows)

    @property
    def rows(self) -> int:
        """How many rows were learned, going by what is kept of them."""
        if self.ledger is not None:
            return len(self.ledger)
        return int(self.state.tally.rows.sum() if isinstance(self.state, ByClass) else np.max(self.state.fewest()))

    def source(self, X: Any, threads: int | None = None) -> MemorySource:
        """Rows to be read as those of training were."""
        return MemorySource(self.plan.open(X), self.schema, threads=threads)

    def map(self, X: Any, predict: Callable[[Block], Array], threads: int | None) -> Array:
        """Predict the rows of a table, block by block; all at once where the plan says that models divide them."""
        if getattr(self.plan, "whole", False):
            return predict(self.block(X))
        if type(X) is np.ndarray and X.size < AT_ONCE:  # by this thread: no source is needed to divide them
            table = self.plan.open(X)
            found: Any = predict(Block(table.parts(self.schema, slice(0, len(X)))))
            return found if is_sparse(found) else np.array(found, order="C")
        return self.source(X, threads).map(predict)

    def block(self, X: Any) -> Block:
        """All rows of a table at once."""
        source = self.source(X)
        return source.block(slice(0, source.table.n))

    def replan(self, plan: Plan) -> Self:
        """Another reading of the same rows; this one where the summary cannot say what the other plan asks."""
        if not self.adds:
            return self
        schema = plan.declare(self.schema)
        if schema.parts != self.schema.parts or plan.keeps(schema) != self.plan.keeps(self.schema):
            return self
        return replace(self, plan=plan, schema=schema)

    def merge(self, others: Sequence[Self]) -> Self:
        """All rows together."""
        for each in (self, *others):
            each.refuse_found("merge")
        me, *others = labels_alike((self, *others))
        if me is not self:
            return me.merge(others)  # type: ignore[no-any-return]
        schema = reduce(Schema.join, (other.schema for other in others), self.schema)
        for other in others:
            self._check_alike(other, schema, "merge")
        schema, summary = add_joined([(each.schema, each.state) for each in (self, *others)], self.plan.lift)
        declared = reduce(Declared.join, (other.declared for other in others), self.declared)
        ledger = RowLedger.sum([each.ledger for each in (self, *others)])
        written = united([each.written for each in (self, *others)])
        return replace(self, schema=schema, state=summary, declared=declared, ledger=ledger, written=written)

    def forget(self, other: Self) -> Self:
        """Without the rows of another; raises if they were never added."""
        self.refuse_found("forget")
        other = labels_alike((self, other))[1]
        schema = self.schema.join(other.schema)
        if schema.parts != self.schema.parts:
            odd = next(a.name for a, b in zip(schema.columns, self.schema.columns, strict=True) if a.kind != b.kind)
            raise never_added("the rows", f"cells in column {odd!r}, which was always empty")
        self._check_alike(other, schema, "forget")
        ledger = self.ledger
        if ledger is not None and other.ledger is not None:
            ledger = ledger.without(other.ledger)
        return replace(self, ledger=ledger, state=self.state - self.plan.lift(other.state, other.schema, schema))

    def refuse_found(self, verb: str) -> None:
        """Say that what was learned in passes, or from rows in memory, does not add."""
        if isinstance(self.state, Found):
            raise refusal(
                NotASummary,
                verb,
                "the model",
                "one whose summary was kept",
                Said(f"one that was found in {self.state.passes} passes over its rows"),
                "Fit all rows together.",
            )

    def _check_alike(self, other: FittedModel, schema: Schema, verb: str) -> None:
        if self.plan is not other.plan and self.plan.keeps(schema) != other.plan.keeps(schema):
            raise refusal(
                NotASummary,
                verb,
                "the models",
                "the same of their rows",
                Said("parameters that change what is kept (how texts become words, levels of counts, thresholds)"),
                "Use the parameters of the fit, or fit anew.",
                "must keep",
            )
        mine, theirs = (getattr(plan, "fixed", None) for plan in (self.plan, other.plan))
        if mine != theirs:
            raise refusal(
                NotASummary,
                verb,
                "what the models have chosen from their rows",
                "equal",
                Said(f"{shown(mine)} and {shown(theirs)}"),
                "Give all of them the same penalty.",
            )
