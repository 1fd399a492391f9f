"""Models of all rows, or of all pairs of rows: they are fitted to a table in memory. No scikit-learn."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from itertools import chain
from typing import Any

from suffice.core.errors import bad
from suffice.core.schema import Schema
from suffice.estimators.algebras.coding import coded_rows
from suffice.estimators.algebras.gathering import gathered
from suffice.estimators.algebras.kinds_in_memory import rows_by_kind
from suffice.estimators.boundary.all_or_nothing import all_or_nothing
from suffice.estimators.boundary.opening import Opened, open_for
from suffice.estimators.design.coded_plan import CodedPlan
from suffice.estimators.design.kind_plan import KindPlan
from suffice.estimators.holder import Holder
from suffice.estimators.state.fitted import FittedModel, Found, Plan
from suffice.numerics.memory import memory
from suffice.sources.engines.file_source import FileSource
from suffice.sources.engines.memory import MemorySource
from suffice.sources.engines.partitioned_source import PartitionedSource


class InMemory:
    """`fit`, on a table in memory; files are read whole if that is asked for."""

    @abstractmethod
    def _solve(self, plan: Plan, source: MemorySource) -> Found:
        """The model of these rows."""

    def _fit(self: Any, X: Any, y: Any, sample_weight: Any, target: Any, in_memory: bool) -> Any:
        """Learn from these rows alone."""
        with all_or_nothing(self):
            self._begin()
            opened = open_for(self, X, y, sample_weight, target)
            plan, source = rows_in_memory(self, opened, in_memory)
            found = self._solve(plan, source)
            return self._adopt(FittedModel(plan, source.schema, found), opened.origin(features_of(plan, source)))


def rows_in_memory(holder: Holder, opened: Opened, asked: bool) -> tuple[Plan, MemorySource]:
    """The rows as a table in memory, and the plan that reads their like.

    Those of files and streams are gathered if that is asked for, else refused.
    """
    source = opened.source
    if isinstance(source, PartitionedSource):
        raise source.in_memory_only()
    if not isinstance(source, MemorySource) and not asked:
        raise _not_unasked(holder._owner, source)
    if isinstance(opened.plan, CodedPlan):
        return coded_rows(holder, opened.plan, source)
    if isinstance(opened.plan, KindPlan):
        return rows_by_kind(holder, opened.plan, source)
    return opened.plan, source if isinstance(source, MemorySource) else gathered(holder._owner, source, holder.threads)


def features_of(plan: Any, source: MemorySource) -> Schema:
    """The columns that users have given."""
    design = getattr(plan, "design", None)
    return source.schema if design is None else design.schema


def _not_unasked(owner: str, source: Any) -> Exception:
    """Say how many rows there is room for."""
    columns = _columns(source)
    fits = f"about {memory() // (8 * columns):,} rows of {columns} columns fit" if columns else "as much as fits"
    remedy = "Pass in_memory=True to read the rows whole, or use a model that learns in passes."
    return bad(owner, "X", f"a table in memory ({fits})", "files or a stream", remedy)


def _columns(source: Any) -> int:
    """Number of features, where a look at the first rows takes none away."""
    if not (isinstance(source, FileSource) and source.rereadable):
        return 0
    chunks: Iterator[Any] = source.rows.chunks()
    first = next(chunks, None)
    getattr(chunks, "close", chain)()
    return 0 if first is None else max(len(source.features(first.schema).features), 1)
