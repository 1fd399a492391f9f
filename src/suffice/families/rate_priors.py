"""Priors for one number per column, a rate or a chance, as virtual rows added before estimating."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.core.registry import saved
from suffice.summaries.moments import Moments


@saved
@dataclass(frozen=True)
class Gamma:
    """Prior of a Poisson rate: `shape` events in `rate` virtual rows.

    With shape None the virtual rows have the mean of the whole column, which is free of units.
    """

    shape: float | None = None
    rate: float = 1.0

    def __post_init__(self) -> None:
        """Refuse what is no prior."""
        for name in ("shape", "rate"):
            value = getattr(self, name)
            if value is not None and not (np.isfinite(value) and value >= 0):
                raise bad(self, name, "finite and at least 0", value, "Use shape=0, rate=0 for maximum likelihood.")

    def events(self, moments: Moments) -> Array:
        """Virtual events per column (d,)."""
        if self.shape is not None:
            return np.full(moments.rows.shape[1], float(self.shape))
        return self.rate * moments.pooled().mean.value[0]


def totals(moments: Moments) -> tuple[Array, Array]:
    """Weight and weighted sum of each component and column (K, d)."""
    W = moments.weight.value
    return W, W * moments.mean.value
