"""Conjunctive rules: conditions that must all hold. A rule answers for the rows it covers, and abstains on others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.registry import saved
from suffice.trees.conditions import Condition, merged


@saved
@dataclass(frozen=True)
class ConjunctiveRule:
    """If all conditions hold, then a class; else nothing.

    >>> rule = ConjunctiveRule((Condition(0, high=2.5),), 1, np.array([0.0, 3.0]))
    >>> rule.covers(np.array([[1.0], [9.0]]))
    array([ True, False])
    >>> rule.sentence(["age"], {}, ["no", "yes"])
    'if age <= 2.5 then yes (3 of 3)'
    """

    conditions: tuple[Condition, ...]
    head: int  # number of the class
    weights: Array = field(default_factory=lambda: np.zeros(0))  # class weights (K,) of the rows it was learned on

    def covers(self, X: Array) -> Array:
        """Which rows (n,) fulfil all conditions."""
        held = np.ones(len(X), dtype=bool)
        for one in self.conditions:
            held &= one.holds(X)
        return held

    def sentence(self, names: Sequence[Any], words: Mapping[int, Sequence[Any]], classes: Sequence[Any]) -> str:
        """In words."""
        reasons = " and ".join(one.text(names, words) for one in merged(self.conditions))
        right, all_ = float(self.weights[self.head]), float(self.weights.sum())
        start = f"if {reasons} then " if reasons else "always "
        return f"{start}{classes[self.head]} ({right:.6g} of {all_:.6g})"
