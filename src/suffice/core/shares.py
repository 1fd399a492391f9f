"""Shares: labels are weights. How much of each row belongs to which component."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array

ONE = np.float64(1.0).tobytes()  # which nobody can write to


@dataclass(frozen=True)
class Shares:
    """How much of row i belongs to component k: m entries a row, code -1 or share 0 is nobody.

    Class labels are m = 1, posteriors m = K with a stride-0 code array; never one-hot. No row names a component twice.

    >>> Shares.hard(np.array([1, 0, -1]), 2, np.array([1.0, 2.0, 5.0])).dense()
    array([[0., 1.],
           [2., 0.],
           [0., 0.]])
    """

    codes: Array  # (n, m) int32
    share: Array  # (n, m) float64, stride 0 where all shares are one number
    K: int

    @classmethod
    def hard(cls, codes: Array, K: int, w: Array | None = None) -> Shares:
        """Each row belongs to one component, with its weight."""
        share = (
            np.ndarray((len(codes), 1), np.float64, ONE, 0, (0, 0)) if w is None else w[:, None]
        )  # all are one number
        return cls(codes[:, None], share, K)

    @classmethod
    def soft(cls, share: Array) -> Shares:
        """Each row belongs to every component in the given shares (n, K)."""
        n, K = share.shape
        return cls(np.broadcast_to(np.arange(K, dtype=np.int32), (n, K)), share, K)

    def __getitem__(self, rows: Any) -> Shares:
        """The shares of some rows."""
        return Shares(self.codes[rows], self.share[rows], self.K)

    @property
    def alike(self) -> bool:
        """All shares are one number, so that weights follow from row counts."""
        return self.share.size > 0 and self.share.strides == (0, 0)

    @property
    def plain(self) -> bool:
        """All shares are 1, so that nothing needs to be weighed."""
        return self.alike and bool(self.share.flat[0] == 1.0)

    @property
    def live(self) -> Array:
        """Which entries belong to somebody (n, m)."""
        live: Array = (self.codes >= 0) & (self.share != 0.0)
        return live

    @property
    def claimed(self) -> Array:
        """Which rows belong to somebody (n,)."""
        return np.asarray(self.live.any(axis=1))

    def dense(self) -> Array:
        """As a matrix (n, K)."""
        n, m = self.codes.shape
        if n and m == self.K and self.codes.strides[0] == 0 and np.array_equal(self.codes[0], np.arange(m)):
            return self.share
        width = self.K + 1  # the last column takes what belongs to nobody
        cell = np.where(self.codes < 0, self.K, self.codes) + np.arange(0, n * width, width)[:, None]
        return np.bincount(cell.ravel(), self.share.ravel(), n * width).reshape(n, width)[:, : self.K]
