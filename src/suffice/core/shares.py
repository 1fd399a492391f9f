"""Shares: labels are weights. How much of each row belongs to which component."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array


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

    @property
    def alike(self) -> bool:
        """All shares are one number, so that weights follow from row counts."""
        return self.share.size > 0 and self.share.strides == (0, 0)

    def dense(self) -> Array:
        """As a matrix (n, K)."""
        n, m = self.codes.shape
        if m == self.K and self.codes.strides[0] == 0:
            return self.share
        matrix = np.zeros((n, self.K + 1))  # the last column takes what belongs to nobody
        np.add.at(matrix, (np.arange(n)[:, None], self.codes), self.share)
        return matrix[:, : self.K]
