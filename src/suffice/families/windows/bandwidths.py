"""Bandwidths: how wide the windows of a density are, found from the points themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any, Protocol

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.core.registry import saved
from suffice.families.windows.weighted_points import Points
from suffice.families.windows.window_sums import log_others
from suffice.families.windows.windows import GaussianWindow, Window

TIE = 1e-9  # a likelihood that is better by less than this share is no better: the smoother density is taken


class BandwidthRule(Protocol):
    """A way to find a bandwidth."""

    def choose(self, points: Points, window: Window) -> float:
        """The bandwidth of these windows at these points; 0 where all points are one."""


def alike(window: Window, d: int) -> float:
    """How much wider these windows must be than Gaussian ones to smooth as much."""
    return window.canonical(d) / GaussianWindow().canonical(d)


@saved
@dataclass(frozen=True)
class Scott:
    """h = s n^(-1 / (d + 4)): s the spread of the points, n their weight.

    For Gaussian windows; others get the bandwidth that smooths as much.

    >>> round(Scott().choose(Points.of(np.arange(5.0)[:, None]), GaussianWindow()), 6)
    1.145977
    """

    def choose(self, points: Points, window: Window) -> float:
        """By the spread and the weight of the points."""
        n = max(points.total, 1.0)
        return float(points.spread * n ** (-1.0 / (points.d + 4)) * alike(window, points.d))


@saved
@dataclass(frozen=True)
class Silverman:
    """h = s (n (d + 2) / 4)^(-1 / (d + 4)): what is best for points that are normal."""

    def choose(self, points: Points, window: Window) -> float:
        """By the spread and the weight of the points."""
        n = max(points.total, 1.0) * (points.d + 2) / 4.0
        return float(points.spread * n ** (-1.0 / (points.d + 4)) * alike(window, points.d))


@saved
@dataclass(frozen=True)
class LeaveOneOut:
    """The bandwidth under which every point is most probable given all others, without refitting.

        L(h) = sum_i w_i log f_(-i)(x_i; h) / sum w

    Each point leaves one copy of itself out, so that a point of weight 2 is two points at one place.

    Parameters
    ----------
    candidates : bandwidths to choose from; None takes 20, from a sixteenth to twice the one of Silverman's rule
    error : relative error that is allowed for the densities of Gaussian windows on a line; that of a lonely point,
        from which its own window is taken away, may be a thousand times as large

    >>> points = Points.of(np.array([[0.0], [0.1], [0.9], [1.0]]))
    >>> LeaveOneOut((0.01, 0.2, 5.0)).choose(points, GaussianWindow())
    0.2
    """

    candidates: tuple[float, ...] | None = None
    error: float = 0.0

    def __post_init__(self) -> None:
        """Refuse what is no bandwidth."""
        if self.candidates is not None:
            object.__setattr__(self, "candidates", read_candidates(self, self.candidates))
        if not (isinstance(self.error, Real) and 0.0 <= float(self.error) < 1.0):
            raise bad(self, "error", "a number of at least 0 and below 1", self.error, "Use 0 for all digits.")

    def choose(self, points: Points, window: Window) -> float:
        """The best of the candidates; the largest where every one makes some point impossible."""
        tried = self.tried(points, window)
        if not len(points.rows) or tried[0] == 0.0:
            return 0.0
        scores = self.scores(points, window)
        if np.isneginf(scores).all():
            return float(tried.max())
        best = scores.max()
        return float(tried[scores >= best - TIE * (1.0 + abs(best))].max())

    def tried(self, points: Points, window: Window) -> Array:
        """The candidates."""
        if self.candidates is not None:
            return np.array(self.candidates)
        return np.asarray(Silverman().choose(points, window) * np.geomspace(1.0 / 16.0, 2.0, 20))

    def scores(self, points: Points, window: Window) -> Array:
        """Mean log likelihood of a point given all others, for each candidate."""
        return np.array([log_likelihood(points, h, window, self.error) for h in self.tried(points, window)])


def log_likelihood(points: Points, h: float, window: Window, error: float = 0.0) -> float:
    """Mean log density of the points, each under all others; -inf where one is out of reach of all others."""
    rest = points.total - np.minimum(points.weight, 1.0)
    if not (rest > 0).all():
        return -np.inf
    logs = log_others(points, h, window, error) - np.log(rest) - points.d * np.log(h) - window.log_volume(points.d)
    return float(points.weight @ logs / points.total)


def read_candidates(owner: object, given: Any) -> tuple[float, ...]:
    """Some bandwidths, each finite and above 0."""
    rule = "finite numbers above 0, at least one"
    if isinstance(given, str) or not isinstance(given, Sequence | np.ndarray) or not len(given):
        raise bad(owner, "candidates", rule, given, "Leave them out to try some around Silverman's.")
    for h in given:
        if not _wide(h):
            raise bad(owner, "candidates", rule, h, "Leave them out to try some around Silverman's.")
    return tuple(map(float, given))


def _wide(given: Any) -> bool:
    """Whether it is a finite number above 0."""
    return isinstance(given, Real) and not isinstance(given, bool) and 0.0 < float(given) < np.inf


def read_bandwidth(owner: object, given: Any) -> float | BandwidthRule:
    """A bandwidth, or a rule that finds one."""
    if _wide(given):
        return float(given)
    if not isinstance(given, type) and hasattr(given, "choose"):
        return given  # type: ignore[no-any-return]
    rule = "a finite number above 0, or a rule such as Silverman() or LeaveOneOut()"
    raise bad(owner, "bandwidth", rule, given, "Choose one of these.")


def bandwidth_of(given: float | BandwidthRule, points: Points, window: Window) -> float:
    """The bandwidth at these points; 0 where it is too small to tell one number from the next."""
    h = given if isinstance(given, float) else given.choose(points, window)
    return h if np.isfinite(h) and h > points.smallest else 0.0
