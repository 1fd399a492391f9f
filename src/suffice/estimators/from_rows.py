"""Rows of any number as one fitted value: one pass, chunk by chunk. No scikit-learn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from suffice.core.block import Block, Coded
from suffice.core.by_class import ByClass
from suffice.core.errors import bad
from suffice.core.loop import whole
from suffice.core.schema import Schema
from suffice.estimators.fitted import Fitted, Plan
from suffice.sources.analyzer import Analyzer
from suffice.sources.chunk import Chunk
from suffice.sources.memory import cut
from suffice.sources.parts import refuse_strangers
from suffice.sources.rows import Rows

WRITTEN = 8  # bytes of a file that are about a cell
TOGETHER = 16  # chunks whose summaries are added at once, so that a growing vocabulary is not united with each


def chunks_for(owner: str, plan: Plan, rows: Any) -> Iterator[Chunk]:
    """Rows as a plan reads them: its kinds are declared, and texts become words in its way."""
    if not isinstance(rows, Rows):
        raise bad(owner, "rows", "made by open_rows", rows, "Use fit for a table in memory.")
    if rows.roles.target is None:
        raise bad(owner, "the rows", "with a target", rows.roles, "Name it in Roles(target=...).")
    kinds, analyzer = getattr(plan, "kinds", None), getattr(plan, "analyzer", None)
    if kinds is None or analyzer is None:
        raise bad(owner, "the model", "one that reads tables of every kind", owner, "Use NaiveBayes.")
    if rows.analyzer not in (analyzer, Analyzer()):
        raise bad(owner, "the analyzer of the rows", "that of the model", rows.analyzer, "Give it to the model.")
    return rows.chunks(kinds, analyzer)


def learn_rows(owner: str, plan: Plan, rows: Rows) -> Fitted:
    """Summarize all rows that have a target."""
    chunks = chunks_for(owner, plan, rows)
    cells = rows.size // WRITTEN
    learner: Any = None
    known: Schema | None = None
    done: list[Fitted] = []
    for schema, chunk in _readable(plan, chunks):
        learner, known = (learner, known) if schema is known else (plan.learner(schema), schema)
        cells = max(cells, (chunk.start + chunk.table.n) * len(schema.columns))
        done.append(Fitted(plan, schema, _summary(learner, schema, chunk, cells)))
        if len(done) == TOGETHER:
            done = [done[0].merge(done[1:])]
    if not done:
        plan.learner(plan.declare(rows.schema))  # says that there is nothing to learn from
    fitted = done[0].merge(done[1:]) if len(done) > 1 else done[0]
    if not fitted.summary.labels:
        rule = "present in a row that weighs more than 0"
        raise bad(owner, f"the target {rows.roles.target!r}", rule, "no such row", "Check the column and the weights.")
    return fitted


def _readable(plan: Plan, chunks: Iterator[Chunk]) -> Iterator[tuple[Schema, Chunk]]:
    """Chunks with a schema that can read them.

    Before a column is known that is a feature, rows tell their class at least: they wait until one is.
    """
    waiting: list[Chunk] = []
    shown: Schema | None = None
    schema = Schema(())
    for chunk in chunks:
        if chunk.schema is not shown:
            shown, schema = chunk.schema, plan.declare(chunk.schema)
        waiting.append(chunk)
        if schema.parts:
            yield from ((schema, one) for one in waiting)
            waiting.clear()


def _summary(learner: Any, schema: Schema, chunk: Chunk, cells: int) -> ByClass:
    """What is kept of a chunk of a table of at least so many cells."""
    with whole(cells):
        summaries: list[ByClass] = [learner.summarize(block) for block in _blocks(schema, chunk)]
    return ByClass.sum(summaries) if len(summaries) > 1 else summaries[0]


def _blocks(schema: Schema, chunk: Chunk) -> Iterator[Block]:
    """The rows that have a target."""
    assert chunk.y is not None
    for rows in cut(slice(0, chunk.table.n), chunk.table.at_once(schema)):
        parts = chunk.table.parts(schema, rows)
        refuse_strangers(schema, parts, chunk.start + rows.start)
        y = Coded(chunk.y.codes[rows], chunk.y.labels)
        block = Block(parts, y, None if chunk.w is None else chunk.w[rows], chunk.start + rows.start)
        yield block if chunk.keep is None else block.take(np.flatnonzero(chunk.keep[rows]))
