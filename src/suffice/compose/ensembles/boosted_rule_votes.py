"""Rules that vote with weights, as boosting makes them, as a value. No scikit-learn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.from_proba import FromShares
from suffice.core.registry import saved
from suffice.trees.rules.conjunction import ConjunctiveRule
from suffice.trees.tree_models import CellCoding
from suffice.trees.tree_plans import TablePlan


@saved
@dataclass(frozen=True)
class BoostedRule:
    """A rule, the class it speaks for or against, and how loudly."""

    rule: ConjunctiveRule
    alpha: float
    Z: float


@saved
@dataclass(frozen=True)
class BoostedRuleModel(FromShares):
    """For each class (of two, the second alone) rules whose weights add where they cover."""

    rules: tuple[tuple[BoostedRule, ...], ...]
    classes: tuple[Any, ...]
    shares: Array  # (K,)
    coding: CellCoding

    def scores(self, block: Block) -> Array:
        """The weights of covering rules (n, 1) for two classes, else (n, K)."""
        X = self.coding.rows(block.parts)
        out = np.zeros((len(X), len(self.rules)))
        for k, rules in enumerate(self.rules):
            for one in rules:
                out[:, k] += one.alpha * one.rule.covers(X)
        return out

    def proba(self, block: Block) -> Array:
        """1 / (1 + exp(-2 f)) (n, K), which is where the exponential loss is least; of many classes in shares."""
        yes = 1.0 / (1.0 + np.exp(-2.0 * np.clip(self.scores(block), -300, 300)))
        if len(self.classes) == 1:
            return np.ones((len(yes), 1))
        p = np.hstack([1.0 - yes, yes]) if len(self.rules) == 1 else yes
        return np.asarray(p / p.sum(axis=1, keepdims=True))


class BoostedRuleReadings:
    """Rules with their weights, as sentences."""

    def sentences(self: Any) -> list[str]:
        """One sentence a rule, with its weight."""
        model: BoostedRuleModel = self._state()[0].model
        heads = range(len(model.classes)) if len(model.rules) > 1 else (len(model.classes) - 1,)
        told = []
        for head, rules in zip(heads, model.rules, strict=True):
            for one in rules:
                said = one.rule.sentence(model.coding.names, model.coding.vocabularies, model.classes)
                reason = said.split(" then ")[0] if " then " in said else "always"
                side = "for" if one.alpha >= 0 else "against"
                told.append(f"{reason}: {abs(one.alpha):.4g} {side} {model.classes[head]}")
        return told

    def text(self: Any) -> str:
        """All rules, one a line."""
        return "\n".join(self.sentences())

    @property
    def rules_(self: Any) -> tuple[tuple[BoostedRule, ...], ...]:
        """The rules of each class; of two classes, of the second."""
        found: tuple[tuple[BoostedRule, ...], ...] = self._state()[0].model.rules
        return found

    def decision_function(self: Any, X: Any) -> Array:
        """The weights of the rules that cover each row: (n,) for two classes, else (n, K)."""
        state, X = self._state(X)
        scores = state.model.scores(state.block(X))
        return np.ascontiguousarray(scores[:, 0]) if scores.shape[1] == 1 else scores


@saved
@dataclass(frozen=True)
class BoostedRulePlan(TablePlan):
    """Boosted rules over tables of every kind but texts."""

    def readings(self) -> tuple[type[Any], ...]:
        """Rules and their weights."""
        return (BoostedRuleReadings,)
