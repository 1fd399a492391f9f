"""The model of `Decide`: a classifier, the prior that it assumes, and how dense its training rows were."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.errors import bad
from suffice.core.registry import saved
from suffice.meta.around_plan import table_of
from suffice.meta.densities import Densities, log_density
from suffice.meta.held import Held


@saved
@dataclass(frozen=True)
class DecidedModel:
    """Asks the classifier it holds."""

    owner: str
    held: Held
    classes: tuple[Any, ...]
    prior: Array | None  # (K,) None where nobody knows
    densities: Densities | None

    @property
    def log_prior(self) -> Array:
        """The class prior that the probabilities assume (K,)."""
        if self.prior is None:
            rule = "given for a trained classifier that does not tell its prior"
            remedy = "Most often it is the class shares of its training rows."
            raise bad(self.owner, "learned_prior", rule, None, remedy)
        with np.errstate(divide="ignore"):
            return np.log(self.prior)

    def proba(self, block: Block) -> Array:
        """p(class | x) (n, K), as the classifier says."""
        return np.asarray(self.held.live.predict_proba(table_of(block)), dtype=np.float64)

    def log_posterior(self, block: Block) -> Array:
        """Its logarithm (n, K)."""
        with np.errstate(divide="ignore"):
            return np.log(self.proba(block))

    def likeliest(self, block: Block) -> Array:
        """The number of the most probable class (n,), the first of equals."""
        return np.asarray(self.proba(block).argmax(axis=1))

    def log_density(self, block: Block) -> Array:
        """log p(x) (n,), from a classifier that knows it."""
        return log_density(self.owner, self.held.live, table_of(block))

    def to_save(self, owner: str) -> DecidedModel:
        """Such that a file can hold it."""
        return replace(self, held=self.held.to_save(owner))
