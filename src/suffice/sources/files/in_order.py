"""Several things done at a time, and their results in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")
U = TypeVar("U")


def in_order(work: Callable[[T], U], items: Iterator[T], threads: int) -> Iterator[U]:
    """The work on each item, as many at a time as there are threads; results and errors come in the order of the items.

    >>> list(in_order(str.upper, iter("abc"), 2))
    ['A', 'B', 'C']
    """
    if threads == 1:
        yield from map(work, items)
        return
    waiting: deque[Future[U]] = deque()
    with ThreadPoolExecutor(threads, thread_name_prefix="suffice-split") as pool:
        try:
            for item in items:
                waiting.append(pool.submit(work, item))
                if len(waiting) == threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
