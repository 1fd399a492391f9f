"""Sources around sources: some of the rows, and rows whose weights depend on their class."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from suffice.core.block import Array, Block, Coded
from suffice.core.folds import FoldOf, HashedFolds, placed
from suffice.core.learner import Lift, Source, Summarize, for_passes
from suffice.core.schema import Schema
from suffice.core.summary import Summary


@dataclass(frozen=True)
class WrappedSource:
    """The blocks of another source, changed before anybody sees them."""

    source: Source

    @property
    def schema(self) -> Schema:
        """That of the source."""
        return self.source.schema

    @property
    def settled(self) -> bool:
        """Whether the schema is that of all rows."""
        return bool(getattr(self.source, "settled", False))

    @property
    def rereadable(self) -> bool:
        """As the source is."""
        return self.source.rereadable

    def for_passes(self) -> WrappedSource:
        """The same rows, kept between passes as the source keeps its own."""
        return replace(self, source=for_passes(self.source))

    def read_as(self, schema: Schema) -> WrappedSource:
        """The same rows, read with a schema that is known."""
        return replace(self, source=self.source.read_as(schema))

    def read_by(self, plan: Any) -> WrappedSource:
        """The same rows of files, read as another plan asks."""
        return replace(self, source=self.source.read_by(plan))  # type: ignore[attr-defined]

    def reduce(self, open: Callable[[Schema], Summarize], lift: Lift) -> tuple[Schema, Summary]:
        """Each pass changes its blocks anew."""
        change = self._change()

        def opened(schema: Schema) -> Summarize:
            summarize = open(schema)
            return lambda block: summarize(change(block))

        return self.source.reduce(opened, lift)

    def map(self, predict: Callable[[Block], Array]) -> Any:
        """Of the rows that are left."""
        change = self._change()
        return self.source.map(lambda block: predict(change(block)))

    def place_folds(self, fold_of: FoldOf) -> FoldOf:
        """As the source does."""
        return placed(self.source, fold_of)

    def _change(self) -> Callable[[Block], Block]:
        """What happens to the blocks of one pass, in their order."""
        return lambda block: block


@dataclass(frozen=True)
class NotedSource(WrappedSource):
    """Blocks of any source, shown to who takes note of them."""

    note: Any

    def reduce(self, open: Callable[[Schema], Summarize], lift: Lift) -> tuple[Schema, Summary]:
        """Each pass is noted anew."""
        self.note.begin()

        def opened(schema: Schema) -> Summarize:
            summarize = open(schema)

            def noted(block: Block) -> Summary:
                self.note.add(schema, block)
                return summarize(block)

            return noted

        return self.source.reduce(opened, lift)


@dataclass(frozen=True)
class ClassWeighted(WrappedSource):
    """Every row weighs so many times as much as its class says."""

    weights: Mapping[Any, float]  # by label

    def _change(self) -> Callable[[Block], Block]:
        def change(block: Block) -> Block:
            assert isinstance(block.y, Coded)
            factor = np.array([float(self.weights.get(label, 1.0)) for label in (*block.y.labels[0], None)])
            w = factor[block.y.codes[:, 0]]
            return block._replace(w=w if block.w is None else w * block.w)

        return change


@dataclass(frozen=True)
class SomeFolds(WrappedSource):
    """The rows of some folds; `draw` begins to number rows anew with each pass."""

    draw: Callable[[], FoldOf]
    wanted: frozenset[int]

    def place_folds(self, fold_of: FoldOf) -> FoldOf:
        """Ranks among some rows only are not known to partitions: folds within folds go by hashes there."""
        inside = hasattr(self.source, "place_folds") and placed(self.source, fold_of) is not fold_of
        return HashedFolds(fold_of.K, getattr(fold_of, "seed", 0)) if inside else fold_of

    def _change(self) -> Callable[[Block], Block]:
        fold_of = placed(self.source, self.draw())
        wanted = np.isin(np.arange(fold_of.K), list(self.wanted))
        return lambda block: block.take(np.flatnonzero(wanted[fold_of(block)] & _has_target(block)))


def rereadable_files(source: Any) -> bool:
    """Whether the rows are those of files, all or some, that can be read again, as another plan asks."""
    inside = source
    while isinstance(inside, WrappedSource):
        inside = inside.source
    return hasattr(inside, "read_by") and bool(source.rereadable)


def _has_target(block: Block) -> Array:
    """Whether each row has a label, or a number to predict (n,)."""
    if isinstance(block.y, Coded):
        return np.asarray(block.y.codes[:, 0] >= 0)
    return np.asarray(np.ones(block.n, dtype=bool) if block.y is None else ~np.isnan(block.y).any(axis=1))
