"""Sorting many floats: by their bits, byte by byte, which takes as long for any order of the numbers.

The bits of a float, read as a whole number, rise with the float if it is positive and fall if it is negative; with the
sign turned, or all bits where it is negative, they always rise. Eight passes put them in order, one byte each from the
lowest, and a byte that is the same in all numbers takes none.
"""

from __future__ import annotations

import numpy as np

from suffice.core.block import Array
from suffice.numerics.loop import loop, pays

BYTES, VALUES = 8, 256
BYTE = np.uint64(8)
LAST = np.uint64(63)
LOWEST = np.uint64(255)
SIGN = np.uint64(2**63)


def sort_floats(x: Array) -> None:
    """Sort float64 numbers in place, rising; none of them NaN.

    >>> x = np.array([2.0, -np.inf, -1.5, 0.0, np.inf])
    >>> sort_floats(x)
    >>> x
    array([-inf, -1.5,  0. ,  2. ,  inf])
    """
    if not pays(2 * len(x)):
        x.sort()
        return
    bits = x.view(np.uint64)
    radix_loop(bits, np.empty_like(bits), np.zeros((BYTES, VALUES), dtype=np.int64))


@loop
def radix_loop(bits, spare, counts):  # type: ignore[no-untyped-def]
    """Sort the bits of floats; `counts` are zeros, one row for each byte."""
    n = len(bits)
    for i in range(n):
        b = bits[i]
        b = b ^ SIGN if b >> LAST == 0 else ~b
        bits[i] = b
        for byte in range(8):
            counts[byte, b & LOWEST] += 1
            b = b >> BYTE
    here, there = bits, spare
    shift = BYTE - BYTE
    for byte in range(8):
        place = counts[byte]
        if place.max() < n:
            total = 0
            for value in range(256):
                count = place[value]
                place[value] = total
                total += count
            for i in range(n):
                b = here[i]
                value = (b >> shift) & LOWEST
                there[place[value]] = b
                place[value] += 1
            here, there = there, here
        shift = shift + BYTE
    for i in range(n):
        b = here[i]
        bits[i] = b ^ SIGN if b >> LAST == 1 else ~b
