"""What transformers of columns share: tables are kept as rankings of numbers and counts of symbols, by class or not.

A plan says how a table is read and what is made of the sums; one learner serves them all. No scikit-learn.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from suffice.core.block import Array, Block, Coded
from suffice.core.by_class import ByClass
from suffice.core.double_double import Pair
from suffice.core.errors import BadInput, Said, bad
from suffice.core.kinds import Kind, Storage
from suffice.core.schema import Column, Schema
from suffice.core.shares import Shares
from suffice.core.summary import Summary, Together
from suffice.core.tally import Tally
from suffice.estimators.boundary.number_plan import NumberPlan
from suffice.sources.tables.numbers import SparseNumberTable, open_sparse, open_with_gaps
from suffice.sources.tables.table import Table, open_table
from suffice.summaries.counts import Counts, relabelled
from suffice.summaries.rankings import Rankings

BUDGET = 50_000_000  # distinct values of all columns that rankings are kept of, exactly; more are refused


@dataclass(frozen=True)
class NumberCells(NumberPlan):
    """Rows are numbers, of which some may be missing."""

    face: ClassVar[str] = "transformer"
    linear: ClassVar[bool] = False
    whole: ClassVar[bool] = False
    allow_nan: ClassVar[bool] = True
    supervised: ClassVar[bool] = False  # whether rows are kept by class
    keeps_cells: ClassVar[bool] = True  # whether anything but the number of rows is kept

    def open(self, X: Any) -> Table:
        """An array or a table of numbers, of which some may be missing; sparse rows where the map keeps them so."""
        if hasattr(X, "tocsr"):
            X = open_sparse(self.owner, X)
        if isinstance(X, SparseNumberTable):
            self.check_sparse()
        return open_with_gaps(self.owner, X)

    def check_sparse(self) -> None:
        """Refuse sparse rows."""
        raise bad(self.owner, "X", "a dense table", Said("a sparse matrix"), "Use X.toarray().")

    def schema(self, table: Table) -> Schema:
        """All columns are numbers."""
        return self.numbers(table.infer())

    def learner(self, schema: Schema) -> Any:
        """Rankings of the columns."""
        return ColumnLearner(self, schema)


def uncentred(owner: str, setting: str) -> BadInput:
    """What is said of sparse rows whose columns are to be centred."""
    rule = "a dense table where columns are centred (Cannot center sparse matrices)"
    return bad(owner, "X", rule, Said("a sparse matrix"), f"Use {setting}=False.")


@dataclass(frozen=True)
class DenseCells(ABC):
    """Any table but a sparse matrix; what its columns are taken for is said by `declare`."""

    owner: str

    face: ClassVar[str] = "transformer"
    linear: ClassVar[bool] = False
    supervised: ClassVar[bool] = False

    def open(self, X: Any) -> Table:
        """Any table but a sparse matrix."""
        if hasattr(X, "tocsr"):
            raise bad(self.owner, "X", "a dense table", Said("a sparse matrix"), "Use X.toarray().")
        return open_table(X)

    def schema(self, table: Table) -> Schema:
        """The kinds that columns show, and those that were declared."""
        return self.declare(table.infer())

    @abstractmethod
    def declare(self, schema: Schema) -> Schema:
        """What the columns are taken for."""

    def chunk(self, table: Table, schema: Schema) -> tuple[Table, Schema]:
        """A chunk of a file."""
        return table, self.declare(schema)

    def keeps(self, schema: Schema) -> Any:
        """The same, whatever the parameters."""
        return None

    def learner(self, schema: Schema) -> Any:
        """Rankings of numbers, counts of symbols."""
        if not schema.parts:
            raise schema.without_features(self.owner)
        return ColumnLearner(self, schema)

    def readings(self) -> tuple[type[Any], ...]:
        """None."""
        return ()


@dataclass(frozen=True)
class SymbolCells(DenseCells):
    """All columns are symbols, whatever they show."""

    def declare(self, schema: Schema) -> Schema:
        """All columns are symbols, whatever they show."""
        return Schema(tuple(Column(column.name, Kind.CATEGORICAL) for column in schema.columns))

    def lift(self, summary: Any, old: Schema, new: Schema) -> Any:
        """Nothing to do: all columns are symbols in any case."""
        return summary


@dataclass(frozen=True)
class AnyCells(DenseCells):
    """Columns of numbers and of symbols, as they show or as they were declared; texts and identifiers are left out."""

    kinds: Any = None  # mapping column -> kind

    def declare(self, schema: Schema) -> Schema:
        """Declared kinds."""
        found = schema.declare(self.owner, self.kinds or {})
        words = [column for column in found.columns if column.kind is Kind.TEXT]
        if words:
            came = Said(f"{words[0].name!r}, which is text")
            raise bad(self.owner, "columns", "numbers or symbols", came, "Declare it an identifier to leave it out.")
        return found

    def lift(self, summary: Any, old: Schema, new: Schema) -> Any:
        """Columns that were empty so far find their places among those that are not; truth values may become words."""
        turned = old.turned(new)
        if old.parts == new.parts and not turned:
            return summary
        kept: Any = summary.summary if isinstance(summary, ByClass) else summary
        spelled = [
            relabelled(part, {places.index(place): words for place, words in turned.items() if place in places})
            for (_, places), part in zip(old.parts, kept.parts[1:], strict=True)
        ]
        kept = Together((kept.parts[0], *spelled))
        K = len(kept.parts[0].rows)
        mine = {storage: (places, part) for (storage, places), part in zip(old.parts, kept.parts[1:], strict=True)}
        parts = [_among(storage, places, K, *mine.get(storage, ((), None))) for storage, places in new.parts]
        lifted = Together((kept.parts[0], *parts))
        return ByClass(summary.labels, summary.tally, lifted) if isinstance(summary, ByClass) else lifted


def _among(storage: Storage, places: tuple[int, ...], K: int, old: tuple[int, ...], part: Any) -> Summary:
    if part is None:
        empty = Rankings.empty(K, len(places)) if storage is Storage.NUMBERS else _no_counts(K, len(places))
        return empty
    found: Summary = part.among([places.index(place) for place in old], len(places))
    return found


def _no_counts(K: int, d: int) -> Counts:
    return Counts(((),) * d, np.zeros((K, 0), dtype=np.int64), np.zeros((K, 0)))


@dataclass(frozen=True)
class ColumnLearner:
    """Keeps how many rows there are, rankings of columns of numbers and counts of columns of symbols."""

    plan: Any
    schema: Schema

    @property
    def by_columns(self) -> bool:
        """Whether what is kept is sorted column by column, which threads divide better than rows."""
        return getattr(self.plan, "keeps_cells", True) and any(s is Storage.NUMBERS for s, _ in self.schema.parts)

    def summarize(self, block: Block, model: Any = None) -> ByClass | Together:
        """Of all rows; by class where the plan says so."""
        if not self.plan.supervised:
            return self.shared(block, Shares.hard(np.zeros(block.n, dtype=np.int32), 1, block.w))
        if not isinstance(block.y, Coded):
            came = Said("numbers" if block.y is not None else "none")
            raise bad(self.plan.owner, "the target", "a label a row", came, "Give labels of classes.")
        labels = block.y.labels[0]
        R = Shares.hard(block.y.codes[:, 0], len(labels), block.w)
        return ByClass.of(labels, Tally.of(R), self.shared(block, R))

    def shared(self, block: Block, R: Shares) -> Together:
        """Of the rows of each component."""
        parts = block.parts if getattr(self.plan, "keeps_cells", True) else ()
        return Together((Tally.of(R), *(_kept(part, R) for part in parts)))

    def estimate(self, summary: ByClass | Together, model: Any = None) -> Any:
        """What the plan makes of the sums."""
        labels = summary.labels if isinstance(summary, ByClass) else ()
        kept = summary.summary if isinstance(summary, ByClass) else summary
        assert isinstance(kept, Together)
        if not self.plan.supervised and len(kept.parts[0].rows) != 1:  # type: ignore[attr-defined]
            kept = pooled(kept)
        distinct = sum(part.distinct for part in kept.parts[1:] if isinstance(part, Rankings))
        if distinct > BUDGET:
            rule = f"at most {BUDGET} distinct values in all columns, which are ranked exactly"
            raise bad(self.plan.owner, "X", rule, distinct, "Round the columns first.", "must have")
        return self.plan.made(self.schema, labels, kept)


def pooled(kept: Together) -> Together:
    """All components as one."""
    tally, *parts = kept.parts
    assert isinstance(tally, Tally)
    weight = Pair(*(half[None] for half in tally.weight.sum(0)))
    pooled: list[Any] = [Tally(tally.rows.sum(axis=0, keepdims=True), weight)]
    for part in parts:
        if isinstance(part, Rankings):
            pooled.append(part.pooled())
        elif isinstance(part, Counts):
            sums = (side.sum(axis=0, keepdims=True) for side in (part.rows, part.weight))
            pooled.append(Counts(part.labels, *sums))
    return Together(tuple(pooled))


def _kept(part: Any, R: Shares) -> Rankings | Counts:
    return Counts.of(part, R) if isinstance(part, Coded) else Rankings.of(part, R)


def classed(rankings: Rankings, j: int) -> tuple[Array, Array]:
    """The values of a column, rising (V,), and the weight of each class at each of them (V, K)."""
    return rankings.values[j], np.ascontiguousarray(rankings.weights(j).T)
