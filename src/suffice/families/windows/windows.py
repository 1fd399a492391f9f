"""Windows: smoothing functions of a density, and a check of what makes a function one.

K(u) = p(|u|) / V_d,     V_d = integral of p(|u|) over d dimensions

A window is not negative, integrates to 1 and is symmetric. (A *kernel* is a positive-definite function; sources and
scikit-learn call windows kernels too.)
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import factorial, lgamma, log, pi
from typing import Any, ClassVar, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.core.registry import saved


class Window(ABC):
    """A window by its profile p, with p(0) = 1, as a function of the distance in bandwidths."""

    reach: ClassVar[float] = 1.0  # it is 0 at this distance and beyond

    @abstractmethod
    def profile(self, u: Array) -> Array:
        """p(u) at distances of at least 0 and below the reach."""

    @abstractmethod
    def log_volume(self, d: int) -> float:
        """log V_d: the log of the integral of the profile over d dimensions."""

    @abstractmethod
    def draw(self, n: int, d: int, rng: Any) -> Array:
        """Points (n, d) drawn from the window; `rng` is one of NumPy's generators of either kind."""

    def log_profile(self, u: Array) -> Array:
        """log p(u) at distances of at least 0; -inf out of reach."""
        inside = u < self.reach
        with np.errstate(divide="ignore"):
            return np.where(inside, np.log(self.profile(np.where(inside, u, 0.0))), -np.inf)

    def log_density(self, u: Array, d: int = 1) -> Array:
        """log K(u) at distances of at least 0, in d dimensions."""
        return self.log_profile(np.asarray(u, dtype=np.float64)) - self.log_volume(d)

    def __call__(self, u: Any) -> Array:
        """K(u) in one dimension."""
        return np.exp(self.log_density(np.abs(np.asarray(u, dtype=np.float64))))

    def canonical(self, d: int = 1) -> float:
        """(R / s^4)^(1 / (d + 4)), with R the integral of K^2 and s^2 the variance along an axis.

        Bandwidths of two windows smooth alike if they are in proportion to this.
        """
        return _canonical(self, d)


def log_ball(d: int) -> float:
    """Log volume of the unit ball in d dimensions."""
    return 0.5 * d * log(pi) - lgamma(0.5 * d + 1.0)


@cache
def _canonical(window: Window, d: int) -> float:
    from scipy.integrate import quad

    def radial(power: int, square: int) -> float:
        """Integral of |u|^(power - d) p^square over d dimensions, over V_d^square."""
        volume = d * np.exp(log_ball(d) - square * window.log_volume(d))
        top = min(window.reach, 40.0 + 2.0 * d)

        def term(r: float) -> float:
            return float(r ** (power - 1) * window.profile(np.asarray(r)) ** square)

        return float(volume * quad(term, 0.0, top, epsabs=0.0, epsrel=1e-12, limit=200)[0])

    return float((radial(d, 2) / (radial(d + 2, 1) / d) ** 2) ** (1.0 / (d + 4)))


@saved
@dataclass(frozen=True)
class GaussianWindow(Window):
    """p(u) = exp(-u^2 / 2).

    >>> GaussianWindow()([0.0, 1.0]).round(6)
    array([0.398942, 0.241971])
    """

    reach: ClassVar[float] = np.inf

    def profile(self, u: Array) -> Array:
        """exp(-u^2 / 2)."""
        return np.exp(-0.5 * u * u)

    def log_profile(self, u: Array) -> Array:
        """-u^2 / 2, which never underflows."""
        return -0.5 * u * u

    def log_volume(self, d: int) -> float:
        """(2 pi)^(d / 2)."""
        return 0.5 * d * log(2.0 * pi)

    def draw(self, n: int, d: int, rng: Any) -> Array:
        """Standard normal."""
        return np.asarray(rng.normal(size=(n, d)))


@saved
@dataclass(frozen=True)
class ExponentialWindow(Window):
    """p(u) = exp(-u)."""

    reach: ClassVar[float] = np.inf

    def profile(self, u: Array) -> Array:
        """exp(-u)."""
        return np.exp(-u)

    def log_profile(self, u: Array) -> Array:
        """-u, which never underflows."""
        return -u

    def log_volume(self, d: int) -> float:
        """V d!, with V the volume of the unit ball."""
        return log_ball(d) + lgamma(d + 1.0)

    def draw(self, n: int, d: int, rng: Any) -> Array:
        """The distance is a gamma variable of shape d."""
        return _outwards(rng.standard_gamma(d, size=n), d, rng)


class _Ball(Window):
    """A window that is 0 outside of the unit ball."""

    def draw(self, n: int, d: int, rng: Any) -> Array:
        """A uniform point of the ball is kept with probability p, else drawn anew: p is the share of p(0)."""
        drawn = np.empty((0, d))
        while len(drawn) < n:
            r = rng.uniform(size=n) ** (1.0 / d)
            kept = rng.uniform(size=n) < self.profile(r)
            drawn = np.concatenate([drawn, _outwards(r, d, rng)[kept]])
        return drawn[:n]


def _outwards(distance: Array, d: int, rng: Any) -> Array:
    """Points at these distances in uniform directions."""
    way = rng.normal(size=(len(distance), d))
    return np.asarray(way * (distance / np.sqrt((way * way).sum(axis=1)))[:, None])


