"""The log density of every cell of some rows under a class, in table order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.bayes.learner import BayesModel
from suffice.core.block import Array, Block
from suffice.core.schema import Schema
from suffice.families.places import table_places


@dataclass(frozen=True)
class CellLogs:
    """Rows before a model. A text is one cell; of a matrix of words, each column is one."""

    model: BayesModel
    block: Block
    schema: Schema
    words: Sequence[Any] = ()  # names of the columns of a matrix of words

    def under(self, k: int) -> tuple[tuple[Any, ...], Array]:
        """Names of the features, and log density of each cell under class k (n, d), 0 where missing."""
        return self._under(k, self.block)

    def under_each(self, classes: Array) -> tuple[tuple[Any, ...], Array]:
        """Names of the features, and log density of each cell under the class of its row (n, d)."""
        features, out = self._under(0, self.block.take(np.arange(0)))
        out = np.empty((self.block.n, out.shape[1]))
        for k in np.unique(classes):
            rows = np.flatnonzero(classes == k)
            out[rows] = self._under(int(k), self.block.take(rows))[1]
        return features, out

    def _under(self, k: int, block: Block) -> tuple[tuple[Any, ...], Array]:
        columns: list[tuple[int, int, Any, Array]] = []
        factors = self.model.factors
        for group, cells in zip(factors.groups, factors.cells(block.parts, k), strict=True):
            places = table_places(self.schema, group)
            for at in range(cells.shape[1]):
                wide = cells.shape[1] != len(places)
                name = self.words[at] if wide else self.schema.columns[places[at]].name
                columns.append((places[0] if wide else places[at], at, name, cells[:, at]))
        columns.sort(key=lambda column: column[:2])
        return tuple(name for _, _, name, _ in columns), np.stack([cells for *_, cells in columns], axis=1)
