"""The multipliers of a dual problem between their bounds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from suffice.core.block import Array


@dataclass
class BoxConstraints:
    """The multipliers with their signs, b_i = y_i alpha_i, between their bounds, and the gradient."""

    beta: Array
    lo: Array
    hi: Array
    g: Array  # y - K beta

    def take(self, some: Array) -> BoxConstraints:
        """A copy of some of them."""
        return BoxConstraints(self.beta[some], self.lo[some], self.hi[some], self.g[some])

    def ends(self) -> tuple[float, float]:
        """The largest g of those that may rise, and the least of those that may sink."""
        rising, sinking = np.where(self.beta < self.hi, self.g, -np.inf), np.where(self.beta > self.lo, self.g, np.inf)
        return float(np.maximum.reduce(rising, initial=-np.inf)), float(np.minimum.reduce(sinking, initial=np.inf))

    def idle(self, top: float, bottom: float) -> Array:
        """Rows at a bound that no row out of order could take part with."""
        sunk = ~(self.beta > self.lo) & (self.g < bottom)
        risen = ~(self.beta < self.hi) & (self.g > top)
        return np.asarray(sunk | risen)
