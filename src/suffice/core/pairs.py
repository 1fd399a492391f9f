"""Double-double arithmetic on arrays: a number is the unevaluated sum of a high and a low float64.

Relative error about 2^-104 per operation. Products are split after Dekker, so no fused multiply-add is needed.
Reference: T. J. Dekker, A floating-point technique for extending the available precision (1971).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.registry import saved

SPLIT = 134217729.0  # 2^27 + 1


@saved
class Pair(NamedTuple):
    """high + low, with |low| at most half a unit in the last place of high."""

    high: Array
    low: Array

    def __add__(self, other: Pair) -> Pair:  # type: ignore[override]
        """Sum of two pairs."""
        high, error = two_sum(self.high, other.high)
        low, error_low = two_sum(self.low, other.low)
        high, low = quick(high, error + low)
        return quick(high, low + error_low)

    def __neg__(self) -> Pair:
        """The negative."""
        return Pair(-self.high, -self.low)

    def __sub__(self, other: Pair) -> Pair:
        """Difference of two pairs."""
        return self + (-other)

    def __mul__(self, other: Pair) -> Pair:  # type: ignore[override]
        """Product of two pairs."""
        high, error = two_product(self.high, other.high)
        return quick(high, error + (self.high * other.low + self.low * other.high))

    def __truediv__(self, other: Pair) -> Pair:
        """Quotient of two pairs; 0 where the divisor is 0."""
        divisor = np.where(other.high == 0.0, 1.0, other.high)
        first = np.where(other.high == 0.0, 0.0, self.high / divisor)
        rest = self - other * Pair(first, np.zeros_like(first))
        second = np.where(other.high == 0.0, 0.0, rest.high / divisor)
        rest = rest - other * Pair(second, np.zeros_like(second))
        return quick(first, second) + exact(np.where(other.high == 0.0, 0.0, rest.high / divisor))

    def where(self, keep: Array) -> Pair:
        """The pair where `keep` holds, else exactly 0."""
        return Pair(np.where(keep, self.high, 0.0), np.where(keep, self.low, 0.0))

    def sum(self, axis: int = 0) -> Pair:
        """Sum along an axis, one slice at a time."""
        high, low = np.moveaxis(self.high, axis, 0), np.moveaxis(self.low, axis, 0)
        total = exact(np.zeros(high.shape[1:]))
        for slice_high, slice_low in zip(high, low, strict=True):
            total = total + Pair(slice_high, slice_low)
        return total

    @property
    def value(self) -> Array:
        """Rounded to one float64."""
        return self.high + self.low


def exact(value: Array) -> Pair:
    """A float64 as a pair."""
    value = np.asarray(value, dtype=np.float64)
    return Pair(value, np.zeros_like(value))


def two_sum(a: Array, b: Array) -> Pair:
    """a + b and the error of that sum, exactly (Knuth)."""
    high = a + b
    part = high - a
    return Pair(high, (a - (high - part)) + (b - part))


def quick(a: Array, b: Array) -> Pair:
    """a + b and its error where |a| >= |b|."""
    high = a + b
    return Pair(high, b - (high - a))


def two_product(a: Array, b: Array) -> Pair:
    """a * b and the error of that product, exactly (Dekker)."""
    high = a * b
    a1 = SPLIT * a
    a1 = a1 - (a1 - a)
    b1 = SPLIT * b
    b1 = b1 - (b1 - b)
    a2, b2 = a - a1, b - b1
    return Pair(high, ((a1 * b1 - high) + a1 * b2 + a2 * b1) + a2 * b2)
