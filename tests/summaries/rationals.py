"""Means and variances in exact rationals, and how far a float is from them."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from suffice.core.double_double import Pair


def moments(x: Iterable[float], w: Iterable[float] | None = None) -> tuple[Fraction, Fraction]:
    """Mean and variance of rows of weight w, exactly."""
    cells = [Fraction(float(v)) for v in x]
    weights = [Fraction(1)] * len(cells) if w is None else [Fraction(float(v)) for v in w]
    total = sum(weights)
    mean = sum((a * b for a, b in zip(weights, cells, strict=True)), Fraction(0)) / total
    return mean, sum((a * (b - mean) ** 2 for a, b in zip(weights, cells, strict=True)), Fraction(0)) / total


def covariance(x: Iterable[float], y: Iterable[float]) -> Fraction:
    """Covariance of two columns, exactly."""
    a, b = [Fraction(float(v)) for v in x], [Fraction(float(v)) for v in y]
    n = len(a)
    return sum((p * q for p, q in zip(a, b, strict=True)), Fraction(0)) / n - sum(a) * sum(b) / n**2


def off(got: float, true: Fraction) -> float:
    """Relative error."""
    return float(abs(Fraction(float(got)) - true) / abs(true))


def rational(pair: Pair, *index: int) -> Fraction:
    """One number of a pair, exactly."""
    return Fraction(float(pair.high[index])) + Fraction(float(pair.low[index]))
