"""Missing cells as a value or a bin of their own. No scikit-learn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from suffice.core.block import Array
from suffice.core.registry import saved
from suffice.features.column_plan import classed
from suffice.features.missing.column_fill import ByMostFrequent
from suffice.summaries.counts import Counts
from suffice.summaries.rankings import Rankings


@saved
@dataclass(frozen=True)
class OwnValue(ByMostFrequent):
    """A number that no cell has, one range below the smallest unless it is given; a symbol of its own."""

    number: float | None = None
    symbol: str = "missing"

    name: ClassVar[str] = "own value"
    sparse: ClassVar[bool] = False

    def value(self, part: Rankings | Counts, j: int) -> Any:
        """Of a column."""
        if isinstance(part, Counts):
            return self.symbol
        if self.number is not None:
            return self.number
        low, high = float(part.values[j][0]), float(part.values[j][-1])
        return low - (high - low) if high > low else low - max(1.0, abs(low))

    def of(self, number: bool) -> Any:
        """Of a column of which no cell was ever seen."""
        return (self.number or 0.0) if number else self.symbol


@saved
@dataclass(frozen=True)
class OwnBin(OwnValue):
    """Numbers become numbers of bins, missing cells the last of them; a symbol of its own."""

    strategy: Any = None  # an object with `limits`

    name: ClassVar[str] = "own bin"

    def value(self, part: Rankings | Counts, j: int) -> Any:
        """Limits between the bins of a column, rising; the symbol."""
        if isinstance(part, Counts):
            return self.symbol
        values, weight = classed(part, j)
        return tuple(self.strategy.limits("MissingAsValue", values, weight).tolist())

    def put(self, x: Array, gap: Array, value: Any) -> Array:
        """The bin of each cell (n,)."""
        limits = np.asarray(value if isinstance(value, tuple) else ())
        return np.where(gap, len(limits) + 1.0, np.searchsorted(limits, x, side="right"))

    def told(self, value: Any) -> str:
        """What cells are filled by."""
        return f"own bin: {len(value) + 1}" if isinstance(value, tuple) else super().told(value)
