"""Lists and sets of rules as models. They predict on NumPy alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.from_proba import FromShares
from suffice.core.registry import saved
from suffice.trees.rules.conjunction import ConjunctiveRule
from suffice.trees.tree_models import CellCoding, shares_of


@saved
@dataclass(frozen=True)
class RuleModel(FromShares):
    """Rules in order, of which the first that covers a row answers; or unordered ones, whose class weights add."""

    rules: tuple[ConjunctiveRule, ...]
    rest: Array  # (K,) class weights for rows that no rule covers
    classes: tuple[Any, ...]
    pseudo: Array  # (K,)
    shares: Array  # (K,) of all rows
    ordered: bool
    coding: CellCoding

    def covering(self, block: Block) -> Array:
        """Which rules cover which rows (n, number of rules)."""
        X = self.coding.rows(block.parts)
        held = [rule.covers(X) for rule in self.rules]
        return np.column_stack(held) if held else np.zeros((len(X), 0), dtype=bool)

    def first(self, block: Block) -> Array:
        """The first rule that covers each row (n,), -1 where none does."""
        held = self.covering(block)
        return np.where(held.any(axis=1), held.argmax(axis=1), -1) if held.shape[1] else np.full(len(held), -1)

    def proba(self, block: Block) -> Array:
        """p(class | x) (n, K)."""
        if self.ordered:
            weights = np.array([*(rule.weights for rule in self.rules), self.rest])
            return np.asarray(shares_of(weights, self.pseudo)[self.first(block)])  # -1 is the last
        held = self.covering(block)
        weights = np.array([rule.weights for rule in self.rules]).reshape(len(self.rules), len(self.classes))
        sums = held.astype(np.float64) @ weights
        sums[~held.any(axis=1)] = self.rest
        return shares_of(sums, self.pseudo)
