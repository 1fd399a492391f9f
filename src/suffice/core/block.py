"""What crosses the boundary: blocks of rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from suffice.core.errors import Said, bad
from suffice.numerics.arrays import Array as Array  # the name that rooms above import from here


class Coded(NamedTuple):
    """Symbols: codes into vocabularies that belong to this block alone."""

    codes: Array  # (n, d) integers, -1 missing
    labels: tuple[Sequence[Any], ...]  # d vocabularies


class Words(NamedTuple):
    """Documents: how often each word of the block's own vocabulary occurs in each row."""

    counts: Any  # (n, V) CSR, or an array
    labels: Sequence[Any]  # V words; a `range` stands for the columns of a matrix
    missing: Array | None = None  # (n,) True where there is no document
    owner: str | None = None  # the estimator that reads them, for messages


class Uncounted(int):
    """The number of a row within its partition, while nobody has counted the partitions before; sums stay such."""

    def __add__(self, other: int) -> Uncounted:
        """A later row of the same partition."""
        return Uncounted(int(self) + int(other))

    __radd__ = __add__


class NotCounted(Exception):
    """The numbers of rows are asked for before partitions were counted: they are then, and the pass is repeated."""


class LateNumbers:
    """Numbers of the rows of a block, made of what they hold when somebody first asks: it takes longer than a pass."""

    def __init__(self, make: Callable[[Block], Array], block: Block) -> None:
        """Nothing is made yet."""
        self.make, self.block = make, block
        self.found: Array | None = None

    def of(self, block: Block) -> LateNumbers:
        """The same numbers, made of a block that holds the same cells elsewhere."""
        return LateNumbers(self.make, block)

    @property
    def numbers(self) -> Array:
        """The number of each row (n,)."""
        if self.found is None:
            self.found = self.make(self.block)
        return self.found


class Block(NamedTuple):
    """Some rows. Shape and type are checked at the boundary; nobody below validates them again.

    >>> import numpy as np
    >>> block = Block((np.array([[1.0], [2.0], [3.0]]),), start=100)
    >>> block.take(np.array([0, 2])).parts[0].ravel().tolist()
    [1.0, 3.0]
    >>> block.take(np.array([0, 2])).numbers.tolist()
    [100, 102]
    """

    parts: tuple[Any, ...]  # one Array | Coded | Words per part of the schema, n rows each
    y: Coded | Array | None = None
    w: Array | None = None
    start: int = 0  # number of its first row in the source
    apart: Array | LateNumbers | None = None  # (n,) numbers of rows that are no neighbours

    @property
    def n(self) -> int:
        """Number of rows."""
        if not self.parts:
            rule = "of columns with at least one cell that is there"
            raise bad(
                "X", "the table", rule, Said("missing cells alone"), "Leave these columns out, or declare their kinds."
            )
        return rows_of(self.parts[0])

    @property
    def numbers(self) -> Array:
        """The number of each row in the source (n,)."""
        if isinstance(self.apart, LateNumbers):
            return self.apart.numbers
        if self.apart is None and isinstance(self.start, Uncounted):
            raise NotCounted
        return np.arange(self.start, self.start + self.n) if self.apart is None else self.apart

    def take(self, rows: Array) -> Block:
        """Some of its rows, by their place in the block; they keep their numbers."""
        parts = tuple(take(part, rows) for part in self.parts)
        y, w = None if self.y is None else take(self.y, rows), None if self.w is None else self.w[rows]
        return Block(parts, y, w, self.start, self.numbers[rows])


def rows_of(part: Any) -> int:
    """Number of rows of one part of a block."""
    if isinstance(part, Coded):
        return int(part.codes.shape[0])
    part = part.counts if isinstance(part, Words) else part
    return int(part.shape[0] if hasattr(part, "shape") else part.n)  # a table that is handed on


def take(part: Any, rows: Array | slice) -> Any:
    """Some rows of one part of a block; vocabularies stay as they are."""
    if isinstance(part, Coded):
        return Coded(part.codes[rows], part.labels)
    if isinstance(part, Words):
        missing = None if part.missing is None else part.missing[rows]
        return Words(part.counts[rows], part.labels, missing, part.owner)
    return part[rows]