@saved
@dataclass(frozen=True)
class TophatWindow(_Ball):
    """p(u) = 1 within distance 1."""

    def profile(self, u: Array) -> Array:
        """1."""
        return np.ones_like(u)

    def log_volume(self, d: int) -> float:
        """The unit ball."""
        return log_ball(d)

    def draw(self, n: int, d: int, rng: Any) -> Array:
        """Normal points, moved along their rays so that the share of the ball within each is uniform."""
        from scipy.special import gammainc

        points = np.asarray(rng.normal(size=(n, d)))
        squares = (points * points).sum(axis=1)
        return np.asarray(points * (gammainc(0.5 * d, 0.5 * squares) ** (1.0 / d) / np.sqrt(squares))[:, None])


@saved
@dataclass(frozen=True)
class EpanechnikovWindow(_Ball):
    """p(u) = 1 - u^2 within distance 1."""

    def profile(self, u: Array) -> Array:
        """1 - u^2, as a product that keeps its digits near 1."""
        return (1.0 - u) * (1.0 + u)

    def log_volume(self, d: int) -> float:
        """2 V / (d + 2)."""
        return log_ball(d) + log(2.0 / (d + 2.0))


@saved
@dataclass(frozen=True)
class LinearWindow(_Ball):
    """p(u) = 1 - u within distance 1."""

    def profile(self, u: Array) -> Array:
        """1 - u."""
        return 1.0 - u

    def log_volume(self, d: int) -> float:
        """V / (d + 1)."""
        return log_ball(d) - log(d + 1.0)


@saved
@dataclass(frozen=True)
class CosineWindow(_Ball):
    """p(u) = cos(pi u / 2) within distance 1."""

    def profile(self, u: Array) -> Array:
        """cos(pi u / 2)."""
        return np.cos(0.5 * pi * u)

    def log_volume(self, d: int) -> float:
        """V d times the integral of r^(d - 1) cos(pi r / 2), by the series of the cosine.

        The recursion by parts, which is shorter, multiplies its rounding by d^2 a step.
        """
        terms = ((-1) ** k * (0.5 * pi) ** (2 * k) / factorial(2 * k) / (d + 2 * k) for k in range(20))
        return log_ball(d) + log(d * sum(terms))


WINDOWS: Mapping[str, Window] = {
    "gaussian": GaussianWindow(),
    "tophat": TophatWindow(),
    "epanechnikov": EpanechnikovWindow(),
    "exponential": ExponentialWindow(),
    "linear": LinearWindow(),
    "cosine": CosineWindow(),
}


def read_window(owner: object, name: str, given: Any) -> Window:
    """A window, or one of the six by its name."""
    window = WINDOWS.get(given) if isinstance(given, str) else given
    if not isinstance(window, Window):
        raise bad(owner, name, f"one of {', '.join(WINDOWS)}, or a Window", given, "Choose one of these.")
    return window


class Conditions(NamedTuple):
    """Which of the three conditions of a window a function keeps."""

    nonnegative: bool
    unit_area: bool
    symmetric: bool
    area: float

    @property
    def holds(self) -> bool:
        """All three."""
        return self.nonnegative and self.unit_area and self.symmetric


def check_window(function: Callable[[Array], Any], tolerance: float = 1e-6) -> Conditions:
    """Check that a function of one number, given as an array, is a window: K >= 0, its area is 1, K(-u) = K(u).

    Signs and symmetry are looked at on some thousand points from 2^-20 to 2^20 on both sides of 0, the area is
    integrated between powers of 2: a check by numbers, not a proof.

    >>> check_window(GaussianWindow()).holds
    True
    >>> check_window(lambda u: np.exp(-u * u / 2)).area.__round__(4)
    2.5066
    """
    if not callable(function):
        raise bad("check_window", "function", "callable with an array of numbers", function, "Give K itself.")
    u = np.concatenate([[0.0], np.geomspace(2.0**-20, 2.0**20, 4001)])
    right, left = _values(function, u), _values(function, -u)
    slack = tolerance * max(float(np.abs(right).max()), 1e-300)
    area = sum(_area(function, sign) for sign in (1.0, -1.0))
    return Conditions(
        bool(min(right.min(), left.min()) >= 0.0),
        abs(area - 1.0) <= tolerance,
        bool((np.abs(right - left) <= slack).all()),
        area,
    )


def _values(function: Callable[[Array], Any], u: Array) -> Array:
    values = np.asarray(function(u), dtype=np.float64)
    if values.shape != u.shape or not np.isfinite(values).all():
        rule = "one that gives a finite number for each number of an array"
        raise bad("check_window", "function", rule, values, "Write it with NumPy's functions.")
    return values


def _area(function: Callable[[Array], Any], sign: float) -> float:
    """The integral over one side of 0, between powers of 2, each in 16 panels of 8 Gaussian nodes."""
    nodes, weights = np.polynomial.legendre.leggauss(8)
    powers = np.concatenate([[0.0], 2.0 ** np.arange(-20, 21)])
    edges = np.unique(np.concatenate([np.linspace(a, b, 17) for a, b in pairwise(powers)]))
    half = 0.5 * np.diff(edges)[:, None]
    u = edges[:-1, None] + half * (nodes + 1.0)
    return float((_values(function, sign * u.ravel()).reshape(u.shape) * weights * half).sum())
