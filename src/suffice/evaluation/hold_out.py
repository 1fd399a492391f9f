"""Which rows are held out: a question of the row's number and a seed alone, so that any chunking holds out the same.

held out  <=>  mix(seed + (row + 1) * GOLDEN) / 2^64 < share        (splitmix64; all arithmetic modulo 2^64)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad

GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # 2^64 over the golden ratio, made odd
_STEPS = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB))
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
    share, seed = checked_share(share), checked_seed(seed)
    rows = np.arange(start, start + n, dtype=np.uint64)
    return (scrambled(rows, seed) >> np.uint64(11)).astype(np.float64) * 2.0**-53 < share


def scrambled(rows: Array, seed: int) -> Array:
    """The output number `row` of the generator splitmix64 that starts at `seed` (n,) uint64."""
    z = np.uint64(seed) + (rows + np.uint64(1)) * GOLDEN
    for shift, factor in _STEPS:
        z = (z ^ (z >> np.uint64(shift))) * np.uint64(factor)
    return np.asarray(z ^ (z >> np.uint64(31)))


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
