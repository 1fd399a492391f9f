"""Filled rows as a map: what the models that fill in missing cells share. No scikit-learn."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import Any

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.kinds import Kind
from suffice.core.schema import Schema


class CellFill(ABC):
    """Columns stay; cells that are missing are filled in."""

    @abstractmethod
    def filled(self, X: Array) -> Array:
        """Rows (n, d) with nothing missing."""

    def map(self, block: Block) -> Block:
        """Rows with nothing missing, of the type that they had."""
        X = block.parts[0]
        kind = X.dtype if X.dtype in (np.float32, np.float64) else np.dtype(np.float64)
        return block._replace(parts=(self.filled(np.asarray(X, dtype=np.float64)).astype(kind, copy=False),))

    def inverse(self, Z: Array) -> Array:
        """Which cells were missing is not known any more: rows as they are."""
        return Z

    def map_schema(self, schema: Schema) -> Schema:
        """The same columns, of any numbers."""
        return Schema(tuple(replace(column, kind=Kind.QUANTITATIVE) for column in schema.columns))

    def names_out(self, names: tuple[Any, ...]) -> tuple[Any, ...]:
        """The names of the columns stay."""
        return names
