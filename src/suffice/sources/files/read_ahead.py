"""Reading ahead: threads make the next items while the last ones are worked on, and what they make comes in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from queue import Empty, Queue
from threading import Event, Thread
from typing import Any, NamedTuple, TypeVar

DEPTH = 2  # items that wait
PATIENCE = 5.0  # seconds to wait for a thread that is still reading when nobody wants its items any more

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


class _Said(NamedTuple):
    """What the thread has to say: an item, an error, or neither at the end."""

    item: Any = None
    error: BaseException | None = None
    end: bool = False


def read_ahead(items: Iterator[T], depth: int = DEPTH) -> Iterator[T]:
    """The same items in the same order, made in a thread of their own, at most `depth` ahead.

    An error is raised where its item would have come. The thread ends with the iteration, however that ends; only one
    that waits for a stream that does not answer is left behind, and it does not keep the process alive.

    >>> list(read_ahead(iter("abc")))
    ['a', 'b', 'c']
    """
    said: Queue[_Said] = Queue(depth)
    stopped = Event()
    thread = Thread(target=_work, args=(items, said.put, stopped), name="suffice-read-ahead", daemon=True)
    thread.start()
    try:
        while not (got := said.get()).end:
            if got.error is not None:
                raise got.error
            yield got.item
    finally:
        stopped.set()
        with suppress(Empty):  # room for what the thread may be about to say
            while True:
                said.get_nowait()
        thread.join(PATIENCE)


def _work(items: Iterator[Any], say: Callable[[_Said], None], stopped: Event) -> None:
    try:
        try:
            for item in items:
                say(_Said(item))
                if stopped.is_set():
                    return
        finally:
            getattr(items, "close", _nothing)()  # closes the file in the thread that reads it
    except BaseException as error:
        say(_Said(error=error))
    else:
        say(_Said(end=True))


def _nothing() -> None:
    pass
