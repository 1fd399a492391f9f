"""Conics: where a quadratic of two columns is 0, and which curve that is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np

from suffice.core.block import Array

NOTHING = 1e-10  # a coefficient below this share of the largest is rounding


class ConicKind(Enum):
    """The curves on which a quadratic of two columns is 0."""

    EMPTY = "empty"
    PLANE = "plane"
    POINT = "point"
    LINE = "line"
    PARALLEL_LINES = "parallel lines"
    CROSSING_LINES = "crossing lines"
    CIRCLE = "circle"
    ELLIPSE = "ellipse"
    PARABOLA = "parabola"
    HYPERBOLA = "hyperbola"


@dataclass(frozen=True, eq=False)
class Conic:
    """q(x) = (x - o)' A (x - o) + b' (x - o) + c, in two columns, and the curve q = 0.

    >>> Conic(np.eye(2), np.zeros(2), -4.0, np.array([1.0, 2.0])).kind
    <ConicKind.CIRCLE: 'circle'>
    """

    A: Array  # (2, 2) symmetric
    b: Array  # (2,)
    c: float
    origin: Array  # (2,) near the curve, so that no digit is lost
    units: Array | None = None  # (2,) a length of each column that matters; None: 1

    def value(self, X: Any) -> Array:
        """q of each row (n,)."""
        x = np.atleast_2d(np.asarray(X, dtype=np.float64)) - self.origin
        return np.asarray(np.einsum("ni,ij,nj->n", x, self.A, x) + x @ self.b + self.c)

    @property
    def kind(self) -> ConicKind:
        """Which curve it is; what lies within rounding of a simpler one is that one."""
        a, b, c = self._diagonal()
        bent = np.abs(a) > NOTHING
        if bent.all():
            return self._with_centre(a, b, c)
        if bent.any():
            return _with_axis(a, b, c, int(np.argmax(bent)))
        if (np.abs(b) > NOTHING).any():
            return ConicKind.LINE
        return ConicKind.EMPTY if abs(c) > NOTHING else ConicKind.PLANE

    @property
    def centre(self) -> Array:
        """The centre of an ellipse, a hyperbola or two crossing lines: where q does not change."""
        return np.asarray(self.origin - 0.5 * np.linalg.solve(self.A, self.b))

    @property
    def half_axes(self) -> Array:
        """Half axes of an ellipse or a hyperbola (2,), those along which it is met first."""
        height = float(self.value(self.centre)[0])
        values = np.linalg.eigvalsh(self.A)
        squares = -height / values
        return np.asarray(np.sqrt(np.where(squares > 0, squares, -squares))[np.argsort(squares <= 0, kind="stable")])

    def _diagonal(self) -> tuple[Array, Array, float]:
        """Coefficients along the axes of A, the largest of them 1."""
        units = np.ones(2) if self.units is None else self.units
        values, vectors = np.linalg.eigh(self.A * units * units[:, None])
        linear = vectors.T @ (self.b * units)
        largest = max(np.abs(values).max(), np.abs(linear).max(), abs(self.c), np.finfo(float).tiny)
        return values / largest, linear / largest, self.c / largest

    def _with_centre(self, a: Array, b: Array, c: float) -> ConicKind:
        height = c - float((b * b / a).sum()) / 4.0
        flat = abs(height) <= NOTHING * (1.0 + float((b * b / np.abs(a)).sum()))
        if a[0] * a[1] < 0:
            return ConicKind.CROSSING_LINES if flat else ConicKind.HYPERBOLA
        if flat:
            return ConicKind.POINT
        if height * a[0] > 0:
            return ConicKind.EMPTY
        (p, r), (_, q) = self.A
        round_one = max(abs(p - q), abs(r)) <= NOTHING * max(abs(p), abs(q))
        return ConicKind.CIRCLE if round_one else ConicKind.ELLIPSE


def _with_axis(a: Array, b: Array, c: float, bent: int) -> ConicKind:
    """Bent along one axis only."""
    if abs(b[1 - bent]) > NOTHING:
        return ConicKind.PARABOLA
    room = b[bent] ** 2 - 4.0 * a[bent] * c
    if abs(room) <= NOTHING * (b[bent] ** 2 + abs(a[bent])):
        return ConicKind.LINE
    return ConicKind.PARALLEL_LINES if room > 0 else ConicKind.EMPTY
