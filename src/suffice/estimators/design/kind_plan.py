"""Plans of models of distances that take any table: numbers as they are, other tables by kind. No scikit-learn."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Self

from suffice.core.schema import Schema
from suffice.estimators.boundary.number_plan import NumberPlan
from suffice.estimators.design.kind_codes import KindCodes
from suffice.estimators.design.table_design import feature_schema
from suffice.sources.tables.numbers import number_schema
from suffice.sources.tables.table import Table, TableAround
from suffice.spaces.distances.mixed_kinds import MixedDistance

USUAL = ("minkowski", "euclidean")  # metrics that nobody needs to have asked for


def is_mixed(metric: Any) -> bool:
    """Whether a metric is asked for that measures columns by their kinds."""
    return isinstance(metric, MixedDistance) or (isinstance(metric, str) and metric == "mixed")


def may_be_mixed(estimator: Any) -> bool:
    """Whether the metric is the default one, which gives way to that by kind where a table has symbols.

    Ward's linkage takes squares of Euclidean distances, and no others.
    """
    metric = estimator.metric if getattr(estimator, "linkage", None) != "ward" else None
    plain = getattr(estimator, "p", None) in (None, 2) and not getattr(estimator, "metric_params", None)
    return isinstance(metric, str) and metric in USUAL and plain


class TableByKind(TableAround):
    """A table to learn from, whose rows are to be measured by the kinds of their columns."""


@dataclass(frozen=True)
class KindPlan(NumberPlan):
    """Rows are numbers, or become codes and numbers as the rows of training did."""

    codes: KindCodes | None = field(default=None, kw_only=True)  # None: all columns are numbers

    others = "Use metric='mixed', or leave the column out."

    @property
    def design(self) -> KindCodes | None:
        """What says which columns users have given."""
        return self.codes

    def open(self, X: Any) -> Table:
        """By the codes; before they are known, as it is."""
        if self.codes is not None:
            return self.codes.table(X)
        return X if isinstance(X, TableByKind) else super().open(X)

    def schema(self, table: Table) -> Schema:
        """The kinds that the columns show."""
        shown = table.infer()
        return feature_schema(self.owner, shown) if isinstance(table, TableByKind) else shown

    def chunk(self, table: Table, schema: Schema) -> tuple[Table, Schema]:
        """A chunk of a file, by the codes where there are some."""
        if self.codes is None or not table.n:
            return super().chunk(table, schema)
        return self.codes.table(table), number_schema(self.codes.names, len(self.codes.names))

    def by(self, codes: KindCodes) -> Self:
        """The same plan for tables that are read by these codes."""
        return replace(self, codes=codes)
