"""Work on tables (K, V) some components at a time, so that they stay in the cache; in threads where a table is large.

A thread has settings of NumPy's errors of its own: what is to be silent says so itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from suffice.numerics.arrays import Array
from suffice.numerics.blas_threads import threads_of_ours
from suffice.numerics.threads import in_threads

LARGE = 1 << 18  # numbers from which another thread is worth waking
AT_ONCE = 16_384  # numbers that stay in the cache


def runs_of(table: Array) -> list[slice]:
    """Runs of components of a table (K, ..) that stay in the cache, or one component each."""
    step = max(AT_ONCE // max(table[:1].size, 1), 1)
    return [slice(k, k + step) for k in range(0, len(table), step)]


def by_components(work: Callable[[slice], None], cuts: Sequence[slice], numbers: int) -> None:
    """Work on each run of components of a table with so many numbers.

    >>> done = []
    >>> by_components(lambda some: done.append(some.stop), [slice(0, 1), slice(1, 2)], numbers=10)
    >>> done
    [1, 2]
    """
    in_threads(lambda some, go_on: work(some), cuts, threads_of_ours() if numbers >= LARGE else 1)
