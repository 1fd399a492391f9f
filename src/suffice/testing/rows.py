"""Rows under law: one block of cells with labels and weights, and every way of cutting it up."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from suffice.core.block import Array, Block, Coded, Words
from suffice.core.shares import Shares
from suffice.testing.sameness import Limits


@dataclass(frozen=True)
class LawRows:
    """Some rows of some parts, each row in one component of K (-1: in none), with a weight (None: 1 each)."""

    parts: tuple[Any, ...]  # Array | Coded | Words, n rows each
    codes: Array  # (n,) int32
    K: int
    w: Array | None
    order: Array  # (n,) a permutation: the order in which rows arrive
    cuts: tuple[int, ...]  # where the arriving rows are cut into shards; equal cuts make an empty shard
    query: tuple[Any, ...] = ()  # parts to predict: the same kind of cells, some never seen
    reach: Array | None = None  # largest distance between two numbers of a column; None: as the cells show

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.codes)

    @property
    def part(self) -> Any:
        """The only part."""
        (part,) = self.parts
        return part

    @property
    def shares(self) -> Shares:
        """Hard shares."""
        return Shares.hard(self.codes, self.K, self.w)

    @property
    def block(self) -> Block:
        """A block with labels "class 0" ... in an order that is not canonical, only those that occur."""
        place, y = np.unique(self.codes[::-1], return_inverse=True)
        names = tuple(f"class {k}" for k in place[::-1].tolist())
        codes = (len(place) - 1 - y[::-1]).astype(np.int32)
        return Block(self.parts, Coded(codes[:, None], (names,)), self.w)

    @property
    def weights(self) -> Array:
        """One weight a row."""
        return np.ones(self.n) if self.w is None else self.w

    @property
    def limits(self) -> Limits:
        """How large the numbers are."""
        numbers = [part for part in self.parts if isinstance(part, np.ndarray)]
        counts = [part.counts for part in self.parts if isinstance(part, Words)]
        most = max([1.0, *(float(np.abs(c).max()) for c in counts if min(c.shape))])
        shown = reach(numbers[0]) if numbers else np.zeros(0)
        return Limits(float(self.weights.sum()) * most, shown if self.reach is None else self.reach)

    def at(self, rows: Any) -> LawRows:
        """Some of the rows, as a block of its own: with vocabularies of its own."""
        index = np.asarray(rows, dtype=np.intp)
        w = None if self.w is None else self.w[index]
        parts = tuple(take(part, index) for part in self.parts)
        return replace(self, parts=parts, codes=self.codes[index], w=w, order=np.arange(len(index)), cuts=())

    def shards(self) -> list[LawRows]:
        """The rows as they arrive, cut."""
        return [self.at(piece) for piece in np.split(self.order, list(self.cuts))]

    def third(self) -> tuple[LawRows, LawRows, LawRows]:
        """Three shards."""
        a, b, c = (self.at(piece) for piece in np.array_split(self.order, 3))
        return a, b, c

    def copied(self) -> LawRows:
        """Every row as many times as its (whole) weight says, each of weight 1."""
        return replace(self.at(np.repeat(np.arange(self.n), self.weights.astype(int))), w=None)

    def relabelled(self, index: Array, K: int) -> LawRows:
        """Component i at place index[i] of K; -1 puts its rows in none."""
        codes = np.where(self.codes < 0, -1, np.append(index, -1)[self.codes]).astype(np.int32)
        return replace(self, codes=codes, K=K)


def take(part: Any, rows: Array) -> Any:
    """Some rows of a part; symbols and words are coded anew, by first appearance, as a block of its own would be."""
    if isinstance(part, Words):
        return _take_words(part, rows)
    return _take_symbols(part, rows) if isinstance(part, Coded) else part[rows]


def _take_symbols(part: Coded, rows: Array) -> Coded:
    codes, labels = np.array(part.codes[rows]), list(part.labels)
    for j, known in enumerate(part.labels):
        seen = dict.fromkeys(code for code in codes[:, j].tolist() if code >= 0)
        if isinstance(known, range):  # codes that are their own labels stay as they are
            labels[j] = range(max(seen, default=-1) + 1)
            continue
        place = {code: i for i, code in enumerate(seen)}
        codes[:, j] = [place.get(code, -1) for code in codes[:, j].tolist()]
        labels[j] = tuple(known[code] for code in seen)
    return Coded(codes, tuple(labels))


def _take_words(part: Words, rows: Array) -> Words:
    missing = None if part.missing is None else part.missing[rows]
    counts = part.counts[rows]
    if isinstance(part.labels, range):
        return Words(counts, part.labels, missing)
    dense = counts.toarray() if hasattr(counts, "toarray") else counts
    seen = np.flatnonzero(dense.any(axis=0))[::-1]
    mine = dense[:, seen]
    return Words(csr_array(mine) if dense is not counts else mine, tuple(part.labels[v] for v in seen), missing)


def reach(X: Array) -> Array:
    """Largest distance between two cells of each column."""
    present = np.isfinite(X)
    top = np.where(present, X, -np.inf).max(axis=0, initial=-np.inf)
    low = np.where(present, X, np.inf).min(axis=0, initial=np.inf)
    return np.where(present.any(axis=0), top - low, 0.0)
