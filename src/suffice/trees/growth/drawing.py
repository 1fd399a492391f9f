"""Random numbers that are functions of a seed and of where they are used: who runs first changes nothing."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.numerics.loop import inner

MASK = (1 << 64) - 1


def mixed(x: int) -> int:
    """A whole number of 64 bits, stirred."""
    x = (x + 0x9E3779B97F4A7C15) & MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


def mixed_array(x: Array) -> Array:
    """The same of an array of uint64."""
    with np.errstate(over="ignore"):
        x = x + np.uint64(0x9E3779B97F4A7C15)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return np.asarray(x ^ (x >> np.uint64(31)))


@inner
def stirred(x: Any) -> Any:
    """The same inside a loop, where numbers of 64 bits wrap around."""
    x = x + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def child_key(key: int, child: int) -> int:
    """The key of a child of a node."""
    return mixed(key ^ (child + 1))


def drawn_columns(key: int, d: int) -> list[int]:
    """All columns in an order that the key of a node decides."""
    order, state = list(range(d)), key
    for i in range(d - 1):
        state = mixed(state)
        j = i + state % (d - i)
        order[i], order[j] = order[j], order[i]
    return order


def poisson_weights(seed: int, tree: int, numbers: Array) -> Array:
    """How often (n,) each row, by its number in the source, is drawn for a tree: Poisson of mean 1, by a hash.

    >>> poisson_weights(0, 3, np.arange(4)).shape
    (4,)
    """
    key = mixed(mixed(seed & MASK) ^ tree)
    bits = mixed_array(np.asarray(numbers).astype(np.uint64) ^ np.uint64(key))
    u = (bits >> np.uint64(11)).astype(np.float64) / 2.0**53
    out, term, upto = np.zeros(len(u)), float(np.exp(-1.0)), float(np.exp(-1.0))
    for k in range(1, 13):
        out += u >= upto
        term /= k
        upto += term
    return out
