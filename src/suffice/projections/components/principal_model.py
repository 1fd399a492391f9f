"""Principal components as a value: it maps, rebuilds and scores rows on NumPy alone.

z = V (x - m),     z / sd(z) where whitened,     x ~ N(m, V'(L - s I)V + s I)     with s the variance left out, a column
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from suffice.core.affine import Linear
from suffice.core.block import Array, Block
from suffice.core.double_double import Pair
from suffice.core.registry import saved
from suffice.core.schema import Schema
from suffice.families.normals.missing_columns import Gaps
from suffice.sources.tables.numbers import number_schema

RANK = 1e-15  # share of the largest variance at which an axis counts as one along which rows do not vary
SINGULAR = 1e-7  # deviation of correlations along an axis below which missing cells are not predicted from it


@saved
@dataclass(frozen=True)
class PrincipalModel:
    """Axes of falling variance about a mean."""

    mean: Pair  # (d,) subtract high, then low
    axes: Array  # (k, d) orthonormal rows
    variances: Array  # (k,) falling, over n - 1
    total: float  # variance of all columns together
    noise: float  # mean variance of the axes left out; 0 if none is
    rows: float  # number of rows, or their weight
    whiten: bool
    name: str  # of columns out, before their number
    spectrum: Array  # (r,) variances of all axes that were found

    @property
    def shares(self) -> Array:
        """Share of the variance that each axis holds (k,)."""
        return self.variances / self.total if self.total > 0 else np.zeros_like(self.variances)

    @property
    def singular_values(self) -> Array:
        """Roots of the sums of squares along the axes (k,)."""
        return np.sqrt(np.maximum(self.variances * (self.rows - 1.0), 0.0))

    def map(self, block: Block) -> Block:
        """Rows in the axes; missing cells are what the others say of them."""
        X = block.parts[0]
        kind = X.dtype if X.dtype in (np.float32, np.float64) else np.dtype(np.float64)
        return block._replace(parts=((self.centred(X) @ self.turn.T).astype(kind, copy=False),))

    def centred(self, X: Any) -> Array:
        """Rows about the mean, complete."""
        X = np.asarray(X.toarray() if hasattr(X, "toarray") else X, dtype=np.float64)
        Z = (X - self.mean.high) - self.mean.low
        gaps = np.isnan(Z)
        odd = np.flatnonzero(gaps.any(axis=1))
        if len(odd):
            patterns, group = np.unique(~gaps[odd], axis=0, return_inverse=True)
            for p, present in enumerate(patterns):
                mine = odd[group == p]
                same = Gaps(np.repeat(present[None], len(mine), axis=0))
                Z[mine] = same.fill(Z[mine], np.zeros(Z[mine].shape), self.covariance, SINGULAR)
        return np.asarray(Z)

    @property
    def image(self) -> Linear:
        """What summaries are pushed by."""
        return Linear((), self.names_out(()), self.mean.high, self.turn.T, self.mean.low)

    @property
    def turn(self) -> Array:
        """What centred rows are multiplied by (k, d)."""
        return self.axes / self._scale[:, None] if self.whiten else self.axes

    @property
    def _scale(self) -> Array:
        """Deviation along each axis; 1 where there is none."""
        return np.where(self.variances > 0.0, np.sqrt(self.variances), 1.0)

    def inverse(self, Z: Array) -> Array:
        """Rows of all columns from their places in the axes."""
        scaled = Z * self._scale if self.whiten else Z
        back = scaled @ self.axes + self.mean.high + self.mean.low
        return np.asarray(back.astype(Z.dtype, copy=False))

    @cached_property
    def covariance(self) -> Array:
        """Covariance of the columns that the axes and the noise say (d, d)."""
        kept = np.maximum(self.variances - self.noise, 0.0)
        return np.asarray((self.axes.T * kept) @ self.axes + self.noise * np.eye(self.axes.shape[1]))

    @cached_property
    def precision(self) -> Array:
        """Inverse of the covariance (d, d)."""
        if self.noise > 0.0:  # by the inversion lemma: only the axes that are kept count
            gain = 1.0 / self.noise - 1.0 / np.maximum(self.variances, self.noise)
            return np.asarray(np.eye(self.axes.shape[1]) / self.noise - (self.axes.T * gain) @ self.axes)
        return np.asarray(np.linalg.pinv(self.covariance, hermitian=True))

    def log_density(self, X: Any) -> Array:
        """log p(x) of each row (n,)."""
        Z, d = self.centred(X), self.axes.shape[1]
        least = self.noise if self.noise > 0.0 else RANK * float(self.variances.max(initial=0.0))
        some = self.variances > (-1.0 if self.noise > 0.0 else least)  # without noise, the axes along which rows vary
        along, kept = Z @ self.axes[some].T, np.maximum(self.variances[some], least)
        log_det, square = float(np.log(kept).sum()), (along**2 / kept).sum(axis=1)
        if self.noise > 0.0:  # no table of all pairs of columns, which may be many, is made
            log_det += (d - len(kept)) * np.log(self.noise)
            square = square + ((Z - along @ self.axes[some]) ** 2).sum(axis=1) / self.noise
        return np.asarray(-0.5 * (square + d * np.log(2.0 * np.pi) + log_det))

    def map_schema(self, schema: Schema) -> Schema:
        """One column of numbers an axis."""
        return number_schema(self.names_out(()), len(self.axes))

    def names_out(self, names: tuple[Any, ...]) -> tuple[Any, ...]:
        """pca0, pca1, ..."""
        return tuple(f"{self.name}{j}" for j in range(len(self.axes)))
