"""Rows of any kind as rows of numbers in memory: the design is found first, from the same rows. No scikit-learn."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from suffice.core.errors import BadInput
from suffice.core.learner import Source, settle
from suffice.estimators.algebras.gathering import gathered
from suffice.estimators.design.coded_plan import CodedPlan, RawChunks
from suffice.estimators.design.gap_choice import array_rows, takes_gaps
from suffice.estimators.design.table_design import TableDesign, design_from, feature_schema
from suffice.estimators.holder import Holder
from suffice.sources.engines.memory import MemorySource
from suffice.sources.engines.wrapped_sources import rereadable_files
from suffice.sources.tables.numbers import Numbers


def coded_rows(holder: Holder, plan: CodedPlan, source: Source) -> tuple[Any, MemorySource]:
    """The plan with the design of these rows, or of those learned before, and the rows by it."""
    before: Any = holder._before
    known = None if before is None else before.plan.design
    if known is not None:
        plan = plan.by(known)
    if not isinstance(source, MemorySource):
        return _of_files(holder, plan, source)
    if known is not None or (array_rows(holder) and isinstance(source.table, Numbers)):
        return plan, source
    design = design_from(plan.owner, source, takes_gaps(holder))
    return plan.by(design), _by(design, source)


def _by(design: TableDesign, source: MemorySource) -> MemorySource:
    """The rows by a design; those that are numbers already stay as they are."""
    if isinstance(source.table, Numbers):
        return source
    coded = design.table(source.table)
    return replace(source, table=coded, schema=coded.infer())


def _of_files(holder: Holder, plan: CodedPlan, source: Any) -> tuple[CodedPlan, MemorySource]:
    """Complete numbers are gathered in one pass; otherwise the design takes two more."""
    try:
        rows = gathered(plan.owner, source, holder.threads)
    except BadInput:
        if not rereadable_files(source):
            raise
        raw = settle(source.read_by(RawChunks(plan.owner)))
        raw = raw.read_as(feature_schema(plan.owner, raw.schema))
        plan = plan.by(design_from(plan.owner, raw, takes_gaps(holder)))
        return plan, gathered(plan.owner, source.read_by(plan), holder.threads)
    return plan.by(design_from(plan.owner, rows, takes_gaps(holder))), rows
