"""The door of models of distances: arrays of numbers, or any table whose columns are measured by their kinds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from suffice.core.errors import Said, bad
from suffice.estimators.boundary.doors import AnyTable
from suffice.estimators.boundary.plain_arrays import is_mapping
from suffice.estimators.design.kind_plan import TableByKind, is_mixed, may_be_mixed
from suffice.estimators.design.table_design import has_symbols
from suffice.estimators.state.origin import library
from suffice.sources.tables.table import Table, open_table


@dataclass(frozen=True)
class KindRows:
    """Numbers by their own door; any table where its kinds are asked for, or where it has symbols."""

    numbers: Any  # the door for numbers
    mixed: bool = False  # whether the metric asks for kinds

    def check(self, estimator: Any, X: Any, *, first: bool, learning: bool = True) -> Any:
        """X as a table; `first` sets what later ones must be like."""
        before = None if first else estimator._before
        if first:
            by_kind = self.mixed or (may_be_mixed(estimator) and _shows_symbols(X))
        else:
            by_kind = before is not None and before.plan.codes is not None
        if not by_kind:
            return self.numbers.check(estimator, X, first=first, learning=learning)
        if hasattr(X, "tocsr"):
            rule = "a table for metric='mixed'"
            raise bad(estimator._owner, "X", rule, Said("a sparse matrix"), "Fill it in: X.toarray().")
        table = open_table(AnyTable().check(estimator, X, first=first, learning=learning))
        return TableByKind(table) if first else table

    def tag(self, tags: Any) -> None:
        """What scikit-learn may expect of X."""
        if not self.mixed:
            self.numbers.tag(tags)
            return
        AnyTable(allow_nan=True).tag(tags)
        tags.input_tags.sparse = False


def _shows_symbols(X: Any) -> bool:
    if (library(X) in (None, "scipy") and not is_mapping(X)) or isinstance(X, Table):
        return False
    return has_symbols(open_table(X).infer())


def kind_door(numbers: Any) -> Any:
    """The door of an estimator with a parameter `metric`, by its door for numbers."""
    doors = KindRows(numbers), KindRows(numbers, True)
    return property(lambda estimator: doors[is_mixed(estimator.metric)])
