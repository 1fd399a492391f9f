"""What models of classes answer whose probabilities come first: log posteriors and the likeliest class."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array, Block


class FromProba:
    """Answers of a model that has `proba(block)`: p(class | x) (n, K)."""

    def log_posterior(self: Any, block: Block) -> Array:
        """log p(class | x) (n, K); -inf where a class cannot be."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.proba(block)))

    def likeliest(self: Any, block: Block) -> Array:
        """The number of the most probable class (n,), the first of equals."""
        return np.asarray(self.proba(block).argmax(axis=1))


class FromShares(FromProba):
    """Of one that has the class shares of its rows too: `shares` (K,)."""

    @property
    def prior(self: Any) -> Array:
        """Class shares of all rows (K,)."""
        return np.asarray(self.shares)
