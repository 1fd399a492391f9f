"""The posterior of several models, each with its own prior: another is exchanged in each before they are mixed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.decision.decide.posterior import Posterior
from suffice.decision.decide.read_wishes import checked_prior


class MixedPosterior(Posterior):
    """sum_m weight_m p(c | x, m), and the class prior of the rows.

    >>> certain, blind = Posterior(np.array([[1.0, 0.0]]), [0.5, 0.5]), Posterior(np.array([[0.5, 0.5]]), [0.5, 0.5])
    >>> MixedPosterior.of([certain, blind], np.array([0.5, 0.5]), np.array([0.5, 0.5])).shift([0.2, 0.8]).proba
    array([[0.6, 0.4]])
    """

    parts: tuple[Posterior, ...]
    weights: Array  # (M,)

    @classmethod
    def of(cls, parts: Sequence[Posterior], weights: Array, prior: Array) -> MixedPosterior:
        """Mix what models believe of the same rows and classes."""
        made = cls(np.tensordot(weights, np.asarray([part.proba for part in parts], dtype=np.float64), axes=1), prior)
        made.parts, made.weights = tuple(parts), weights
        return made

    def shift(self, prior: Any) -> MixedPosterior:
        """The posterior under another class prior, which each model takes on for itself; their weights stay."""
        new = checked_prior("Posterior", prior, len(self.prior))
        return MixedPosterior.of([part.shift(new) for part in self.parts], self.weights, new)
