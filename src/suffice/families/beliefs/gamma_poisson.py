"""Counts of events with a Gamma prior on their rate.

rate ~ Gamma(a, b);   after s events in n rows:  rate ~ Gamma(a + s, b + n)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import gammaln

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.core.registry import saved
from suffice.families.beliefs.belief import Belief
from suffice.families.beliefs.conjugate import (
    Conjugate,
    as_shares,
    checked,
    column_of,
    generator,
    how_many,
    left,
    one_component,
    proper,
)
from suffice.families.beliefs.marginal_likelihood import of_events
from suffice.families.counts.poisson import NegativeBinomials
from suffice.families.counts.rate_priors import Gamma, totals
from suffice.summaries.moments import Moments


@saved
@dataclass(frozen=True)
class GammaPoisson(Conjugate):
    """A rate of which `shape` events in `rate` rows have been counted, virtual ones included.

    >>> posterior = GammaPoisson(2.0, 1.0).observe([1, 4, 1])
    >>> posterior.mean, posterior.mode
    (2.0, 1.75)
    """

    shape: float = 1.0
    rate: float = 1.0

    def __post_init__(self) -> None:
        """Refuse what is no prior."""
        checked(self, shape=self.shape, rate=self.rate)

    @classmethod
    def of(cls, prior: Gamma) -> GammaPoisson:
        """The same prior as a family's; its shape must be given, because there is no column to take it from."""
        if prior.shape is None:
            raise bad(cls.__name__, "the shape of the prior", "given", None, "Use Gamma(shape, rate).")
        return cls(prior.shape, prior.rate)

    def summarize(self, rows: Any, weights: Any = None) -> Moments:
        """Moments of rows of counts; NaN is missing."""
        x = column_of(self, rows)
        if (x < 0).any():
            raise bad(self, "counts", "at least 0", float(np.nanmin(x)), "Correct the cell.")
        return Moments.of(x, as_shares(self, len(x), weights))

    def log_base(self, rows: Any, weights: Any = None) -> float:
        """-sum log x!, over the rows that are present."""
        logs = np.nan_to_num(gammaln(column_of(self, rows)[:, 0] + 1.0))
        return -float(logs.sum() if weights is None else np.asarray(weights, dtype=np.float64) @ logs)

    def _read(self, summary: Moments) -> tuple[float, float]:
        rows, events = (float(part[0, 0]) for part in totals(one_component(self, summary, Moments)))
        if events < 0:
            raise bad(self, "counts", "at least 0", events, "These are moments of something else.")
        return rows, events

    def _after(self, summary: Moments, sign: float) -> GammaPoisson:
        rows, events = self._read(summary)
        shape, rate = self.shape + sign * events, self.rate + sign * rows
        left(self, "events and rows", [shape, rate])
        return GammaPoisson(shape, rate)

    def log_evidence(self, summary: Moments, log_base: float = 0.0) -> float:
        """Log probability of the rows in their order, without 1 / prod x! unless `log_base` brings it."""
        proper(self, shape=self.shape, rate=self.rate)
        rows, events = self._read(summary)
        return float(of_events(self.shape, self.rate, events, rows)) + log_base

    @property
    def belief(self) -> Belief:
        """What is believed about the rate."""
        from scipy.stats import gamma

        proper(self, shape=self.shape, rate=self.rate)
        return Belief(gamma(self.shape, scale=1.0 / self.rate), max(self.shape - 1.0, 0.0) / self.rate)

    @property
    def mean(self) -> float:
        """Posterior mean: the events expected of the next row."""
        proper(self, rate=self.rate)
        return self.shape / self.rate

    @property
    def mode(self) -> float:
        """Maximum a posteriori."""
        return self.belief.mode

    def log_predictive(self, rows: Any) -> Array:
        """Log probability of each new count by itself (n,): negative binomial."""
        proper(self, shape=self.shape, rate=self.rate)
        x = np.asarray(rows, dtype=np.float64)
        law = NegativeBinomials(np.array([[self.shape]]), np.array([[self.rate]]), np.ones(1))
        possible = (x >= 0) & (x == np.floor(x))
        return np.where(possible, law.log_cells(np.where(possible, x, 0.0)[..., None], 0)[..., 0], -np.inf)

    def draw(self, n: int = 1, random_state: Any = None) -> Array:
        """Rates drawn from the posterior (n,)."""
        return self.belief.draw(n, random_state)

    def sample(self, n: int = 1, random_state: Any = None) -> Array:
        """New counts (n,), each with a rate of its own drawn from the posterior."""
        rng = generator(self, random_state)
        return rng.poisson(self.draw(how_many(self, n), rng))
