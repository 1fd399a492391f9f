"""Factors: the columns that a column of a table becomes in a matrix of numbers. No scikit-learn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from suffice.core.by_class import canonical
from suffice.core.registry import saved
from suffice.core.schema import Column


@saved
class Factor(NamedTuple):
    """A column of numbers, the indicator of one level of a column of symbols, or that of missing cells.

    >>> Factor("site", "north", True).name, Factor("age", None, True).name
    ('site=north', 'age is missing')
    """

    column: Any
    level: Any = None
    symbol: bool = False  # whether it is an indicator

    @property
    def name(self) -> str:
        """The column; for a level, which one. A truth value needs no more than its column."""
        if self.missing:
            return f"{self.column} is missing"
        return str(self.column) if not self.symbol or self.level is True else f"{self.column}={self.level}"

    @property
    def missing(self) -> bool:
        """Whether it says that a cell is missing: no level is None, which is how tables write a missing cell."""
        return self.symbol and self.level is None


def gap(column: Any) -> Factor:
    """The indicator of the missing cells of a column."""
    return Factor(column, None, True)


def levels_of(column: Column, seen: Sequence[Any]) -> list[Any]:
    """Levels with the base first: in the order declared, or in an order that does not depend on how they came.

    Missing cells come last, and are never the base.
    """
    shown = [level for level in seen if level is not None]
    last = [None] if len(shown) < len(seen) else []
    declared = column.values
    if declared is None:
        return [*canonical(shown), *last]
    present = set(shown)
    return [declared[0], *(level for level in declared[1:] if level in present), *last]
