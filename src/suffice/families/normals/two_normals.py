"""Two normal distributions: their likelihood ratio, and where neither is the likelier.

    ln LR(x) = 1/2 ln (det C- / det C+) - 1/2 (D+(x)^2 - D-(x)^2)

With class shares, a row goes to the first where ln LR(x) + ln odds > 0. In one column the boundary is at most two
points; in two it is a conic: a line for equal covariances, else any of them, not always a hyperbola.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.families.normals.conic import NOTHING, Conic
from suffice.families.normals.gaussian import Gaussian


class Region(NamedTuple):
    """An interval, and whether the first of the two is the likelier in it."""

    low: float
    high: float
    first: bool


@dataclass(frozen=True, eq=False)
class TwoNormals:
    """Two normal distributions over the same columns, and how likely the first is beforehand.

    Parameters
    ----------
    first, second : the two
    odds : how many times as likely the first is before a row is seen; 1 compares likelihoods

    >>> pair = TwoNormals(Gaussian(1.0, 1.0), Gaussian(2.0, 4.0))
    >>> pair.boundaries().round(4)
    array([-0.8475,  2.1809])
    >>> [region.first for region in pair.regions()]
    [False, True, False]
    """

    first: Gaussian
    second: Gaussian
    odds: float = 1.0

    def __post_init__(self) -> None:
        """Refuse two that cannot be compared."""
        if self.first.d != self.second.d:
            got = Said(f"{self.first.d} and {self.second.d}")
            raise bad(self, "first and second", "of as many columns", got, "Describe the same columns.")
        if not (np.isfinite(self.odds) and self.odds > 0):
            raise bad(self, "odds", "finite and above 0", self.odds, "Give the share of the first over the second's.")

    def log_ratio(self, X: Any) -> Array:
        """ln of the likelihood ratio of each row (n,); the odds beforehand are no part of it."""
        return self.first.log_density(X) - self.second.log_density(X)

    def posterior(self, X: Any) -> Array:
        """Probability of the first, given each row (n,)."""
        return np.asarray(0.5 * (1.0 + np.tanh(0.5 * (self.log_ratio(X) + np.log(self.odds)))))

    def linear(self) -> tuple[Array, Array]:
        """For equal covariances: gain g and point o with ln LR(x) = g . (x - o); o is midway between the means."""
        one, two = self.first, self.second
        if not np.allclose(one.covariance, two.covariance, rtol=NOTHING, atol=0.0):
            raise bad(self, "the covariances", "equal", Said("two"), "Use boundaries() or conic().")
        return np.linalg.solve(one.covariance, one.mean - two.mean), (one.mean + two.mean) / 2.0

    def quadratic(self) -> tuple[Array, Array, float, Array]:
        """A, b, c and o with ln LR(x) + ln odds = (x - o)' A (x - o) + b' (x - o) + c."""
        one, two = self.first, self.second
        origin = (one.mean + two.mean) / 2.0
        P, Q = _precision(one), _precision(two)
        A, m = 0.5 * (Q - P), (one.mean - two.mean) / 2.0  # the means lie at +m and -m from the origin
        height = two.log_normalizer - one.log_normalizer + 0.5 * float(m @ (Q - P) @ m)
        return A, (P + Q) @ m, height + float(np.log(self.odds)), origin

    def boundaries(self) -> Array:
        """In one column: the points where both are as likely, in order; at most two, and none where they are alike."""
        if self.first.d != 1:
            raise bad(self, "boundaries", "asked of one column", self.first.d, "Use conic() for two columns.")
        A, b, c, origin = self.quadratic()
        sd = float(self.first.sd[0])
        roots = _roots(float(A[0, 0]) * sd * sd, float(b[0]) * sd, c)
        return np.asarray(origin[0] + sd * np.array(roots))

    def regions(self) -> list[Region]:
        """In one column: the intervals between the boundaries, and which of the two is the likelier in each."""
        ends = [-np.inf, *self.boundaries().tolist(), np.inf]
        if len(ends) == 2:
            return [Region(-np.inf, np.inf, bool(self._score(float(self.first.mean[0])) > 0))]
        width = float(self.first.sd[0] + self.second.sd[0])
        inner = ((a + b) / 2.0 for a, b in pairwise(ends[1:-1]))
        probes = [ends[1] - width, *inner, ends[-2] + width]
        return [Region(a, b, bool(self._score(x) > 0)) for (a, b), x in zip(pairwise(ends), probes, strict=True)]

    def _score(self, x: float) -> float:
        return float(self.log_ratio([x])[0] + np.log(self.odds))

    def conic(self) -> Conic:
        """In two columns: ln LR + ln odds as a quadratic; the boundary is where it is 0, the first's side above."""
        if self.first.d != 2:
            raise bad(self, "conic", "asked of two columns", self.first.d, "Use boundaries() for one column.")
        A, b, c, origin = self.quadratic()
        return Conic(_settled(A, _precision(self.first)), b, c, origin, self.first.sd)


def _precision(one: Gaussian) -> Array:
    """Inverse covariance, symmetric to the last bit."""
    W = one.whiten(np.eye(one.d) + one.mean)  # column j is what whitening makes of unit j
    return np.asarray(W @ W.T)


def _settled(A: Array, P: Array) -> Array:
    """Differences of precisions that are rounding are 0."""
    size = np.sqrt(np.diagonal(P))
    return np.where(np.abs(A) > NOTHING * size * size[:, None], A, 0.0)


def _roots(a: float, b: float, c: float) -> list[float]:
    """Real roots of a x^2 + b x + c, in order, without cancellation."""
    largest = max(abs(a), abs(b), abs(c))
    if abs(a) <= 2.0**-50 * largest:
        return [-c / b] if abs(b) > 2.0**-50 * largest else []
    room = b * b - 4.0 * a * c
    if room < 0:
        return []
    q = -0.5 * (b + np.copysign(np.sqrt(room), b))
    return sorted({float(q / a), float(c / q)}) if q != 0 else [0.0]
