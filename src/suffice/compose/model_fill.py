"""Missing cells from models of their columns: each predicts one column from the others. No scikit-learn.

Columns of numbers are predicted by regressors, columns of symbols by classifiers. Between models symbols are codes; to
a model that predicts another column each is an indicator.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from suffice.compose.held import Held
from suffice.core.block import Array, Block, Coded
from suffice.core.by_class import canonical
from suffice.core.errors import Said, bad
from suffice.core.kinds import Kind
from suffice.core.registry import saved
from suffice.core.schema import Column, Schema
from suffice.features.column_plan import AnyCells
from suffice.features.missing.cell_fill import CellFill
from suffice.summaries.power_sums import LARGEST

Labels = tuple[Any, ...] | None  # of a column of symbols; None: numbers
REACH = 3.0  # ranges of a column's cells within which it may be filled beyond them


@saved
@dataclass(frozen=True)
class ModelFillPlan(AnyCells):
    """Rows of numbers and symbols, some of them missing."""

    face: ClassVar[str] = "transformer"


@saved
@dataclass(frozen=True)
class ModelFill(CellFill):
    """One model a column, and where missing cells begin."""

    owner: str
    start: Array  # (d,) mean of the cells of each column; code of the most frequent symbol
    helds: tuple[Held, ...]  # d
    rounds: int  # how often new rows go through all models
    tol: float
    labels: tuple[Labels, ...] = ()  # d; (): numbers all
    places: tuple[int, ...] = ()  # of the columns in the table; (): all
    limits: Array | None = None  # (2, d) within which numbers are filled; None: anywhere

    def filled(self, X: Array) -> Array:
        """Rows with nothing missing: predicted column by column, again and again."""
        labels = self.labels or (None,) * len(self.start)
        gaps = np.isnan(X)
        out, spread = np.where(gaps, self.start, X), 1.0 + np.abs(self.start)
        some = np.flatnonzero(gaps.any(axis=0))
        for _ in range(self.rounds if len(out) else 0):
            before = out.copy()
            for j in some.tolist():
                rows = gaps[:, j]
                out[rows, j] = kept_within(self.helds[j].live.predict(others(out[rows], j, labels)), self.limits, j)
            if np.abs((out - before) / spread).max(initial=0.0) <= self.tol:
                break
        return out

    def map(self, block: Block) -> Block:
        """Rows with nothing missing: numbers, or objects where there are symbols."""
        if not any(self.labels):
            self._refuse_far(block.parts[0], block)
            return super().map(block)
        coded = coded_cells(block, self.labels)
        self._refuse_far(coded, block)
        cells = self.filled(coded)
        out = np.empty(cells.shape, dtype=object)
        for j, labels in enumerate(self.labels):
            if labels is None:
                out[:, j] = cells[:, j]
                continue
            own = np.empty(len(labels), dtype=object)
            own[:] = labels
            out[:, j] = own[cells[:, j].astype(np.intp)]
        return block._replace(parts=(out,))

    def _refuse_far(self, cells: Array, block: Block) -> None:
        """Refuse what training refuses: the models, which see some columns of some rows, would name others."""
        far = np.abs(cells) > np.float64(LARGEST)  # of its own type, as float32 holds no such number
        if far.any():
            row, j = np.argwhere(far)[0].tolist()
            name = f"column {self.places[j] if self.places else j}"
            rule = f"at most {LARGEST:g} in size, so that squares can be added"
            came = Said(f"{cells[row, j]} in row {block.numbers[row]}")
            raise bad(self.owner, name, rule, came, "Correct the cell, or scale the column first.")

    def map_schema(self, schema: Schema) -> Schema:
        """The same columns, of any numbers or symbols."""
        kinds = [Kind.CATEGORICAL if some else Kind.QUANTITATIVE for some in self.labels or (None,) * len(self.start)]
        return Schema(tuple(Column(n, k) for n, k in zip(self.names_out(schema.names), kinds, strict=True)))

    def names_out(self, names: tuple[Any, ...]) -> tuple[Any, ...]:
        """The names of the columns stay; identifiers are left out."""
        return tuple(names[j] for j in self.places) if self.places else names

    def holding(self, change: Callable[[Held], Held]) -> ModelFill:
        """The same, with each of what is held in another form."""
        return replace(self, helds=tuple(map(change, self.helds)))


def wide_limits(X: Array) -> Array:
    """Three times the range of a column's cells beyond them (2, d): rounds that drive each other up end there."""
    low, high = np.nanmin(X, axis=0), np.nanmax(X, axis=0)
    return np.stack([low - REACH * (high - low), high + REACH * (high - low)])


def kept_within(cells: Array, limits: Array | None, j: int) -> Array:
    """Cells of a column, none beyond its limits."""
    return cells if limits is None else np.clip(cells, limits[0, j], limits[1, j])


def read_labels(block: Block, schema: Schema) -> tuple[tuple[int, ...], tuple[Labels, ...]]:
    """The places of the columns in the table, rising, and the symbols that rows show of each; None of numbers."""
    found: dict[int, Labels] = {}
    for (_, places), part in zip(schema.parts, block.parts, strict=True):
        for j, place in enumerate(places):
            found[place] = canonical(_met(part, j)) if isinstance(part, Coded) else None
    return tuple(sorted(found)), tuple(found[place] for place in sorted(found))


def _met(part: Coded, j: int) -> list[Any]:
    return [part.labels[j][code] for code in np.unique(part.codes[:, j]).tolist() if code >= 0]


def coded_cells(block: Block, labels: tuple[Labels, ...]) -> Array:
    """Rows (n, d): numbers, and codes of symbols; NaN where missing, or never seen in training.

    Numbers and symbols come in two parts, each in the order of the table.
    """
    numbers = iter(
        [
            np.asarray(p, dtype=np.float64)[:, j]
            for p in block.parts
            if not isinstance(p, Coded)
            for j in range(p.shape[1])
        ]
    )
    symbols = iter([(p, j) for p in block.parts if isinstance(p, Coded) for j in range(p.codes.shape[1])])
    out = np.empty((block.n, len(labels)))
    for i, own in enumerate(labels):
        if own is None:
            out[:, i] = next(numbers)
            continue
        part, j = next(symbols)
        place = {label: float(c) for c, label in enumerate(own)}
        out[:, i] = np.array([*(place.get(label, np.nan) for label in part.labels[j]), np.nan])[part.codes[:, j]]
    return out


def others(cells: Array, j: int, labels: tuple[Labels, ...]) -> Array:
    """All columns but one, as a model that predicts it meets them: numbers, and indicators of symbols."""
    if not any(labels):
        return np.delete(cells, j, axis=1)
    parts = [
        cells[:, i : i + 1] if own is None else cells[:, i, None] == np.arange(len(own))
        for i, own in enumerate(labels)
        if i != j
    ]
    return np.concatenate(parts, axis=1, dtype=np.float64)
