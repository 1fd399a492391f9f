"""What densities without a parametric form keep of a column: its distinct values in order, or the numbers of its bins.

Moments say too little for them, so their columns are kept apart, beside what the other families of a part share.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.core.registry import saved
from suffice.core.shares import Shares
from suffice.summaries.rankings import Rankings

FARTHEST = 2.0**51  # bins from the origin; cells beyond share the last one


class Keeper(Protocol):
    """What is kept of numbers. Two summaries of a column add only where this is equal."""

    def summarize(self, part: Array, R: Shares) -> Rankings:
        """Rankings of the columns; missing and infinite cells are as if they were not there."""


@saved
@dataclass(frozen=True)
class Ranked:
    """The values themselves: exact, and as long as there are distinct ones."""

    def places(self, x: Array) -> Array:
        """The values."""
        return x

    def positions(self, x: Array) -> Array:
        """The values."""
        return x

    def cells(self, places: Array) -> Array:
        """The values."""
        return places

    @property
    def unit(self) -> float:
        """How long a step of 1 is, in the unit of the column."""
        return 1.0

    def summarize(self, part: Array, R: Shares) -> Rankings:
        """Rankings of the values."""
        return present(part, R)


@saved
@dataclass(frozen=True)
class FixedWidth:
    """Bins of one width, counted from an origin that is carried with them: [origin + b width, origin + (b + 1) width).

    All shards number the same bins, so that a summary is only as long as there are bins with cells.

    >>> FixedWidth(0.5).places(np.array([0.0, 0.75, -0.1]))  # the middle of each bin, in bins from the origin
    array([ 0.5,  1.5, -0.5])
    """

    width: float
    origin: float = 0.0

    def __post_init__(self) -> None:
        """Refuse what makes no bins."""
        if not (np.isfinite(self.width) and self.width > 0):
            raise bad(self, "width", "finite and above 0", self.width, "It is in the unit of the column.")
        if not np.isfinite(self.origin):
            raise bad(self, "origin", "finite", self.origin, "It is where a bin begins.")

    def places(self, x: Array) -> Array:
        """The middle of the bin of each cell, in bins from the origin."""
        return np.asarray(np.clip(np.floor(self.positions(x)), -FARTHEST, FARTHEST) + 0.5)

    def positions(self, x: Array) -> Array:
        """Each cell itself, in bins from the origin."""
        with np.errstate(over="ignore", invalid="ignore"):
            return np.asarray((x - self.origin) / self.width)

    def cells(self, places: Array) -> Array:
        """From bins back to the unit of the column."""
        return np.asarray(self.origin + places * self.width)

    @property
    def unit(self) -> float:
        """How long a step of 1 is, in the unit of the column."""
        return self.width

    def summarize(self, part: Array, R: Shares) -> Rankings:
        """Rankings of the bins."""
        x = np.asarray(part, dtype=np.float64)
        return present(np.where(np.isfinite(x), self.places(x), np.nan), R)

    @property
    def keeps(self) -> FixedWidth:
        """What is kept of a column: the numbers of its bins."""
        return self

    def segments(self, values: Array, weight: Array) -> tuple[Array, Array]:
        """Bins with cells, and the stretches of empty ones between them."""
        edges = np.unique(np.concatenate([values - 0.5, values + 0.5]))
        return edges, np.diff(edges) if len(edges) else edges


def present(part: Array, R: Shares) -> Rankings:
    """Rankings of the cells that are there and finite."""
    x = np.asarray(part, dtype=np.float64)
    found = Rankings.of(np.where(np.isfinite(x), x, np.nan), R)
    rows, weight = np.zeros_like(found.missing_rows), np.zeros_like(found.missing_weight)
    return replace(found, missing_rows=rows, missing_weight=weight)
