"""The model of `Decide`: a classifier, the prior that it assumes, and how dense its training rows were."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from suffice.compose.around_plan import table_of
from suffice.compose.densities import Densities, log_density
from suffice.compose.held import Held
from suffice.core.block import Array, Block
from suffice.core.errors import bad
from suffice.core.from_proba import FromProba
from suffice.core.registry import saved
from suffice.decision.decide.outliers import Outliers


@saved
@dataclass(frozen=True)
class DecidedModel(FromProba):
    """Asks the classifier it holds."""

    owner: str
    held: Held
    classes: tuple[Any, ...]
    assumed: Array | None = None  # (K,) the prior of the classifier; None where nobody knows
    met: Array | None = None  # (K,) weight of the rows of each class that it was trained on, where that is known
    densities: Densities | None = None

    @property
    def prior(self) -> Array:
        """The class prior that the probabilities assume (K,)."""
        if self.assumed is None:
            rule = "given for a trained classifier that does not tell its prior"
            remedy = "Most often it is the class shares of its training rows."
            raise bad(self.owner, "learned_prior", rule, None, remedy)
        return self.assumed

    def proba(self, block: Block) -> Array:
        """p(class | x) (n, K), as the classifier says."""
        return np.asarray(self.held.live.predict_proba(table_of(block)), dtype=np.float64)

    def log_density(self, block: Block) -> Array:
        """log p(x) (n,), from a classifier that knows it."""
        return log_density(self.owner, self.held.live, table_of(block))

    def limit(self, outliers: Any) -> Outliers | None:
        """A share of the training rows as the log density that so many of them lie below."""
        if outliers is None or isinstance(outliers, Outliers):
            return outliers
        if self.densities is None:
            rule = "None or Outliers where the densities of training were not kept"
            remedy = "Give outliers= before `fit`, or Outliers(least) with a log density."
            raise bad(self.owner, "outliers", rule, outliers, remedy)
        return Outliers(self.densities.quantile(self.owner, outliers))

    @property
    def helds(self) -> tuple[Held, ...]:
        """What is held."""
        return (self.held,)

    def holding(self, change: Callable[[Held], Held]) -> DecidedModel:
        """The same, with what is held in another form."""
        return replace(self, held=change(self.held))
