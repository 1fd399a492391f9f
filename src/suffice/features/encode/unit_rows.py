"""Rows of length 1: the plan and the model behind `Normalizer`. No scikit-learn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from suffice.core.block import Block
from suffice.core.registry import saved
from suffice.core.schema import Schema
from suffice.core.summary import Together
from suffice.features.column_plan import NumberCells
from suffice.features.encode.row_norms import unit_rows


@saved
@dataclass(frozen=True)
class UnitRowsPlan(NumberCells):
    """What the length of a row is."""

    norm: str = "l2"

    keeps_cells: ClassVar[bool] = False
    allow_nan: ClassVar[bool] = False

    def check_sparse(self) -> None:
        """Zeros stay zeros."""

    def made(self, schema: Schema, labels: tuple[Any, ...], kept: Together) -> UnitRows:
        """The norm."""
        return UnitRows(self.norm)


@dataclass(frozen=True)
class UnitRows:
    """z = x / |x|."""

    norm: str

    def map(self, block: Block) -> Block:
        """Rows of length 1."""
        return block._replace(parts=(unit_rows(block.parts[0], self.norm),))

    def map_schema(self, schema: Schema) -> Schema:
        """The same columns."""
        return schema

    def names_out(self, names: tuple[Any, ...]) -> tuple[Any, ...]:
        """The names of the columns stay."""
        return names
