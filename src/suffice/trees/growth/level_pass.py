"""Passes of trees over a source: a look at the columns, then one pass a level, in which the sums of its nodes add."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.block import Coded as Symbols
from suffice.core.by_class import ByClass, canonical
from suffice.core.kinds import Kind, Storage
from suffice.core.schema import Schema
from suffice.core.shares import Shares
from suffice.core.summary import Summary, Together
from suffice.core.tally import Tally
from suffice.summaries.counts import Counts
from suffice.summaries.start_rows import StartRows
from suffice.trees.growth.bins import BinnedCells, ColumnBins
from suffice.trees.growth.drawing import poisson_weights
from suffice.trees.nodes import TreeNodes
from suffice.trees.tree_models import CellCoding


def weights_of(block: Block) -> Array:
    """The weights of the rows of a block (n,)."""
    return np.ones(block.n) if block.w is None else np.asarray(block.w, dtype=np.float64)


def class_codes(block: Block, classes: Sequence[Any]) -> Array:
    """The class (n,) of each row of a block, by its place among the classes."""
    assert isinstance(block.y, Symbols)
    place = {label: k for k, label in enumerate(classes)}
    own = np.array([*(place.get(label, 0) for label in block.y.labels[0]), 0], dtype=np.int64)
    return np.asarray(own[block.y.codes[:, 0]])


@dataclass(frozen=True)
class LookPass:
    """Keeps the symbols of columns, rows to make bins of, and the classes or the mean of the target."""

    schema: Schema
    seed: int
    limit: int

    def summarize(self, block: Block, model: None = None) -> Together:
        """Of one block."""
        w = weights_of(block)
        everyone = Shares.hard(np.zeros(block.n, dtype=np.int32), 1, w)
        parts: list[Summary] = [_target_sums(block, w)]
        for (storage, _), part in zip(self.schema.parts, block.parts, strict=True):
            if storage is Storage.SYMBOLS:
                parts.append(Counts.of(part, everyone))
            else:
                parts.append(
                    StartRows.drawn(Block((part,), None, block.w, block.start, block.apart), self.seed, self.limit)
                )
        return Together(tuple(parts))


def _target_sums(block: Block, w: Array) -> Summary:
    if isinstance(block.y, Symbols):
        labels = block.y.labels[0]
        tally = Tally.of(Shares.hard(block.y.codes[:, 0], len(labels), w))
        return ByClass.of(labels, tally, tally)
    y = np.asarray(block.y)
    columns = [w, *(w * y[:, t] for t in range(y.shape[1]))]
    zero = np.zeros(block.n, dtype=np.int32)
    return Together(tuple(Tally.of(Shares.hard(zero, 1, column)) for column in columns))


def coding_of(schema: Schema, counts: Sequence[Any]) -> CellCoding:
    """How cells become numbers, from the symbols that columns have; `counts` are those of the parts of a block."""
    features = [i for i, column in enumerate(schema.columns) if column.kind.storage is not Storage.NOTHING]
    place = {i: j for j, i in enumerate(features)}
    places, words, ordered = [], {}, []
    for (storage, columns), found in zip(schema.parts, counts, strict=True):
        places.append(tuple(place[i] for i in columns))
        if storage is Storage.SYMBOLS:
            for at, i in enumerate(columns):
                known = schema.columns[i].values
                words[place[i]] = tuple(known) if known is not None else canonical(found.labels[at])
                if schema.columns[i].kind in (Kind.ORDINAL, Kind.BOOLEAN):
                    ordered.append(place[i])
    return CellCoding(tuple(places), words, tuple(ordered), tuple(schema.columns[i].name for i in features))


def bins_of(coding: CellCoding, parts: Sequence[Any], most: int | None) -> tuple[ColumnBins, ...]:
    """The bins of all columns, from rows that were drawn and symbols that were counted."""
    symbols = coding.symbols
    made: dict[int, ColumnBins] = {}
    for places, part in zip(coding.places, parts, strict=True):
        for at, j in enumerate(places):
            if isinstance(part, StartRows):
                made[j] = ColumnBins.of(part.rows[:, at], most)
            elif symbols[j]:
                made[j] = ColumnBins.of_symbols(int(symbols[j]))
            else:
                made[j] = ColumnBins.of(np.arange(float(len(coding.vocabularies[j]))))
    return tuple(made[j] for j in range(coding.d))


@dataclass(frozen=True)
class LevelJob:
    """Nodes of one tree whose sums are wanted."""

    nodes: TreeNodes
    wanted: tuple[int, ...]  # numbers of nodes, leaves so far
    draw: tuple[int, int] | None = None  # seed and number of the tree, where rows are drawn for it


@dataclass(frozen=True)
class LevelPass:
    """Sums of the bins of all columns, missing cells first, for the wanted nodes of some trees."""

    coding: CellCoding
    bins: tuple[ColumnBins, ...]
    classes: tuple[Any, ...] | None  # None: numbers
    centre: Array | None
    jobs: tuple[LevelJob, ...]

    @property
    def offsets(self) -> Array:
        """Where the cells of each column begin (d + 1,)."""
        return np.cumsum([0, *(one.B + 1 for one in self.bins)])

    def summarize(self, block: Block, model: None = None) -> Together:
        """Of one block."""
        X = self.coding.rows(block.parts)
        codes = BinnedCells.by(self.bins, X).codes + 1 + self.offsets[:-1]
        stats = self._stats(block)
        return Together(tuple(self._job(job, block, X, codes, stats) for job in self.jobs))

    def _stats(self, block: Block) -> tuple[Array | None, list[Array]]:
        """The class of each row, or what adds of its numbers."""
        if self.classes is not None:
            return class_codes(block, self.classes), [np.ones(block.n)]
        off = np.asarray(block.y) - self.centre
        q = range(off.shape[1])
        return None, [np.ones(block.n), *(off[:, t] for t in q), *(off[:, t] ** 2 for t in q)]

    def _job(self, job: LevelJob, block: Block, X: Array, codes: Array, stats: Any) -> Together:
        w = weights_of(block)
        if job.draw is not None:
            w = w * poisson_weights(*job.draw, block.numbers)
        rows, share, slot = self._reached(job, X, w)
        label, columns = stats
        K = 1 if self.classes is None else len(self.classes)
        size = int(self.offsets[-1])
        cells = codes[rows] + (slot * size)[:, None]
        if label is not None:
            cells = cells * K + label[rows][:, None]
        here = w[rows] * share
        wide = (len(rows), codes.shape[1])
        made = [
            Tally.of(Shares(cells, np.broadcast_to((here * column[rows])[:, None], wide), len(job.wanted) * size * K))
            for column in columns
        ]
        return Together(tuple(made))

    def _reached(self, job: LevelJob, X: Array, w: Array) -> tuple[Array, Array, Array]:
        """Rows that reach a wanted node, in which share, and which one."""
        slot_of = np.full(job.nodes.count, -1)
        slot_of[list(job.wanted)] = np.arange(len(job.wanted))
        if not job.nodes.shares:
            slot = slot_of[job.nodes.leaf_of(X)]
            rows = np.flatnonzero((slot >= 0) & (w > 0))
            return rows, np.ones(len(rows)), slot[rows]
        found = [
            (rows[w[rows] > 0], share[w[rows] > 0], slot_of[node])
            for node, rows, share in job.nodes._reached(X, 0)
            if slot_of[node] >= 0
        ]
        if not found:
            return np.zeros(0, np.int64), np.zeros(0), np.zeros(0, np.int64)
        slots = np.concatenate([np.full(len(rows), slot) for rows, _, slot in found])
        return np.concatenate([f[0] for f in found]), np.concatenate([f[1] for f in found]), slots
