"""Rows of any number with a target of numbers as one fitted value: one pass, chunk by chunk. No scikit-learn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.errors import bad
from suffice.core.kinds import Kind, Storage
from suffice.core.loop import whole
from suffice.core.schema import Schema
from suffice.core.summary import Summary
from suffice.estimators.fitted import Plan
from suffice.estimators.fitted_targets import FittedTargets
from suffice.estimators.from_rows import TOGETHER
from suffice.sources.chunk import Chunk
from suffice.sources.memory import cut
from suffice.sources.parts import Parts, refuse_strangers
from suffice.sources.rows import Rows


def learn_targets(owner: str, plan: Plan, rows: Any) -> FittedTargets:
    """Summarize all rows that have a target. It is read like any column of numbers, then taken out of the table."""
    if not isinstance(rows, Rows):
        raise bad(owner, "rows", "made by open_rows", rows, "Use fit for a table in memory.")
    target = rows.roles.target
    if target is None:
        raise bad(owner, "the rows", "with a target", rows.roles, "Name it in Roles(target=...).")
    together = replace(rows, roles=replace(rows.roles, target=None))
    done: list[FittedTargets] = []
    for chunk in together.chunks(getattr(plan, "kinds", None)):
        if (more := _fitted(owner, plan, chunk, target)) is not None:
            done.append(more)
        if len(done) == TOGETHER:
            done = [done[0].merge(done[1:])]
    if not done or (fitted := done[0].merge(done[1:])).empty:
        rule = "present in a row that weighs more than 0"
        raise bad(owner, f"the target {target!r}", rule, "no such row", "Check the column and the weights.")
    return fitted


def _fitted(owner: str, plan: Plan, chunk: Chunk, target: Any) -> FittedTargets | None:
    """What is kept of a chunk; None while all its targets are missing."""
    place = chunk.schema.names.index(target)
    if chunk.schema.columns[place].kind is Kind.UNKNOWN:
        return None
    if chunk.schema.columns[place].kind.storage is not Storage.NUMBERS:
        kind = chunk.schema.columns[place].kind.value
        raise bad(owner, f"the target {target!r}", "a column of numbers", kind, "Use a classifier for classes.")
    schema = plan.declare(Schema(tuple(c for c in chunk.schema.columns if c.name != target)))
    learner = plan.learner(schema)
    with whole(chunk.table.n * len(chunk.schema.columns)):
        summaries: list[Summary] = [learner.summarize(block) for block in _blocks(schema, chunk, place)]
    return FittedTargets(plan, schema, type(summaries[0]).sum(summaries), True)


def _blocks(schema: Schema, chunk: Chunk, place: int) -> Iterator[Block]:
    """The rows that have a target."""
    for rows in cut(slice(0, chunk.table.n), chunk.table.at_once(chunk.schema)):
        parts = chunk.table.parts(chunk.schema, rows)
        refuse_strangers(chunk.schema, parts, chunk.start + rows.start)
        y, others = _apart(chunk.schema, parts, place)
        w = None if chunk.w is None else chunk.w[rows]
        block = Block(others, y[:, None], w, chunk.start + rows.start)
        there = np.flatnonzero(~np.isnan(y))
        yield block if len(there) == len(y) else block.take(there)


def _apart(schema: Schema, parts: Parts, place: int) -> tuple[Array, Parts]:
    """The target, and the parts without it; a part that held nothing else is gone."""
    (_, places), numbers = schema.parts[0], parts[0]  # numbers come first
    at = places.index(place)
    rest = np.delete(numbers, at, axis=1)
    return np.asarray(numbers[:, at], dtype=np.float64), (rest, *parts[1:]) if rest.shape[1] else parts[1:]
