"""The order in which rows are visited: as they come, or shuffled in the way of scikit-learn's stochastic gradients.

One draw of a permutation is applied again and again, so that each sweep has another order and a seed tells all of them.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from suffice.core.block import Array
from suffice.numerics.loop import loop

SHUFFLED = 100  # cells: what a step of the shuffle costs without a compiler


def as_they_come(n: int) -> Iterator[Array]:
    """The same order in every sweep."""
    order = np.arange(n, dtype=np.int64)
    while True:
        yield order


def shuffled(n: int, seed: int) -> Iterator[Array]:
    """Another order in every sweep.

    >>> orders = shuffled(5, 7)
    >>> next(orders).tolist(), next(orders).tolist()
    ([3, 4, 1, 2, 0], [2, 0, 4, 1, 3])
    """
    draw = np.arange(n, dtype=np.int64)
    if _exchange.pays(SHUFFLED * n):
        _exchange(draw, seed)
    else:
        _exchange.instead(_exchange.plain, draw, seed)
    order = draw
    while True:
        yield order
        order = order[draw]


@loop
def _exchange(draw, seed):  # type: ignore[no-untyped-def]
    """Fisher's and Yates' shuffle, with a generator of 32 bits by shifts and exclusive or (Marsaglia, 2003)."""
    n, state = len(draw), seed if seed else 1
    for i in range(n - 1):
        state = (state ^ (state << 13)) & 0xFFFFFFFF
        state = state ^ (state >> 17)
        state = (state ^ (state << 5)) & 0xFFFFFFFF
        j = i + (state & 0x7FFFFFFF) % (n - i)
        draw[i], draw[j] = draw[j], draw[i]
