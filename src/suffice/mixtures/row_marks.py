"""Random starts that depend on what rows hold, not on their order: copies of a row share its fate.

Every row gets a mark, a random number made of a seed and its cells. The rows of the smallest marks are where components
begin, so that shuffled rows, rows cut into other blocks, and weights in place of copies give the same start.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import singledispatch
from typing import Any
from zlib import crc32

import numpy as np

from suffice.core.block import Array, Block, Coded, Words
from suffice.core.errors import Said, bad
from suffice.core.learner import Always, Source, learn
from suffice.core.shares import Shares
from suffice.core.summary import Summary
from suffice.mixtures.learner import Mixture, MixtureModel
from suffice.summaries.start_rows import StartRows

ODD = np.uint64(0x9E3779B97F4A7C15)  # 2^64 over the golden ratio
MIXING = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB))  # shifts and factors of splitmix64


def row_marks(block: Block, seed: int) -> Array:
    """A mark for each row (n,) unsigned; equal rows have equal marks."""
    marks = np.full(block.n, seed, dtype=np.uint64)
    for part in block.parts:
        for column in _cells(part):
            marks = _mixed(marks * ODD + column)
    return marks


def _mixed(x: Array) -> Array:
    """Every bit depends on every other; unsigned numbers wrap."""
    for shift, factor in MIXING:
        x = (x ^ (x >> np.uint64(shift))) * np.uint64(factor)
    return np.asarray(x ^ (x >> np.uint64(31)))


@singledispatch
def _cells(part: Any) -> list[Array]:
    """Cells of each column as unsigned numbers (n,); all missing cells are one number."""
    cells = np.where(np.isnan(part), np.nan, np.asarray(part, dtype=np.float64) + 0.0)  # one nan, and no -0
    return list(np.ascontiguousarray(cells.T).view(np.uint64))


@_cells.register(Coded)
def _symbols(part: Coded) -> list[Array]:
    tables = [np.array([*map(_label, labels), 0], dtype=np.uint64) for labels in part.labels]
    return [table[part.codes[:, j]] for j, table in enumerate(tables)]  # code -1 finds the last


@_cells.register(Words)
def _words(part: Words) -> list[Array]:
    """The words of a row in any order: the sum of their marks times their counts."""
    marks = np.array([*map(_label, part.labels)], dtype=np.float64)
    return [np.asarray(part.counts @ marks, dtype=np.float64).view(np.uint64)]


def _label(label: Any) -> int:
    return crc32(str(label).encode("utf-8", "surrogatepass"))


@dataclass(frozen=True)
class MarkedRows:
    """Finds the rows of the smallest marks."""

    seed: int
    K: int

    def summarize(self, block: Block, model: None = None) -> StartRows:
        """Marks and weights; rows themselves are not kept."""
        nothing = np.empty((block.n, 0))
        return StartRows.of(row_marks(block, self.seed), block.numbers, nothing, block.w, self.K)


@dataclass(frozen=True)
class AroundRows:
    """Shares of components around a row each: two of this row, and of all rows as much as makes one."""

    mixture: Mixture
    seed: int
    begin: StartRows

    def summarize(self, block: Block, model: None = None) -> Summary:
        """Rows of a block, by their marks."""
        marks, w = row_marks(block, self.seed), np.ones(block.n) if block.w is None else block.w
        share = np.full((block.n, len(self.begin.keys)), 1.0 / self.begin.total)
        for k, mark in enumerate(self.begin.keys):
            share[marks == mark, k] += 2.0 / self.begin.weight[k]
        return self.mixture.shared(block, Shares.soft(share * w[:, None]))


def around_rows(mixture: Mixture, source: Source, seed: int, K: int) -> MixtureModel:
    """A model of K components, each around a row, whichever has one of the K smallest marks that this seed makes."""
    begin: StartRows = learn(Always(MarkedRows(seed, K)), source).summary
    if len(begin.keys) < K:
        came, rule = Said(f"{len(begin.keys)}"), f"at least as many as components, {K}"
        raise bad(mixture.owner, "the different rows", rule, came, "Lower n_components.")
    return mixture.begin(learn(Always(AroundRows(mixture, seed, begin)), source).summary)
