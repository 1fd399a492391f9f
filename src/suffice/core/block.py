"""What crosses the boundary: blocks of rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from numpy.typing import NDArray

Array = NDArray[Any]


class Coded(NamedTuple):
    """Symbols: codes into vocabularies that belong to this block alone."""

    codes: Array  # (n, d) integers, -1 missing
    labels: tuple[Sequence[Any], ...]  # d vocabularies


class Words(NamedTuple):
    """Documents: how often each word of the block's own vocabulary occurs in each row."""

    counts: Any  # (n, V) CSR
    labels: Sequence[Any]  # V words; a `range` stands for the columns of a matrix
    missing: Array | None = None  # (n,) True where there is no document


class Block(NamedTuple):
    """Some rows. Shape and type are checked at the boundary; nobody below validates them again."""

    parts: tuple[Any, ...]  # one Array | Coded | Words per part of the schema, n rows each
    y: Coded | Array | None = None
    w: Array | None = None

    @property
    def n(self) -> int:
        """Number of rows."""
        return rows_of(self.parts[0])


def rows_of(part: Any) -> int:
    """Number of rows of one part of a block."""
    if isinstance(part, Coded):
        return int(part.codes.shape[0])
    return int((part.counts if isinstance(part, Words) else part).shape[0])
