"""Exact rationals: what the arithmetic of the library is measured against."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

Exact = Fraction


def mean(x: Iterable[float], w: Iterable[float] | None = None) -> Exact:
    """Weighted mean."""
    cells = [Fraction(v) for v in x]
    weights = [Fraction(1)] * len(cells) if w is None else [Fraction(v) for v in w]
    return sum((a * b for a, b in zip(cells, weights, strict=True)), Fraction(0)) / sum(weights)


def scatter(x: Sequence[float], w: Sequence[float] | None = None) -> Exact:
    """Weighted sum of squares about the mean."""
    centre = mean(x, w)
    weights = [1.0] * len(x) if w is None else w
    return sum((Fraction(b) * (Fraction(a) - centre) ** 2 for a, b in zip(x, weights, strict=True)), Fraction(0))


def variance(x: Sequence[float], w: Sequence[float] | None = None) -> Exact:
    """Scatter over weight."""
    weights = [1.0] * len(x) if w is None else w
    return scatter(x, w) / sum(map(Fraction, weights))


def off(found: float, true: Exact) -> float:
    """Relative error of a float."""
    return float(abs(Fraction(found) - true) / abs(true)) if true else float(found != 0.0)


def pair_off(high: float, low: float, true: Exact, unit: Exact) -> float:
    """Error of an unevaluated pair, in units of `unit`."""
    return float(abs(Fraction(high) + Fraction(low) - true) / unit)
