"""The model of `OneVsRestClassifier`: classifiers that each know one class and the rest. No scikit-learn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from suffice.compose.around_plan import table_of
from suffice.compose.held import Held
from suffice.compose.many_from_two.binary_answers import said
from suffice.core.block import Array, Block
from suffice.core.errors import Said, bad
from suffice.core.from_proba import FromProba
from suffice.core.registry import saved


@saved
@dataclass(frozen=True)
class OneVsRestModel(FromProba):
    """K classifiers, K - 1 of them, or one for two classes."""

    owner: str
    helds: tuple[Held, ...]
    classes: tuple[Any, ...]
    asks: tuple[str, ...]  # how each is asked, one of ASKS
    limit: float  # above which it says yes
    several: bool = False  # whether a row may have several labels

    @property
    def lacks_last(self) -> bool:
        """Whether the last class has no classifier of its own."""
        return 1 < len(self.helds) < len(self.classes)

    def values(self, X: Any) -> Array:
        """What each classifier says (n, number of classifiers)."""
        return said(self.helds, self.asks, [X] * len(self.helds))

    def claims(self, X: Any) -> Array:
        """Which classifiers say yes (n, number of classifiers)."""
        return self.values(X) > self.limit

    def ambiguous(self, X: Any) -> Array:
        """Where (n,) several say yes, or with K classifiers none does."""
        if self.several:
            raise bad(self.owner, "y", "one label a row to be ambiguous about", Said("several"), "Look at `claims`.")
        yes = self.claims(X).sum(axis=1)
        if len(self.helds) == 1:
            return np.zeros(len(yes), dtype=bool)
        return np.asarray((yes > 1) | ((yes == 0) & (not self.lacks_last)))

    def scores(self, block: Block) -> Array:
        """Values (n, number of classifiers); the last class, where it has none, minus the largest of the others."""
        values = self.values(table_of(block))
        return np.column_stack([values, -values.max(axis=1)]) if self.lacks_last else values

    def sides(self, block: Block) -> Array:
        """The number of the class of the largest value (n,); the last class where all others say no."""
        values = self.values(table_of(block))
        if len(self.helds) == len(self.classes):
            return np.asarray(values.argmax(axis=1))
        yes = values.max(axis=1) > self.limit
        if len(self.helds) == 1:
            return np.asarray(yes, dtype=np.intp)
        return np.where(yes, values.argmax(axis=1), len(self.classes) - 1)

    def labels(self, block: Block) -> Array:
        """Which labels each row has (n, K), 0 or 1."""
        return self.claims(table_of(block)).astype(np.int64)

    def proba(self, block: Block) -> Array:
        """Each classifier's yes (n, K), divided by their sum where a row has one label."""
        p = said(self.helds, ["predict_proba"] * len(self.helds), [table_of(block)] * len(self.helds))
        if len(self.helds) == 1:
            p = np.concatenate((1 - p, p), axis=1)
        if not self.several:
            total = np.sum(p, axis=1)[:, None]
            np.divide(p, total, out=p, where=total != 0)
        return p

    def likeliest(self, block: Block) -> Array:
        """The number of the class that is answered (n,)."""
        return self.sides(block)

    @property
    def prior(self) -> Array:
        """Nobody knows: each classifier assumes its own."""
        remedy = "Put the classifier into Decide, with learned_prior."
        raise bad(self.owner, "prior", "None where no class prior is known", Said("another"), remedy)

    def holding(self, change: Callable[[Held], Held]) -> OneVsRestModel:
        """The same, with each of what is held in another form."""
        return replace(self, helds=tuple(map(change, self.helds)))
