"""A choice of columns as a map of rows: by scores of the columns, or by what an estimator makes of them."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.kinds import Kind
from suffice.core.schema import Schema
from suffice.core.sparse import is_sparse


class KeptColumns:
    """The columns that stay. A model that has `support`, True for each that does, and `told_by`, who chose them."""

    support: Any  # (d,) bool
    told_by: Any
    keeps_sparse: ClassVar[bool] = True  # sparse rows stay so on the way back

    def map(self, block: Block) -> Block:
        """The columns that stay."""
        if not self.support.any():
            told = "no column stays (No features were selected: either the data is too noisy or the test too strict)"
            warnings.warn(f"{self.told_by}: {told}.", UserWarning, stacklevel=8)
        X = block.parts[0]
        some = X[:, np.flatnonzero(self.support)] if is_sparse(X) else np.ascontiguousarray(X[:, self.support])
        return block._replace(parts=(some,))

    def inverse(self, Z: Array) -> Array:
        """Columns in their places, 0 where one did not stay."""
        if is_sparse(Z):
            cells: Any = Z
            places = np.flatnonzero(self.support).astype(cells.indices.dtype)[cells.indices]
            shape = cells.shape[0], len(self.support)
            whole: Array = type(cells)((cells.data.copy(), places, cells.indptr.copy()), shape=shape)
            return whole
        rows = np.zeros((len(Z), len(self.support)), dtype=Z.dtype)
        rows[:, self.support] = Z
        return rows

    def map_schema(self, schema: Schema) -> Schema:
        """The columns that stay."""
        chosen = zip(schema.columns, self.support.tolist(), strict=True)
        return Schema(tuple(replace(column, kind=Kind.QUANTITATIVE) for column, stays in chosen if stays))

    def names_out(self, names: tuple[Any, ...]) -> tuple[Any, ...]:
        """Their names."""
        return tuple(name for name, stays in zip(names, self.support.tolist(), strict=True) if stays)


def get_support(self: Any, indices: bool = False) -> Array:
    """Which columns stay: True or False of each (d,), or their numbers.

    Parameters
    ----------
    indices : whether to give numbers
    """
    mask: Array = self._state()[0].model.support
    return np.flatnonzero(mask) if indices else mask.copy()
