"""Priors for one number per column, a rate or a chance, as virtual rows added before estimating."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.core.registry import saved
from suffice.families.family import Reading
from suffice.summaries.moments import Moments

ROUNDING = 2.0**-80  # of the shift: a mean this near to 0 is 0


@saved
@dataclass(frozen=True)
class Gamma:
    """Prior of a Poisson rate: `shape` events in `rate` virtual rows.

    With shape None the virtual rows have the mean of the whole column, which is free of units.

    >>> from suffice.core.shares import Shares
    >>> Gamma(rate=2.0).events(Moments.of(np.array([[1.0], [4.0]]), Shares.hard(np.array([0, 1]), 2)))
    array([5.])
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
        return np.asarray(self.rate * moments.pooled().mean.value[0])


def totals(moments: Moments) -> tuple[Array, Array]:
    """Weight and weighted sum of each component and column (K, d)."""
    W, mean = moments.weight.value, moments.mean.value
    return W, W * np.where(np.abs(mean) <= ROUNDING * np.abs(moments.shift), 0.0, mean)


def or_whole(evidence: Array, *sums: Array) -> tuple[Array, ...]:
    """The sums (K, d), where a component without any evidence takes those of all components together."""
    return tuple(np.where(evidence > 0, part, part.sum(axis=0)) for part in sums)


def chance(yes: Array, no: Array, reading: Reading) -> Array:
    """Mean or mode of a Beta distribution; 1/2 where there is nothing to go by."""
    less = 1.0 if reading is Reading.MODE else 0.0
    yes, no = np.maximum(yes - less, 0.0), np.maximum(no - less, 0.0)
    return np.asarray(np.divide(yes, yes + no, out=np.full_like(yes, 0.5), where=yes + no > 0))
