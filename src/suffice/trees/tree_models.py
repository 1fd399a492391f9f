"""Trees as models: class shares or numbers at their leaves. They predict on NumPy alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.block import Coded as Symbols
from suffice.core.from_proba import FromProba
from suffice.core.registry import saved
from suffice.core.schema import Schema
from suffice.trees.nodes import TreeNodes


@saved
@dataclass(frozen=True)
class CellCoding:
    """How the cells of a block become the numbers that trees ask for: symbols by their place in a vocabulary."""

    places: tuple[tuple[int, ...], ...]  # for each part of a block, where its columns go
    vocabularies: Mapping[int, tuple[Any, ...]] = field(default_factory=dict)  # column -> symbols, in order
    ordered: tuple[int, ...] = ()  # columns whose symbols have an order
    names: tuple[Any, ...] = ()

    @property
    def d(self) -> int:
        """Number of columns."""
        return sum(map(len, self.places))

    @property
    def symbols(self) -> Array:
        """How many symbols each column has that have no order (d,); 0 for columns that thresholds divide."""
        out = np.zeros(self.d, dtype=np.int64)
        for j, words in self.vocabularies.items():
            out[j] = 0 if j in self.ordered else len(words)
        return out

    def rows(self, parts: Sequence[Any]) -> Array:
        """Numbers (n, d), NaN where a cell is missing or its symbol was never met."""
        n = len(parts[0].codes) if isinstance(parts[0], Symbols) else len(parts[0])
        X = np.full((n, self.d), np.nan, order="F")
        for places, part in zip(self.places, parts, strict=True):
            for at, j in enumerate(places):
                X[:, j] = self._coded(j, part, at) if isinstance(part, Symbols) else part[:, at]
        return X

    def _coded(self, j: int, part: Symbols, at: int) -> Array:
        place = {word: i for i, word in enumerate(self.vocabularies[j])}
        own = np.array([*(place.get(word, np.nan) for word in part.labels[at]), np.nan])  # code -1 is the last
        return np.asarray(own[part.codes[:, at]])


@saved
@dataclass(frozen=True)
class ClassTree(FromProba):
    """Class weights at every node; probabilities are shares at the leaves, after pseudo-counts were added."""

    nodes: TreeNodes
    classes: tuple[Any, ...]
    pseudo: Array  # (K,)
    coding: CellCoding | None = None  # None: rows are numbers already
    schema: Schema | None = None

    def rows(self, block: Block) -> Array:
        """The cells as numbers."""
        return rows_of(self.coding, block)

    @cached_property
    def shares(self) -> Array:
        """Class shares of every node (M, K), with pseudo-counts."""
        return shares_of(self.nodes.value, self.pseudo)

    @property
    def prior(self) -> Array:
        """Class shares of all rows (K,)."""
        weights = self.nodes.value[self.nodes.roots].sum(axis=0)
        return np.asarray(weights / weights.sum())

    def proba(self, block: Block) -> Array:
        """p(class | x) (n, K)."""
        return self.nodes.mean_value(self.rows(block), self.shares)


@saved
@dataclass(frozen=True)
class NumberTree:
    """Numbers at every node."""

    nodes: TreeNodes
    coding: CellCoding | None = None
    schema: Schema | None = None

    def rows(self, block: Block) -> Array:
        """The cells as numbers."""
        return rows_of(self.coding, block)

    def predict(self, block: Block) -> Array:
        """Numbers (n, q)."""
        return self.nodes.mean_value(self.rows(block), self.nodes.value)


def rows_of(coding: CellCoding | None, block: Block) -> Array:
    """The cells of a block as the numbers that trees ask for."""
    if coding is not None:
        return coding.rows(block.parts)
    part = block.parts[0]
    return np.asarray(part.toarray() if hasattr(part, "toarray") else part, dtype=np.float64)


def shares_of(weights: Array, pseudo: Array) -> Array:
    """Class shares (.., K) of class weights and pseudo-counts; even shares where there is nothing at all."""
    total = weights + pseudo
    whole = total.sum(axis=-1, keepdims=True)
    return np.asarray(np.divide(total, whole, out=np.full(total.shape, 1.0 / total.shape[-1]), where=whole > 0))
