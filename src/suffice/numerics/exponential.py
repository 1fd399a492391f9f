"""Exponentials and logarithms inside a loop: arithmetic that a compiler turns into vectors, unlike a call.

    x = n log 2 + r with |r| <= log(2) / 2,      exp(x) = 2^n exp(r),      exp(r) by its series

The error is below 1e-15 of the result. Numbers below -708 give what -708 gives (3e-308); larger ones than 700 are not
asked for.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.numerics.arrays import Array
from suffice.numerics.loop import fma, inner, instruction

LEAST = -708.0
HIGH, LOW = 0.693147180369123816490, 1.90821492927058770002e-10  # log 2, its first bits exactly and the rest
SHIFT = 6755399441055744.0  # 1.5 * 2^52: added to a number, it leaves the nearest whole number in the last bits


def two_to(n: float) -> float:
    """2^n for a whole number n from -1022 to 1023.

    >>> two_to(-2.0)
    0.25
    """
    return float(2.0**n)


@instruction(two_to)
def _two_to(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """The exponent of a double, put together from the last bits of n + SHIFT + 1023."""
    number = arguments[0].type
    word = context.get_value_type(_integers())
    bits = builder.bitcast(builder.fadd(arguments[0], number(SHIFT + 1023.0)), word)
    return builder.bitcast(builder.shl(bits, word(52)), number)


def _integers() -> Any:
    from numba import types

    kinds: Any = types
    return kinds.int64


@inner
def exponential(x: float) -> float:
    """exp(x) for x up to 700.

    >>> from math import exp
    >>> abs(exponential(-1.5) / exp(-1.5) - 1) < 1e-15
    True
    """
    x = x if not x < LEAST else LEAST  # what is not a number stays so
    n = (x * 1.4426950408889634 + SHIFT) - SHIFT
    r = fma(-n, LOW, fma(-n, HIGH, x))
    s = 1.0 / 6227020800.0
    s = fma(s, r, 1.0 / 479001600.0)
    s = fma(s, r, 1.0 / 39916800.0)
    s = fma(s, r, 1.0 / 3628800.0)
    s = fma(s, r, 1.0 / 362880.0)
    s = fma(s, r, 1.0 / 40320.0)
    s = fma(s, r, 1.0 / 5040.0)
    s = fma(s, r, 1.0 / 720.0)
    s = fma(s, r, 1.0 / 120.0)
    s = fma(s, r, 1.0 / 24.0)
    s = fma(s, r, 1.0 / 6.0)
    s = fma(s, r, 0.5)
    s = fma(s, r, 1.0)
    s = fma(s, r, 1.0)
    return s * two_to(n)


@inner
def exponentials(logs: Array, K: int, floor: bool, top: Array, total: Array) -> None:
    """Of K logs side by side (K, n): exp(log - top) in their place, with the largest and the sum of each column.

    With `floor` there is one more in each column, which is 0 and has no place.
    """
    n = len(top)
    for r in range(n):
        top[r] = 0.0 if floor else logs[0, r]
    for k in range(K):
        for r in range(n):
            top[r] = max(top[r], logs[k, r])
    for r in range(n):
        total[r] = exponential(-top[r]) if floor else 0.0
    for k in range(K):
        for r in range(n):
            logs[k, r] = exponential(logs[k, r] - top[r])
            total[r] += logs[k, r]


@inner
def sum_of_logs(values: Array, n: int) -> float:
    """Of the first n values, from 1 to 1e19 each: the log of sixteen at a time, as one log takes as long as much else.

    >>> float(round(sum_of_logs(np.array([2.0, 3.0, 7.0]), 2), 6))
    1.791759
    """
    total, product = 0.0, 1.0
    for r in range(n):
        product *= values[r]
        if r % 16 == 15 or r == n - 1:
            total += np.log(product)
            product = 1.0
    return total
