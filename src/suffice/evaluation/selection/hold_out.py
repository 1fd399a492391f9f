"""Which rows are held out: a question of the row's number and a seed alone, so that any chunking holds out the same.

held out  <=>  mix(seed + (row + 1) * GOLDEN) / 2^64 < share        (splitmix64; all arithmetic modulo 2^64)

Where every class gives its share, the rows of a class are cut, as they come, into runs of about 1 / share rows, and one
row of each run is held out, which one the seed decides.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any
from zlib import crc32

import numpy as np

from suffice.core.block import Array, Coded
from suffice.core.errors import bad
from suffice.core.folds import scrambled
from suffice.sources.tables.labels import code_labels

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


FINEST = 1_000_000  # shares are rounded to a fraction with at most this denominator, so that runs are exact


def stratified_hold_out(y: Any, share: float, seed: int = 0) -> Array:
    """Whether each row is held out (n,), such that every class gives its share, to within one row.

    Parameters
    ----------
    y : one label a row
    share : the part of the rows of each class to hold out, from 0 to 1
    seed : a whole number from 0 to 2^64 - 1

    >>> held = stratified_hold_out(["ham"] * 10 + ["spam"] * 5, 0.2)
    >>> int(held[:10].sum()), int(held[10:].sum())
    (2, 1)
    """
    return StratifiedHoldOut(share, seed).held(code_labels(y))


@dataclass
class StratifiedHoldOut:
    """Goes through rows chunk after chunk, and counts the rows of each class as it goes.

    Parameters
    ----------
    share, seed : as for `stratified_hold_out`
    """

    share: float
    seed: int = 0
    _met: dict[Hashable, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Check the parameters."""
        self.share, self.seed = checked_share(self.share), checked_seed(self.seed)

    def begin(self, met: Mapping[Hashable, int]) -> None:
        """Go on after so many rows of each label."""
        self._met = dict(met)

    def held(self, y: Coded) -> Array:
        """Whether each row of the next chunk is held out (n,); rows without label (-1) are not."""
        out = np.zeros(len(y.codes), dtype=bool)
        for code, label in enumerate(y.labels[0]):
            rows = np.flatnonzero(y.codes[:, 0] == code)
            before = self._met.get(label, 0)
            out[rows] = self._chosen(np.arange(before, before + len(rows)), label)
            self._met[label] = before + len(rows)
        return out

    def _chosen(self, numbers: Array, label: Hashable) -> Array:
        """Whether the rows with these numbers within their class are the chosen ones of their runs."""
        part = Fraction(self.share).limit_denominator(FINEST)
        if part == 0:
            return np.zeros(len(numbers), dtype=bool)
        run = numbers * part.numerator // part.denominator
        start, stop = (-(-number * part.denominator // part.numerator) for number in (run, run + 1))
        seed = self.seed ^ crc32(repr(label).encode())
        chosen = scrambled(run.astype(np.uint64), seed) % (stop - start).astype(np.uint64)
        return np.asarray(numbers - start == chosen.astype(np.int64))
