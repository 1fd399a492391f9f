"""Random starts that depend on what rows hold, not on their order: copies of a row share its fate.

Every row gets a mark, a random number made of a seed and its cells. The rows of the smallest marks are where components
begin, so that shuffled rows, rows cut into other blocks, and weights in place of copies give the same start.
"""

from __future__ import annotations

from functools import singledispatch
from typing import Any
from zlib import crc32

import numpy as np

from suffice.core.block import Array, Block, Coded, Words
from suffice.core.errors import Said, bad

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


def beginnings(owner: str, marks: Array, w: Array | None, K: int) -> tuple[Array, Array]:
    """The K smallest different marks of rows that weigh something, and the weight of each."""
    marks, w = (marks, np.ones(len(marks))) if w is None else (marks[w > 0], w[w > 0])
    found, place = np.unique(marks, return_inverse=True)
    if len(found) < K:
        came = Said(f"{len(found)}")
        raise bad(owner, "the different rows", f"at least as many as components, {K}", came, "Lower n_components.")
    return found[:K], np.bincount(place, w)[:K]


def around_rows(marks: Array, chosen: Array, weight: Array, total: float) -> Array:
    """Shares (n, K) of components around a row each: two of this row, and of all rows as much as makes one."""
    share = np.full((len(marks), len(chosen)), 1.0 / total)
    for k, mark in enumerate(chosen):
        share[marks == mark, k] += 2.0 / weight[k]
    return share
