"""Filled columns, then indicators of where cells were missing: how imputers put both together. No scikit-learn."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.kinds import Kind
from suffice.core.schema import Column, Schema

INDICATOR = "missingindicator_"  # what scikit-learn's names of indicators begin with


class FilledColumns(ABC):
    """Columns without any cell may be left out; each that lacked cells may be told of by a column of 0 and 1."""

    empty: Array  # (d,) whether a column had no cell
    lacking: Array  # (d,) whether it lacked some

    @property
    @abstractmethod
    def keeps_empty(self) -> bool:
        """Whether columns without any cell stay."""

    @property
    @abstractmethod
    def indicates(self) -> bool:
        """Whether indicators are added."""

    @property
    def kept(self) -> list[int]:
        """Places of the columns that stay."""
        return [j for j, none in enumerate(self.empty.tolist()) if self.keeps_empty or not none]

    @property
    def indicated(self) -> list[int]:
        """Places of the columns whose missing cells are told of."""
        return np.flatnonzero(self.lacking).tolist() if self.indicates else []

    def together(self, n: int, columns: Mapping[int, Array], gaps: Mapping[int, Array], kind: Any) -> Array:
        """Columns that stay (n, d'), then indicators; a column that rows do not have is missing in all of them."""
        kept, told = self.kept, self.indicated
        symbols = any(columns[j].dtype == object for j in kept)
        out = np.empty((n, len(kept) + len(told)), dtype=object if symbols else kind)
        for i, j in enumerate(kept):
            out[:, i] = columns[j]
        for i, j in enumerate(told, len(kept)):
            out[:, i] = gaps[j].astype(np.float64) if j in gaps else 1.0
        return out

    def map_schema(self, schema: Schema) -> Schema:
        """Columns that stay, and indicators."""
        kept = [schema.columns[j] for j in self.kept]
        told = [Column(f"{INDICATOR}{schema.columns[j].name}", Kind.QUANTITATIVE) for j in self.indicated]
        return Schema((*(self.filled_kind(column) for column in kept), *told))

    def filled_kind(self, column: Column) -> Column:
        """The kind of a filled column: it stays."""
        return column

    def names_out(self, names: tuple[Any, ...]) -> tuple[Any, ...]:
        """Names of the columns that stay, then of the indicators."""
        return (*(names[j] for j in self.kept), *(f"{INDICATOR}{names[j]}" for j in self.indicated))


def as_number(column: Column) -> Column:
    """The same column, of any numbers."""
    return replace(column, kind=Kind.QUANTITATIVE)
