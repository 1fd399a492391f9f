"""Rows of mixed kinds as codes and numbers in memory: levels are found first, from the same rows. No scikit-learn."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from suffice.core.errors import BadInput
from suffice.core.learner import Source, refuse_streams, settle
from suffice.estimators.algebras.gathering import gathered
from suffice.estimators.design.coded_plan import RawChunks
from suffice.estimators.design.kind_codes import kinds_from
from suffice.estimators.design.kind_plan import KindPlan, TableByKind, is_mixed, may_be_mixed
from suffice.estimators.design.table_design import feature_schema, has_symbols
from suffice.estimators.holder import Holder
from suffice.sources.engines.memory import MemorySource
from suffice.sources.engines.wrapped_sources import rereadable_files


def rows_by_kind(holder: Holder, plan: KindPlan, source: Source) -> tuple[Any, MemorySource]:
    """The plan with the codes of these rows, where they are measured by kind, and the rows as numbers."""
    if isinstance(source, MemorySource):
        if not isinstance(source.table, TableByKind):
            return plan, source
        plan = plan.by(kinds_from(plan.owner, source))
        coded = plan.open(source.table.table)
        return plan, replace(source, table=coded, schema=coded.infer())
    if not is_mixed(holder.metric):  # type: ignore[attr-defined]
        try:
            return plan, gathered(plan.owner, source, holder.threads)
        except BadInput:
            if not (may_be_mixed(holder) and rereadable_files(source)):
                raise
            raw = _settled(plan, source)
            if not has_symbols(raw.schema):
                raise
    else:
        refuse_streams(plan.owner, source, "levels of symbols are found first")
        raw = _settled(plan, source)
    plan = plan.by(kinds_from(plan.owner, raw))
    return plan, gathered(plan.owner, source.read_by(plan), holder.threads)  # type: ignore[attr-defined]


def _settled(plan: KindPlan, source: Any) -> Source:
    """The rows as they are, read with the kinds that all of them show."""
    raw = settle(source.read_by(RawChunks(plan.owner)))
    return raw.read_as(feature_schema(plan.owner, raw.schema))
