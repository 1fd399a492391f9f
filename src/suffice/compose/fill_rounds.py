"""Rounds of filling: each column is learned from tables whose missing cells were filled without it.

A cell that was filled by help of x_j tells x_j. Where the model of x_j learns from such cells, it trusts them too much:
in the rows that lack x_j they know nothing of it. So beside the table there is one for each column, in which that
column counts as missing; its model learns from it. Under a normal distribution with its true parameters

E[x_j | cells that are there] = b . (cells that are there, E[cells that are not | those that are there, without x_j])

with the coefficients b of x_j on all others: what is true stays where it is, which learning from one filled table does
not keep (its coefficients grow from round to round). It takes that cells of other columns do not go because of x_j.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from suffice.compose.model_fill import Labels, kept_within, others
from suffice.core.block import Array

CELLS = 1 << 22  # cells of tables that are filled at a time
Learn = Callable[[Array, Array, int], Any]  # others, cells of the column, its place -> a model


class HidingTables:
    """The table with each of some columns hidden, one after the other; the first hides none.

    Only rows that lack cells differ between tables. Of these the cells that are filled are kept: missing ones, and all
    of the column that is hidden.
    """

    def __init__(self, X: Array, start: Array, hidden: Array, labels: tuple[Labels, ...], limits: Array) -> None:
        """Every missing or hidden cell at the start of its column."""
        self.X, self.gaps, self.labels, self.limits = X, np.isnan(X), labels, limits
        self.hidden = np.concatenate([[-1], hidden])
        self.lacking = np.flatnonzero(self.gaps.any(axis=1))
        self.holes = self.gaps[self.lacking]
        self.spread = 1.0 + np.abs(start)
        begun = np.broadcast_to(start, self.holes.shape)
        self.cells = np.repeat(begun[self.holes][None], len(self.hidden), axis=0)  # (tables, missing cells)
        self.own = np.repeat(np.append(0.0, start[hidden])[:, None], len(self.lacking), axis=1)  # (tables, rows)

    def table(self, which: int) -> Array:
        """One of the tables, with nothing missing (n, d)."""
        out = self.X.copy()
        out[self.lacking] = self._tables(slice(which, which + 1))[0]
        return out

    def learned(self, learn: Learn) -> dict[int, Any]:
        """A model of each hidden column, from the table that hides it."""
        models, there = {}, ~self.gaps
        for i, j in enumerate(self.hidden[1:].tolist(), start=1):
            rows = there[:, j] & (there.sum(axis=1) > 1)  # others tell nothing where none is there
            rows = rows if rows.any() else there[:, j]
            models[j] = learn(others(self.table(i)[rows], j, self.labels), self.X[rows, j], j)
        return models

    def fill(self, models: Mapping[int, Any]) -> float:
        """All tables once through all models, column after column; by how much a cell moved at most."""
        moved = 0.0
        step = max(1, CELLS // max(1, self.holes.size))
        for first in range(0, len(self.hidden) if len(self.lacking) else 0, step):
            moved = max(moved, self._fill(slice(first, first + step), models))
        return moved

    def _fill(self, some: slice, models: Mapping[int, Any]) -> float:
        hidden, tables = self.hidden[some], self._tables(some)
        before = tables.copy()
        for k, model in models.items():
            rows = self.holes[:, k] | (hidden == k)[:, None]  # (tables, rows)
            if rows.any():
                tables[rows, k] = kept_within(model.predict(others(tables[rows], k, self.labels)), self.limits, k)
        self.cells[some] = tables[:, self.holes]
        for i, j in enumerate(hidden.tolist()):
            self.own[some.start + i] = tables[i, :, j]
        return float(np.abs((tables - before) / self.spread).max(initial=0.0))

    def _tables(self, some: slice) -> Array:
        """Some of the tables, of the rows that lack cells (tables, rows, d)."""
        hidden = self.hidden[some]
        tables = np.repeat(self.X[self.lacking][None], len(hidden), axis=0)
        tables[:, self.holes] = self.cells[some]
        for i, j in enumerate(hidden.tolist()):
            if j >= 0:
                tables[i, :, j] = self.own[some.start + i]
        return tables


def fill_in_rounds(
    tables: HidingTables, learn: Learn, most: int, tol: float, known: Mapping[int, Any] = MappingProxyType({})
) -> tuple[dict[int, Any], int, float]:
    """The models of the hidden columns, how many rounds there were, and how far cells moved in the last.

    Models of other columns that are known stay as they are.
    """
    models: dict[int, Any] = {}
    rounds, moved = 0, np.inf
    while rounds < most and moved > tol:
        models = tables.learned(learn)
        moved, rounds = tables.fill({**known, **models}), rounds + 1
    return models, rounds, moved
