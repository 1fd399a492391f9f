"""What rules tell of themselves: the same for estimators and for loaded models. No scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.trees.rules.rule_model import RuleModel


class RuleReadings:
    """Rules as sentences, and which rule speaks for a row."""

    @property
    def rules_(self: Any) -> tuple[Any, ...]:
        """The rules, in order."""
        return tuple(self._state()[0].model.rules)

    def sentences(self: Any) -> list[str]:
        """One sentence a rule, and one for rows that no rule covers."""
        model: RuleModel = self._state()[0].model
        names, words = model.coding.names, model.coding.vocabularies
        told = [rule.sentence(names, words, model.classes) for rule in model.rules]
        if model.ordered:
            told = [line if i == 0 else f"else {line}" for i, line in enumerate(told)]
        best = int(np.argmax(model.rest))
        return [*told, f"otherwise {model.classes[best]} ({model.rest[best]:.6g} of {model.rest.sum():.6g})"]

    def text(self: Any) -> str:
        """All rules, one a line."""
        return "\n".join(self.sentences())

    def covers(self: Any, X: Any) -> Array:
        """Which rules cover which rows (n, number of rules)."""
        state, X = self._state(X)
        return np.asarray(state.model.covering(state.block(X)))

    def explain(self: Any, X: Any) -> list[list[str]]:
        """Of each row, the rules that speak for it; the first alone where rules are in order.

        Parameters
        ----------
        X : rows like those of training
        """
        state, X = self._state(X)
        model, told = state.model, self.sentences()
        held = model.covering(state.block(X))
        rows = [np.flatnonzero(row).tolist() or [-1] for row in held]
        return [[told[r] for r in (found[:1] if model.ordered else found)] for found in rows]
