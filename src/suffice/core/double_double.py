"""Double-double arithmetic on arrays: a number is the unevaluated sum of a high and a low float64.

Relative error about 2^-104 per operation, for numbers up to 2^996 (6e299) whose products are above 2^-968 (4e-292);
beyond that the error of a product is lost. Products are split after Dekker, so no fused multiply-add is needed.
Reference: T. J. Dekker, A floating-point technique for extending the available precision (1971).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.registry import saved

SPLIT = 134217729.0  # 2^27 + 1


@saved
class Pair(NamedTuple):
    """high + low, with |low| at most half a unit in the last place of high.

    >>> third = exact(np.array(1.0)) / exact(np.array(3.0))
    >>> (third * exact(np.array(3.0)) - exact(np.array(1.0))).value < 2.0**-100
    np.True_
    """

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
        """Quotient of two pairs, digit by digit; 0 where the divisor is 0."""
        divides = other.high != 0.0
        divisor = np.where(divides, other.high, 1.0)
        first = exact(np.where(divides, self.high / divisor, 0.0))
        rest = self - other * first
        second = exact(np.where(divides, rest.high / divisor, 0.0))
        rest = rest - other * second
        return quick(first.high, second.high) + exact(np.where(divides, rest.high / divisor, 0.0))

    def where(self, keep: Array) -> Pair:
        """The pair where `keep` holds, else exactly 0."""
        return Pair(np.where(keep, self.high, 0.0), np.where(keep, self.low, 0.0))

    def sum(self, axis: int = 0) -> Pair:
        """Sum along an axis by halves: as many additions of pairs as its length has bits."""
        high, low = np.moveaxis(self.high, axis, 0), np.moveaxis(self.low, axis, 0)
        if not len(high):
            return exact(np.zeros(high.shape[1:]))
        while len(high) > 1:
            half = len(high) // 2
            added = Pair(high[:half], low[:half]) + Pair(high[half : 2 * half], low[half : 2 * half])
            high = np.concatenate([added.high, high[2 * half :]])
            low = np.concatenate([added.low, low[2 * half :]])
        return Pair(high[0], low[0])

    @property
    def value(self) -> Array:
        """Rounded to one float64."""
        return self.high + self.low


def exact(value: Array | float) -> Pair:
    """A float64 as a pair."""
    value = np.asarray(value, dtype=np.float64)
    return Pair(value, np.zeros_like(value))


def stack(pairs: Sequence[Pair]) -> Pair:
    """Pairs of one shape along a new first axis."""
    return Pair(*(np.stack(half) for half in zip(*pairs, strict=True)))


def times(some: Pair, matrix: Array) -> Pair:
    """Rows of pairs (..., d) times a matrix of plain numbers (d, m), each product and each sum as a pair.

    >>> times(exact(np.array([1e16, 1.0])), np.array([[1.0], [1.0]])) - exact(np.array([1e16]))
    Pair(high=array([1.]), low=array([0.]))
    """
    total = exact(np.zeros((*some.high.shape[:-1], matrix.shape[1])))
    for j, row in enumerate(matrix):
        total = total + Pair(*(half[..., j, None] for half in some)) * exact(row)
    return total


def bincount(codes: Array, weights: Array, K: int) -> Pair:
    """`np.bincount` as a pair: the sum of the weights of each code, to about 100 bits of the largest weight.

    The bits of the weights are added 26 at a time, which up to 2^27 of them allow without rounding.
    """
    _, exponent = np.frexp(np.abs(weights).max(initial=0.0))
    total, rest = exact(np.zeros(K)), weights
    for unit in (np.ldexp(1.0, max(int(exponent), -900) - bits) for bits in (26, 52)):
        top = np.rint(rest / unit) * unit
        total, rest = total + exact(np.bincount(codes, top, K)), rest - top
    return total + exact(np.bincount(codes, rest, K))


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
