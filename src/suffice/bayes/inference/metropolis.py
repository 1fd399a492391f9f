"""Metropolis: draws from any density that can be evaluated up to a constant, by a random walk.

    move from u to u' = u + step * z with probability min(1, p(u') / p(u)), else stay

Reference: A. Gelman, G. Roberts, W. Gilks, Efficient Metropolis jumping rules (1996).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from suffice.bayes.inference.posterior_mode import beginning
from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.families.beliefs.conjugate import generator, how_many
from suffice.families.beliefs.parameter_ranges import Range

IDEAL = 0.3  # acceptance that the warm-up aims at: between 0.44 (one parameter) and 0.234 (many)


@dataclass(frozen=True, eq=False)
class MarkovChain:
    """Draws in the order of the walk; they are not independent, and say how many independent ones they are worth."""

    draws: Array  # (n, d)
    acceptance: float  # share of the moves that were made
    step: float  # length of a move, after the warm-up

    @property
    def mean(self) -> Array:
        """Mean of the draws (d,)."""
        return np.asarray(self.draws.mean(axis=0))

    @property
    def sd(self) -> Array:
        """Standard deviation of the draws (d,)."""
        return np.asarray(self.draws.std(axis=0))

    @cached_property
    def effective_sample_size(self) -> Array:
        """How many independent draws would tell the mean as well (d,)."""
        return np.array([effective_sample_size(x) for x in self.draws.T])

    @property
    def error(self) -> Array:
        """Standard error of the mean (d,)."""
        return np.asarray(self.sd / np.sqrt(self.effective_sample_size))


def metropolis(
    log_density: Callable[[Array], float],
    start: Any = None,
    *,
    draws: int = 5000,
    warmup: int = 2000,
    within: Any = None,
    random_state: Any = None,
) -> MarkovChain:
    """A random walk whose draws have a given density: for a posterior give log likelihood + log prior.

    The length and shape of the moves are learned in the warm-up and fixed afterwards, so that what is kept is a Markov
    chain with the right distribution.

    Parameters
    ----------
    log_density : function of the parameters (d,), up to a constant; -inf where there is none
    start : (d,) where to begin
    draws, warmup : how many moves to keep, and how many to leave out before
    within : a (low, high) pair for each parameter, None for no bound, or a `Simplex()`
    random_state : seed or `numpy.random.Generator`

    >>> chain = metropolis(lambda t: -0.5 * t[0] ** 2, [0.0], draws=2000, random_state=0)
    >>> bool(abs(chain.mean[0]) < 4 * chain.error[0]), 0.2 < chain.acceptance < 0.6
    (True, True)
    """
    owner = "metropolis"
    theta, inside = beginning(owner, log_density, start, within)
    walk = _Walk(log_density, inside, inside.free(theta), generator(owner, random_state))
    if not np.isfinite(walk.height):
        raise bad(owner, "start", "where the density is above 0", theta, "Begin elsewhere.")
    walk.warm_up(how_many(owner, warmup, "warmup"))
    kept, before = np.empty((how_many(owner, draws, "draws"), len(theta))), walk.made
    for i in range(len(kept)):
        walk.move()
        kept[i] = walk.theta
    return MarkovChain(kept, (walk.made - before) / len(kept), walk.step)


class _Walk:
    """The state of a random walk in free coordinates."""

    def __init__(self, log_density: Any, inside: Range, u: Array, rng: np.random.Generator) -> None:
        self.log_density, self.inside, self.rng, self.u = log_density, inside, rng, u
        self.theta = inside.natural(u)
        self.height, self.made = self._height(u, self.theta), 0
        self.step: float = 2.4 / np.sqrt(len(u))
        self.shape: Array = np.eye(len(u))

    def _height(self, u: Array, theta: Array) -> float:
        """Log density in free coordinates."""
        value = float(self.log_density(theta)) + self.inside.log_jacobian(u)
        return -np.inf if np.isnan(value) else value

    def move(self) -> float:
        """Propose a move, make it or not; its probability."""
        u = self.u + self.step * (self.shape @ self.rng.standard_normal(len(self.u)))
        theta = self.inside.natural(u)
        height = self._height(u, theta)
        chance = float(np.exp(min(0.0, height - self.height)))
        if self.rng.random() < chance:
            self.u, self.theta, self.height, self.made = u, theta, height, self.made + 1
        return chance

    def warm_up(self, moves: int) -> None:
        """Learn the length of moves all along, and their shape from the second quarter and then from the third."""
        past = []
        for i in range(moves):
            self.step *= float(np.exp((self.move() - IDEAL) / np.sqrt(1.0 + i % (moves // 4 + 1))))
            past.append(self.u)
            if i + 1 in (moves // 2, 3 * moves // 4) and i > 20 * len(self.u):
                self._learn_shape(np.array(past[len(past) // 2 :]))

    def _learn_shape(self, past: Array) -> None:
        scatter = np.atleast_2d(np.cov(past.T))
        size = float(np.trace(scatter)) / len(scatter)
        if size > 0:
            self.shape = np.linalg.cholesky(scatter + 1e-6 * size * np.eye(len(scatter)))
            self.step = 2.4 / np.sqrt(len(scatter))


def effective_sample_size(x: Any) -> float:
    """n / (1 + 2 sum of autocorrelations), summed in pairs while these are above 0 and falling (Geyer).

    >>> effective_sample_size(np.random.default_rng(0).standard_normal(1000)) > 600
    True
    """
    x = np.asarray(x, dtype=np.float64)
    n = len(x)
    if n < 4 or not np.ptp(x) > 0:
        return float(n > 0 and (np.ptp(x) > 0 or n == 1)) * n  # a chain that never moved tells nothing
    z = x - x.mean()
    spectrum = np.fft.rfft(z, 2 * n)
    rho = np.fft.irfft(spectrum * spectrum.conj())[:n]
    rho = rho / rho[0]
    pairs = rho[: n - n % 2].reshape(-1, 2).sum(axis=1)
    stop = int(np.argmax(pairs <= 0)) if (pairs <= 0).any() else len(pairs)
    time = 2.0 * np.minimum.accumulate(pairs[:stop]).sum() - 1.0
    return float(n / max(time, 1.0 / np.log10(n)))
