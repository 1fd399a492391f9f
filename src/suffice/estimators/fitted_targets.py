"""A fitted regressor as a value: what was asked, what the table was, a summary of rows and targets. No scikit-learn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.errors import NotASummary, Said, bad
from suffice.core.registry import saved
from suffice.core.schema import Schema
from suffice.estimators.fitted import FittedModel, Plan
from suffice.estimators.targets import Targets
from suffice.estimators.weights import read_weights
from suffice.sources.memory import MemorySource
from suffice.sources.table import Table


@dataclass(frozen=True)
class NumberedSource(MemorySource):
    """Rows in memory with numbers to predict in place of labels."""

    targets: Array | None = None  # (n, t)

    def block(self, rows: slice) -> Block:
        """Some rows."""
        block = super().block(rows)
        return block if self.targets is None else block._replace(y=self.targets[rows])


@saved
@dataclass(frozen=True)
class FittedTargets(FittedModel):
    """A fitted regressor; `flat` where y was one number a row, so that answers are too."""

    flat: bool = True

    @classmethod
    def of(
        cls,
        owner: str,
        plan: Plan,
        X: Any,
        y: Targets,
        sample_weight: Any = None,
        *,
        threads: int | None = None,
        before: FittedTargets | None = None,
    ) -> FittedTargets:
        """Summarize rows of their own, in one pass; `before` is what they will be added to or taken from."""
        table = plan.open(X)
        _check_lengths(owner, table, y)
        if before is None and table.n == 0:
            rule = "a table with rows (Found array with 0 sample(s) while a minimum of 1 is required.)"
            raise bad(owner, "X", rule, Said("none"), "Give it rows to learn from.")
        if before is not None and before.flat != y.flat:
            got = "one number a row" if y.flat else "a table"
            raise bad(owner, "y", "of the same form as before", Said(got), "Give targets as in the first fit.")
        w = read_weights(owner, sample_weight, table.n, some=before is None)
        schema = _joined(plan.schema(table), before)
        source = NumberedSource(table, schema, None, w, threads, y.values)
        return cls(plan, schema, source.reduce(plan.learner(schema).summarize), y.flat)

    def _check_alike(self, other: FittedModel, schema: Schema, verb: str) -> None:
        super()._check_alike(other, schema, verb)
        if isinstance(other, FittedTargets) and other.flat != self.flat:
            raise NotASummary(
                f"{verb}: the targets must be of one form, got one number a row in one model and a table in another. "
                "Give all models targets of the same form."
            )

    def shaped(self, answers: Array) -> Array:
        """Answers (n, t) in the form that y had."""
        return np.ascontiguousarray(answers[:, 0]) if self.flat else answers


def _joined(schema: Schema, before: FittedTargets | None) -> Schema:
    """Where a table has no rows, its cells show no kinds: the schema before reads it."""
    return before.schema.join(schema) if before is not None and not schema.parts else schema


def _check_lengths(owner: str, table: Table, y: Targets) -> None:
    if table.n != len(y.values):
        both = f"(Found input variables with inconsistent numbers of samples: [{table.n}, {len(y.values)}])"
        got = Said(f"{table.n} and {len(y.values)}")
        raise bad(owner, "X and y", f"of one length {both}", got, "Give one number a row.")
