"""What crosses the boundary: blocks of rows, and how much of each row belongs to which component."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
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


class Shares(NamedTuple):
    """How much of row i belongs to component k: m entries a row, code -1 or share 0 is nobody.

    Class labels are m = 1, posteriors m = K with a stride-0 code array; never one-hot.
    """

    codes: Array  # (n, m) int32
    share: Array  # (n, m) float64, stride 0 where all shares are 1
    K: int

    @classmethod
    def hard(cls, codes: Array, K: int, w: Array | None = None) -> Shares:
        """Each row belongs to one component, with its weight."""
        share = np.broadcast_to(np.float64(1.0), (len(codes), 1)) if w is None else w[:, None]
        return cls(codes[:, None], share, K)

    @classmethod
    def soft(cls, share: Array) -> Shares:
        """Each row belongs to every component in the given shares (n, K)."""
        n, K = share.shape
        return cls(np.broadcast_to(np.arange(K, dtype=np.int32), (n, K)), share, K)

    def __getitem__(self, rows: Any) -> Shares:  # type: ignore[override]
        """The shares of some rows."""
        return Shares(self.codes[rows], self.share[rows], self.K)


def rows_of(part: Any) -> int:
    """Number of rows of one part of a block."""
    if isinstance(part, Coded):
        return int(part.codes.shape[0])
    return int((part.counts if isinstance(part, Words) else part).shape[0])
