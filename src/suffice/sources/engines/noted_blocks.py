"""What workers note of blocks beside their summaries: it adds as they do, and comes back with them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from suffice.core.block import Block
from suffice.core.learner import Lift, Source, Summarize
from suffice.core.schema import Schema
from suffice.core.summary import Summary, Together


def reduce_noted(note: Any, source: Source, open: Callable[[Schema], Summarize], lift: Lift) -> tuple[Schema, Summary]:
    """One pass over rows elsewhere; what is noted of them is handed to the note in the end.

    Parameters
    ----------
    note : `note.of_block(schema, block)` is what adds; `note.take` is called with the sum
    source, open, lift : as for `reduce`
    """
    note.begin()

    def opened(schema: Schema) -> Summarize:
        return NotingLearner(note, schema, open(schema)).summarize

    if hasattr(open, "begin"):
        opened.begin = open.begin  # type: ignore[attr-defined]
    schema, both = source.reduce(opened, lambda both, old, new: lifted(both, old, new, lift))
    assert isinstance(both, Together)
    note.take(both.parts[1])
    return schema, both.parts[0]


@dataclass(frozen=True)
class NotingLearner:
    """Summarizes blocks, and notes their rows."""

    note: Any
    schema: Schema
    made: Callable[..., Any]  # of a block its summary

    def summarize(self, block: Block, model: Any = None) -> Together:
        """The summary and what is noted, side by side."""
        return Together((self.made(block), self.note.of_block(self.schema, block)))


@dataclass(frozen=True)
class NotingPlan:
    """A plan whose summaries have beside them what is noted of the same rows: in folds, fold by fold."""

    plan: Any
    note: Any

    def learner(self, schema: Schema) -> NotingLearner:
        """The learner of the plan, which notes."""
        return NotingLearner(self.note, schema, self.plan.learner(schema).summarize)

    def lift(self, both: Together, old: Schema, new: Schema) -> Together:
        """What is noted does not depend on the schema."""
        return lifted(both, old, new, self.plan.lift)


def lifted(both: Any, old: Schema, new: Schema, lift: Lift) -> Together:
    """The first of two is lifted."""
    return Together((lift(both.parts[0], old, new), both.parts[1]))
