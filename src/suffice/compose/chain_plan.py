"""The plan of a chain: the plans of its steps and of its last, and what one pass keeps for all of them.

What is kept is each step's own summary beside that of the last, all in the units of the table: no step's model is used
while rows are read. A model is estimated step by step, and each pushes what was kept for those after it. No
scikit-learn.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.compose.binned_counts import binned_counts, binned_schema
from suffice.compose.chain_model import ChainModel
from suffice.core.affine import Linear
from suffice.core.block import Block, Coded
from suffice.core.by_class import ByClass
from suffice.core.errors import Said, bad
from suffice.core.registry import saved
from suffice.core.schema import Schema
from suffice.core.shares import Shares
from suffice.core.summary import Together
from suffice.core.tally import Tally
from suffice.estimators.state.fitted import FittedModel
from suffice.features.column_plan import pooled
from suffice.sources.tables.table import Table


@saved
@dataclass(frozen=True)
class ChainPlan:
    """Rows are read as the first step reads them, and answered as the last answers."""

    owner: str
    steps: tuple[Any, ...]  # plans
    last: Any  # a plan
    complete: bool = False  # whether no cell may be missing
    reasons: tuple[str, ...] = ()  # why it takes passes, if it does
    ranked: bool = False  # whether rankings that the one step keeps by class tell what the last would keep

    @property
    def face(self) -> str:
        """What the last answers."""
        return str(self.last.face)

    @property
    def whole(self) -> bool:
        """Whether the last divides rows by itself."""
        return bool(getattr(self.last, "whole", False))

    @property
    def wishes(self) -> Mapping[str, Any]:
        """What the last decides by."""
        found: Mapping[str, Any] = getattr(self.last, "wishes", {})
        return found

    @property
    def fixed(self) -> Any:
        """What the last has chosen from the rows."""
        return getattr(self.last, "fixed", None)

    def open(self, X: Any) -> Table:
        """As the first step reads it."""
        table: Table = self.steps[0].open(X)
        return table

    def schema(self, table: Table) -> Schema:
        """As the first step sees it."""
        return self._declared(self.steps[0].schema(table))

    def declare(self, schema: Schema) -> Schema:
        """What the first step was told of the columns."""
        return self._declared(self.steps[0].declare(schema))

    def _declared(self, schema: Schema) -> Schema:
        return schema

    def chunk(self, table: Table, schema: Schema) -> tuple[Table, Schema]:
        """As the first step reads it."""
        read: tuple[Table, Schema] = self.steps[0].chunk(table, schema)
        return read

    def keeps(self, schema: Schema) -> Any:
        """What the steps and the last keep of rows in the units of the table."""
        if self.ranked:
            return "rankings by class"
        return tuple((type(plan).__name__, plan.keeps(schema)) for plan in (*self.steps, self.last))

    def learner(self, schema: Schema) -> ChainLearner:
        """The learner for tables of this schema."""
        return ChainLearner(self, schema)

    def lift(self, summary: Any, old: Schema, new: Schema) -> Any:
        """Nothing to do: all columns are numbers, or all are symbols."""
        return summary

    def readings(self) -> tuple[type[Any], ...]:
        """How many passes it took, and its steps."""
        from suffice.compose.chain_readings import ChainReadings

        return (ChainReadings,)

    def show(self, model: Any) -> str:
        """Its steps, and how many passes they took."""
        names = " -> ".join(map(_owner, (*self.steps, self.last)))
        return f"{names}\npasses  {model.passes_} ({model.reason_})"


def _owner(plan: Any) -> str:
    return str(getattr(plan, "owner", type(plan).__name__.removesuffix("Plan")))


@dataclass(frozen=True)
class ChainLearner:
    """Keeps what every step and the last keep of rows as they are; estimates step by step."""

    plan: ChainPlan
    schema: Schema

    def summarize(self, block: Block, model: ChainModel | None = None) -> ByClass | Together:
        """The summary of the last, first; by class, where that has classes, so that all of it adds alike."""
        if self.plan.complete:
            self._refuse_missing(block)
        if self.plan.ranked:
            return self._ranked(block)
        first, *others = (step.learner(self.schema) for step in self.plan.steps)
        free = first.free(block) if hasattr(first, "free") else block  # t(x), for those after the first
        last = self.plan.last.learner(self.schema).summarize(free)
        if not isinstance(last, ByClass):
            return Together((last, first.summarize(block), *(learner.summarize(free) for learner in others)))
        assert isinstance(block.y, Coded)
        labels = block.y.labels[0]
        R = Shares.hard(block.y.codes[:, 0], len(labels), block.w)
        shared = first.shared(block, R), *(learner.shared(free, R) for learner in others)
        kept = ByClass.of(labels, Tally.of(R), Together(shared))
        assert isinstance(kept.summary, Together)
        return ByClass(last.labels, last.tally, Together((last.summary, *kept.summary.parts)))

    def _ranked(self, block: Block) -> ByClass:
        """Rankings by class, whether or not the step looks at classes."""
        assert isinstance(block.y, Coded)
        labels = block.y.labels[0]
        R = Shares.hard(block.y.codes[:, 0], len(labels), block.w)
        return ByClass.of(labels, Tally.of(R), self.plan.steps[0].learner(self.schema).shared(block, R))

    def _from_rankings(self, summary: ByClass) -> ChainModel:
        """Cuts from the rankings, then what the last would have kept of binned rows."""
        plan = self.plan.steps[0]
        kept = summary if plan.supervised else pooled(summary.summary)  # type: ignore[arg-type]
        step = FittedModel(plan, self.schema, kept)
        schema = binned_schema(self.plan.last, step.model.names_out(self.schema.names))
        last = binned_counts(self.plan.last, schema, step.model, summary)
        return ChainModel((step,), FittedModel(self.plan.last, schema, last))

    def estimate(self, summary: ByClass | Together, model: ChainModel | None = None) -> ChainModel:
        """Each step from what was kept for it, pushed through those before; then the last."""
        if self.plan.ranked:
            assert isinstance(summary, ByClass)
            return self._from_rankings(summary)
        both = summary.summary if isinstance(summary, ByClass) else summary
        assert isinstance(both, Together)
        last: Any
        last, *rest = both.parts
        if isinstance(summary, ByClass):
            last = ByClass(summary.labels, summary.tally, last)
        found: list[FittedModel] = []
        waiting: list[Any] = list(rest)
        schema = self.schema
        for plan in self.plan.steps:
            step = FittedModel(plan, schema, waiting.pop(0))
            image = step.model.image
            by = image.over(schema.names) if isinstance(image, Linear) else image
            waiting, last = [kept.push(by) for kept in waiting], last.push(by)
            found.append(step)
            schema = step.model.map_schema(schema)
        return ChainModel(tuple(found), FittedModel(self.plan.last, self.plan.last.declare(schema), last))

    def _refuse_missing(self, block: Block) -> None:
        X = block.parts[0]
        with np.errstate(over="ignore", invalid="ignore"):
            if np.isfinite(X.sum()) or not np.isnan(X).any():
                return
        row, at = np.argwhere(np.isnan(X))[0]
        rule = f"present in column {self.schema.names[at]!r} (Input X contains NaN)"
        remedy = f"{_owner(self.plan.last)} takes none: fill it in, or leave the row or the column out."
        raise bad(self.plan.owner, "every cell", rule, Said(f"a missing one in row {block.numbers[row]}"), remedy)
