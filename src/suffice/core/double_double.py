"""Double-double arithmetic on arrays: a number is the unevaluated sum of a high and a low float64.

Relative error about 2^-104 per operation, for numbers up to 2^996 (6e299) whose products are above 2^-968 (4e-292);
beyond that the error of a product is lost. Products are split after Dekker, so no fused multiply-add is needed.
Reference: T. J. Dekker, A floating-point technique for extending the available precision (1971).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, exp, log
from typing import NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.registry import saved

SPLIT = 134217729.0  # 2^27 + 1
RUN = 16  # numbers that are added one after the other before what they lose is added up
FEW = 16  # numbers side by side below which NumPy's own accumulation is faster


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
        high, error = two_difference(self.high, other.high)
        low, error_low = two_difference(self.low, other.low)
        high, low = quick(high, error + low)
        return quick(high, low + error_low)

    def __mul__(self, other: Pair) -> Pair:  # type: ignore[override]
        """Product of two pairs."""
        high, error = two_product(self.high, other.high)
        return quick(high, error + (self.high * other.low + self.low * other.high))

    def __truediv__(self, other: Pair) -> Pair:
        """Quotient of two pairs: one in float64, and what it leaves divided again; 0 where the divisor is 0."""
        if not other.high.all():
            divides = other.high != 0.0
            return (self / Pair(np.where(divides, other.high, 1.0), np.where(divides, other.low, 0.0))).where(divides)
        first = self.high / other.high
        taken, error = two_product(first, other.high)
        rest = ((self.high - taken) - error) + (self.low - first * other.low)  # the first difference does not round
        return quick(first, rest / other.high)

    def plus(self, number: Array | float) -> Pair:
        """Sum with plain numbers: half the work."""
        high, error = two_sum(self.high, number)
        return quick(high, error + self.low)

    def by(self, number: Array) -> Pair:
        """Product with plain numbers."""
        high, error = two_product(self.high, number)
        return quick(high, error + self.low * number)

    def square(self) -> Pair:
        """Product with itself: half the work."""
        high, a = self.high * self.high, SPLIT * self.high
        a = a - (a - self.high)
        b = self.high - a
        error = ((a * a - high) + 2.0 * (a * b)) + b * b
        return quick(high, error + 2.0 * (self.high * self.low))

    def where(self, keep: Array) -> Pair:
        """The pair where `keep` holds, else exactly 0."""
        return Pair(np.where(keep, self.high, 0.0), np.where(keep, self.low, 0.0))

    def sum(self, axis: int = 0) -> Pair:
        """Sum along an axis, by runs of at most `RUN` terms, then by runs of their sums."""
        high, low = self if axis == 0 else (np.moveaxis(half, axis, 0) for half in self)
        if not len(high):
            return exact(np.zeros(high.shape[1:]))
        while (n := len(high)) > 1:
            runs = 1 if n <= RUN else -(-n // even_run(n))
            shape = -(-n // runs), runs, *high.shape[1:]
            high, low = run_totals(*(padded(half, shape[0] * runs).reshape(shape) for half in (high, low)))
        return Pair(high[0], low[0])

    @property
    def value(self) -> Array:
        """Rounded to one float64."""
        return self.high + self.low


def run_totals(high: Array, low: Array | None = None) -> Pair:
    """Sums of pairs along the first axis: high parts one after the other, all errors and low parts beside them.

    What n additions round off is below n 2^-53 of the sum, and adding it up errs by n 2^-106 of it: as little as adding
    pairs does if n is small, in a third of the operations.
    Reference: T. Ogita, S. M. Rump, S. Oishi, Accurate sum and dot product (2005).
    """
    if len(high) == 1:
        return Pair(high[0], np.zeros(high.shape[1:]) if low is None else low[0])
    so_far = np.add.accumulate(high) if high[0].size < FEW else _accumulated(high)
    before, after, added = so_far[:-1], so_far[1:], high[1:]
    part = after - before
    lost = before - (after - part)
    lost += added - part
    rest = np.add.reduce(lost)
    return quick(so_far[-1], rest if low is None else rest + np.add.reduce(low))


def _accumulated(terms: Array) -> Array:
    """Sums so far along the first axis; faster than `np.add.accumulate`, which goes number by number."""
    out = np.empty_like(terms)
    out[0] = terms[0]
    for before, term, after in zip(out, terms[1:], out[1:], strict=False):
        np.add(before, term, out=after)
    return out


def even_run(n: int) -> int:
    """How many of n terms to add at a time, so that all runs of runs are of about one length, at most `RUN`."""
    levels = ceil(log(n) / log(RUN) - 1e-9)
    return ceil(exp(log(n) / max(levels, 1)) - 1e-9)


def padded(terms: Array, n: int) -> Array:
    """The same with zeros after them, n in all."""
    if len(terms) == n:
        return terms
    out = np.zeros((n, *terms.shape[1:]))
    out[: len(terms)] = terms
    return out


def exact(value: Array | float) -> Pair:
    """A float64 as a pair."""
    value = np.asarray(value, dtype=np.float64)
    return Pair(value, np.zeros(value.shape))


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


def two_sum(a: Array, b: Array | float) -> Pair:
    """a + b and the error of that sum, exactly (Knuth)."""
    high = a + b
    part = high - a
    return Pair(high, (a - (high - part)) + (b - part))


def two_difference(a: Array, b: Array) -> Pair:
    """a - b and the error of that difference, exactly."""
    high = a - b
    part = high - a
    return Pair(high, (a - (high - part)) - (b + part))


def quick(a: Array, b: Array) -> Pair:
    """a + b and its error where |a| >= |b|."""
    high = a + b
    return Pair(high, b - (high - a))


def two_product(a: Array, b: Array) -> Pair:
    """a * b and the error of that product, exactly (Dekker)."""
    high, a1, b1 = a * b, SPLIT * a, SPLIT * b
    a1, b1 = a1 - (a1 - a), b1 - (b1 - b)  # `halves`, without the calls
    a2, b2 = a - a1, b - b1
    return Pair(high, ((a1 * b1 - high) + a1 * b2 + a2 * b1) + a2 * b2)


def halves(a: Array) -> tuple[Array, Array]:
    """Two numbers of 26 bits that add up to a: products of such numbers do not round (Dekker)."""
    first = SPLIT * a
    first = first - (first - a)
    return first, a - first
