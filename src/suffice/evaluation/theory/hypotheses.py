"""Small sets of hypotheses about two classes: thresholds, intervals, circles, half-planes.

Infinitely many hypotheses give finitely many labellings of m rows; each set lists hypotheses that give all of them, so
that the best one on a sample is found by looking at every one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad

NUDGE = 1e-7  # how far, relative to the spread of the rows, a curve through rows is moved to take them in or leave them


class Hypotheses(Protocol):
    """A set of hypotheses, each an array of parameters."""

    def candidates(self, X: Array) -> Array:
        """Hypotheses (H, p) that give every labelling of these rows which some hypothesis gives."""

    def predict(self, theta: Array, X: Array) -> Array:
        """What each of some hypotheses (H, p) says of rows: True for the class (H, m)."""


@dataclass(frozen=True)
class Thresholds:
    """The class is on one side of a number: x > theta; with `both`, below it too.

    >>> space = Thresholds()
    >>> space.predict(np.array([[1.5, 1.0]]), np.array([[1.0], [2.0]])).tolist()
    [[False, True]]
    """

    column: int = 0
    both: bool = False

    def candidates(self, X: Array) -> Array:
        """(theta, side): between neighbours, and beyond both ends."""
        cuts = _between(X[:, self.column])
        sides = (1.0, -1.0) if self.both else (1.0,)
        return np.array([(cut, side) for side in sides for cut in cuts])

    def predict(self, theta: Array, X: Array) -> Array:
        """Whether side (x - theta) > 0."""
        return np.asarray(theta[:, 1:] * (X[:, self.column] - theta[:, :1]) > 0.0)


@dataclass(frozen=True)
class Intervals:
    """The class is between two numbers: a < x < b.

    >>> Intervals().predict(np.array([[0.0, 2.0]]), np.array([[1.0], [3.0]])).tolist()
    [[True, False]]
    """

    column: int = 0

    def candidates(self, X: Array) -> Array:
        """(a, b): all pairs of places between neighbours, the empty interval among them."""
        cuts = _between(X[:, self.column])
        return np.array([(a, b) for i, a in enumerate(cuts) for b in cuts[i:]])

    def predict(self, theta: Array, X: Array) -> Array:
        """Whether a < x < b."""
        x = X[:, self.column]
        return np.asarray((theta[:, :1] < x) & (x < theta[:, 1:]))


@dataclass(frozen=True)
class Circles:
    """The class is inside a circle of given radius in the plane: (x - t1)^2 + (y - t2)^2 <= radius^2.

    >>> Circles().predict(np.array([[0.0, 0.0]]), np.array([[0.5, 0.5], [1.0, 1.0]])).tolist()
    [[True, False]]
    """

    radius: float = 1.0

    def __post_init__(self) -> None:
        """Refuse a circle that is none."""
        if not self.radius > 0.0:
            raise bad(self, "radius", "greater than 0", self.radius)

    def candidates(self, X: Array) -> Array:
        """Centres: of each row, beyond all, and about each place as far from two rows as the radius."""
        X = _plane("Circles", X)
        centres = [X.max(axis=0) + 3.0 * self.radius, *X]
        nudge = NUDGE * self.radius
        for i in range(len(X)):
            for j in range(i):
                gap = X[j] - X[i]
                half = float(np.hypot(*gap)) / 2.0
                if not 0.0 < half <= self.radius:
                    continue
                along, across = gap / (2.0 * half), np.array([-gap[1], gap[0]]) / (2.0 * half)
                rise = float(np.sqrt(self.radius**2 - half**2))
                for side in (1.0, -1.0):
                    corner = (X[i] + X[j]) / 2.0 + side * rise * across
                    centres += [corner + nudge * move for move in (along, -along, across, -across)]
        return np.array(centres)

    def predict(self, theta: Array, X: Array) -> Array:
        """Whether a row is at most the radius away."""
        gaps = X[None] - theta[:, None]
        return np.asarray((gaps**2).sum(axis=2) <= self.radius**2)


@dataclass(frozen=True)
class HalfPlanes:
    """The class is on one side of a line in the plane: w1 x + w2 y + b > 0.

    >>> HalfPlanes().predict(np.array([[1.0, 0.0, -1.0]]), np.array([[2.0, 5.0], [0.0, 5.0]])).tolist()
    [[True, False]]
    """

    def candidates(self, X: Array) -> Array:
        """(w1, w2, b): lines beside each two rows, and turned between them, both ways round; all rows and none."""
        X = _plane("HalfPlanes", X)
        spread = float(np.ptp(X, axis=0).max()) or 1.0
        lines = [(0.0, 0.0, 1.0), (0.0, 0.0, -1.0)]
        for i in range(len(X)):
            for j in range(i):
                gap, middle = X[j] - X[i], (X[i] + X[j]) / 2.0
                if not gap.any():
                    continue
                across = np.array([-gap[1], gap[0]]) / np.hypot(*gap)
                for turn in (0.0, NUDGE, -NUDGE):
                    w = across + turn * gap / np.hypot(*gap)
                    shifts = (0.0,) if turn else (NUDGE * spread, -NUDGE * spread)
                    for shift in shifts:
                        b = -float(w @ middle) + shift
                        lines += [(w[0], w[1], b), (-w[0], -w[1], -b)]
        return np.array(lines)

    def predict(self, theta: Array, X: Array) -> Array:
        """Whether w.x + b > 0."""
        return np.asarray(theta[:, :2] @ X.T + theta[:, 2:] > 0.0)


def _between(x: Array) -> Array:
    """Places between neighbours, and beyond both ends."""
    values = np.unique(x)
    reach = float(values[-1] - values[0]) or 1.0
    return np.concatenate([[values[0] - reach], (values[:-1] + values[1:]) / 2.0, [values[-1] + reach]])


def _plane(owner: str, X: Array) -> Array:
    if X.ndim != 2 or X.shape[1] != 2:
        raise bad(owner, "X", "rows of two numbers", Said(f"shape {X.shape}"), "It is about the plane.")
    return X
