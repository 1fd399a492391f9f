"""Which rows are held out: a question of the row's number and a seed alone, so that any chunking holds out the same.

held out  <=>  mix(seed + (row + 1) * GOLDEN) / 2^64 < share        (splitmix64; all arithmetic modulo 2^64)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.core.folds import scrambled

LARGEST = 2**64 - 1


def held_out(start: int, n: int, share: float, seed: int = 0) -> Array:
    """Whether each of n rows, the first of which has the number `start`, is held out (n,).

    Parameters
    ----------
    start : number of the first row in its source, from 0
    n : number of rows
    share : the part of all rows to hold out, from 0 to 1; how many of n rows it is varies as if by chance
    seed : a whole number from 0 to 2^64 - 1

    >>> whole = held_out(0, 1000, 0.2, seed=7)
    >>> int(whole.sum()), bool((held_out(400, 100, 0.2, seed=7) == whole[400:500]).all())
    (203, True)

    References
    ----------
    G. Steele, D. Lea and C. Flood, Fast splittable pseudorandom number generators (2014).
    """
    return held_numbers(np.arange(start, start + n), share, seed)


def held_numbers(numbers: Array, share: float, seed: int = 0) -> Array:
    """The same for rows of any numbers (n,)."""
    share, seed = checked_share(share), checked_seed(seed)
    return (scrambled(numbers.astype(np.uint64), seed) >> np.uint64(11)).astype(np.float64) * 2.0**-53 < share


def checked_share(share: Any) -> float:
    """A part of the whole."""
    if isinstance(share, bool) or not isinstance(share, (int, float, np.number)) or not 0.0 <= share <= 1.0:
        raise bad("held_out", "share", "a number from 0 to 1", share)
    return float(share)


def checked_seed(seed: Any) -> int:
    """A seed of 64 bits."""
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or not 0 <= seed <= LARGEST:
        raise bad("held_out", "seed", "a whole number from 0 to 2^64 - 1", seed)
    return int(seed)
