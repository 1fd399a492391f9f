"""What a classifier says about p(x), the density of a row whatever its class."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.core.registry import saved
from suffice.decision.decide.outliers import checked_share, ordered, quantile
from suffice.numerics.log_space import log_sum_exp

READINGS: dict[str, Callable[[Any], Array]] = {  # methods of generative classifiers, and how they give log p(x)
    "score_samples": np.asarray,
    "predict_joint_log_proba": log_sum_exp,
}


@saved
class Densities(NamedTuple):
    """Log densities of the rows of training, from low to high."""

    values: Array  # (n,)
    below: Array  # (n,) share of the weight below each

    @classmethod
    def of(cls, log_density: Array, w: Array | None) -> Densities:
        """Of rows in any order, with their weights; rows of unknown density are left out."""
        known = ~np.isnan(log_density)
        weights = np.ones(len(log_density)) if w is None else np.asarray(w, dtype=np.float64)
        return cls(*ordered(log_density[known], weights[known]))

    def quantile(self, owner: str, share: Any) -> float:
        """The log density that at most this share of the rows lies below."""
        return quantile(self.values, self.below, checked_share(owner, share))


def log_density(owner: str, model: Any, X: Any) -> Array:
    """log p(x) of each row (n,), from a classifier that knows it."""
    for name, read in READINGS.items():
        if hasattr(model, name):
            return np.asarray(read(getattr(model, name)(X)), dtype=np.float64)
    rule = "None for a classifier that does not know p(x)"
    remedy = "Generative ones do: they have score_samples or predict_joint_log_proba."
    raise bad(owner, "outliers", rule, Said(type(model).__name__), remedy)
