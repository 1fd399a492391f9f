"""A net that recodes rows in a narrow layer and says them again, as a value: it maps on NumPy and SciPy alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.errors import BadFile
from suffice.core.kinds import Kind
from suffice.core.registry import saved
from suffice.core.schema import Column, Schema
from suffice.neural.net_record import NetRecord
from suffice.neural.net_weights import NetWeights
from suffice.neural.output_layers import OUTPUTS


@saved
@dataclass(frozen=True)
class NetCode:
    """The code of a row is what the narrowest hidden layer answers."""

    weights: NetWeights
    level: int  # of the layer of the code, the inputs being 0
    record: NetRecord

    def __post_init__(self) -> None:
        """Refuse a file whose pieces are not what they should be."""
        if not isinstance(self.weights, NetWeights) or not isinstance(self.record, NetRecord):
            raise BadFile("its weights are those of no net")
        if not 0 < self.level < len(self.weights.sizes) - 1:
            raise BadFile("its code is in no hidden layer")

    def map(self, block: Block) -> Block:
        """Codes (n, c)."""
        return block._replace(parts=(self.weights.hidden_outputs(block.parts[0], self.level),))

    def inverse(self, Z: Array) -> Array:
        """Rows as the net says them again (n, d)."""
        rows = self.weights.through(Z, self.level, len(self.weights.coefs))
        OUTPUTS[self.weights.output](rows)
        return rows

    def map_schema(self, schema: Schema) -> Schema:
        """One number a unit of the code."""
        return Schema(tuple(Column(name, Kind.QUANTITATIVE) for name in self.names_out(schema.names)))

    def names_out(self, names: tuple[Any, ...]) -> tuple[Any, ...]:
        """Units are numbered."""
        return tuple(f"autoassociator{j}" for j in range(self.weights.sizes[self.level]))


def narrowest(hidden: tuple[int, ...]) -> int:
    """The level of the narrowest hidden layer, the first of equals.

    >>> narrowest((5, 2, 5))
    2
    """
    return 1 + int(np.argmin(hidden))
