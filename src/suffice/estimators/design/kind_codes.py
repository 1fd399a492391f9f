"""A table as one column of numbers for each of its own, for distances by kind: symbols are codes, ordinals are ranks.

Missing cells stay missing (NaN). A symbol that training has not met is unlike all that it has. No scikit-learn.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from suffice.core.block import Array, Block, Coded
from suffice.core.by_class import canonical
from suffice.core.errors import Said, bad
from suffice.core.kinds import Kind, Storage
from suffice.core.learner import Always, Source, learn
from suffice.core.registry import saved
from suffice.core.schema import Column, Schema
from suffice.core.shares import Shares
from suffice.core.summary import Together
from suffice.core.tally import Tally
from suffice.estimators.design.factor_columns import LARGEST
from suffice.sources.tables.numbers import Numbers
from suffice.sources.tables.parts import refuse_strangers
from suffice.sources.tables.table import Table, open_table
from suffice.spaces.distances.mixed_kinds import MixedDistance
from suffice.summaries.counts import Counts

UNSEEN = -1.0  # the code of symbols that training has not met


@saved
@dataclass(frozen=True)
class KindCodes:
    """The columns of a table and the levels of its symbols, by which rows become numbers.

    >>> from suffice.sources.engines.memory import MemorySource
    >>> table = open_table({"age": [31.0, None, 44.0], "site": ["n", "s", "n"]})
    >>> codes = kinds_from("KMedoids", MemorySource(table, table.infer()))
    >>> codes.rows({"age": [40.0, 50.0], "site": ["s", "w"]}).tolist()
    [[40.0, 1.0], [50.0, -1.0]]
    """

    owner: str
    schema: Schema
    levels: Mapping[Any, tuple[Any, ...]]  # of columns of symbols, in order

    def __post_init__(self) -> None:
        """Refuse pieces of a file that do not belong together."""
        known = {c.name for c in self.schema.features if c.kind.storage is Storage.SYMBOLS}
        if set(self.levels) != known:
            raise TypeError("levels belong to the columns of symbols")

    @property
    def names(self) -> tuple[Any, ...]:
        """The names of the columns."""
        return tuple(column.name for column in self.schema.features)

    @property
    def symbols(self) -> Array:
        """Which columns hold codes, that are equal or not (d,)."""
        found = [c.kind.storage is Storage.SYMBOLS and c.kind is not Kind.ORDINAL for c in self.schema.features]
        return np.array(found, dtype=bool)

    def rows(self, X: Any) -> Array:
        """The rows of a table (n, d); rows without a cell are refused, as nothing is near them."""
        table = open_table(X)
        parts = table.parts(self.schema, slice(0, table.n))
        refuse_strangers(self.schema, parts, 0)
        cells = np.empty((table.n, len(self.names)))
        place = {name: j for j, name in enumerate(self.names)}
        for (storage, places), part in zip(self.schema.parts, parts, strict=True):
            for at, i in enumerate(places):
                column = self.schema.columns[i]
                found = part[:, at] if storage is Storage.NUMBERS else self._coded(column, part, at)
                cells[:, place[column.name]] = found
        self._refuse(cells)
        return cells

    def table(self, X: Any) -> Table:
        """The rows of a table, as a table of numbers."""
        return Numbers(self.rows(X), self.names, self.owner)

    def read_back(self, cells: Array) -> Array:
        """Coded rows as they were: numbers and symbols as objects (n, d), None where missing."""
        out: Array = cells.astype(object)
        out[np.isnan(cells)] = None
        for j, name in enumerate(self.names):
            levels = self.levels.get(name)
            if levels is not None:
                out[:, j] = [None if code is None else levels[int(code)] for code in out[:, j]]
        return out

    def distance(self, X: Array, w: Array | None, metric: Any, weights: Any = None) -> MixedDistance:
        """The distance by kind of coded rows: with ranges of those that weigh something, or as it was given."""
        if isinstance(metric, MixedDistance):
            numbers = ~np.isnan(metric.ranges)
            if len(numbers) != len(self.names) or (numbers & self.symbols).any():
                rule = f"a MixedDistance of these columns, NaN for symbols: {list(self.names)}"
                raise bad(self.owner, "metric", rule, metric.ranges.tolist(), "Use metric='mixed'.")
            return metric
        found = MixedDistance.of_cells(X if w is None else X[w > 0], self.symbols, weights)
        return replace(found, ranges=np.where(np.isnan(self._spans), found.ranges, self._spans))

    @cached_property
    def _spans(self) -> Array:
        """From the lowest to the highest rank of ordinals whose order was declared; NaN of others (d,)."""
        return np.array([len(c.order) - 1.0 if c.order else np.nan for c in self.schema.features])

    def _coded(self, column: Column, part: Coded, at: int) -> Array:
        levels = self.levels[column.name]
        code = {level: float(k) for k, level in enumerate(levels)}
        between = column.kind is Kind.ORDINAL and column.order is None
        found = [code.get(one, bisect_left(levels, one) - 0.5 if between else UNSEEN) for one in part.labels[at]]
        return np.array([*found, np.nan])[part.codes[:, at]]

    def _refuse(self, cells: Array) -> None:
        with np.errstate(invalid="ignore"):
            far = np.argwhere(np.abs(cells) > LARGEST)
        if len(far):
            row, at = far[0].tolist()
            rule = f"finite and at most {LARGEST:g} in size"
            raise bad(self.owner, f"column {self.names[at]!r}", rule, cells[row, at], f"Correct the cell in row {row}.")
        empty = np.flatnonzero(np.isnan(cells).all(axis=1))
        if len(empty):
            rule = "rows with a cell that is present: nothing is near a row without one"
            raise bad(self.owner, "X", rule, Said(f"row {empty[0]}, which has none"), "Leave such rows out.")


@dataclass(frozen=True)
class LevelLearner:
    """Finds the levels of symbols."""

    owner: str
    schema: Schema

    def summarize(self, block: Block, model: None = None) -> Together:
        """Counts of the symbols of rows that weigh something."""
        R = Shares.hard(np.zeros(block.n, dtype=np.int32), 1, block.w)
        parts = zip(self.schema.parts, block.parts, strict=True)
        return Together((Tally.of(R), *(Counts.of(p, R) for (s, _), p in parts if s is Storage.SYMBOLS)))

    def estimate(self, summary: Together, model: None = None) -> KindCodes:
        """The levels in an order that does not depend on how they came, or as they were declared."""
        columns = [self.schema.columns[i] for s, places in self.schema.parts if s is Storage.SYMBOLS for i in places]
        seen: Sequence[Any] = summary.parts[1].labels if len(summary.parts) > 1 else ()  # type: ignore[attr-defined]
        levels = {c.name: c.order or tuple(canonical(list(found))) for c, found in zip(columns, seen, strict=True)}
        return KindCodes(self.owner, self.schema, levels)


def kinds_from(owner: str, source: Source) -> KindCodes:
    """The codes of rows that are read with one schema."""
    look = LevelLearner(owner, source.schema)
    return look.estimate(learn(Always(look), source).summary)


def column_weights(owner: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters of the distance by kind: weights of the columns, or nothing."""
    if set(given) - {"weights"}:
        raise bad(owner, "metric_params", "weights of columns, for metric='mixed'", sorted(given), "Leave others out.")
    return dict(given)
