"""Work in threads, of which the caller is one; no other outlives the call, so that a process that forks loses none."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from threading import Lock, Thread
from typing import Generic, TypeVar

I = TypeVar("I")  # noqa: E741
T = TypeVar("T")


def processors() -> int:
    """How many processors this process may use."""
    allowed = getattr(os, "sched_getaffinity", None)  # not on every system
    return len(allowed(0)) if allowed is not None else os.cpu_count() or 1


def in_threads(work: Callable[[I, Callable[[], bool]], T], items: Sequence[I], threads: int) -> list[T]:
    """Work on each item, told by its second argument whether to go on; results are in the order of the items.

    The error of the earliest item is raised as it is, as if there were one thread. A thread that the caller waits for
    may be put on the processor of another, and begin milliseconds late; the caller has one of its own.

    >>> in_threads(lambda item, go_on: 2 * item, [1, 2, 3], threads=2)
    [2, 4, 6]
    """
    if len(items) == 1 or threads == 1:
        return [work(item, _always) for item in items]
    tasks = _Tasks(work, items)
    others = [Thread(target=tasks.work_off) for _ in range(min(threads, len(items)) - 1)]
    begun: list[Thread] = []
    try:
        with suppress(RuntimeError):  # the system has no thread left: those there are do the work
            for thread in others:
                thread.start()
                begun.append(thread)
        tasks.work_off()
    except BaseException:
        tasks.interrupted = True
        raise
    finally:
        for thread in begun:
            while thread.is_alive():  # in short turns, as the signal of Ctrl-C does not wake a lock everywhere
                thread.join(timeout=0.05)
    return tasks.results()


def _always() -> bool:
    """Nobody else can give up."""
    return True


class _Tasks(Generic[I, T]):
    """Items, taken one after the other, and what came of them."""

    def __init__(self, work: Callable[[I, Callable[[], bool]], T], items: Sequence[I]) -> None:
        """Nothing is done yet."""
        self.work, self.items = work, items
        self.done: dict[int, T] = {}
        self.failed: dict[int, BaseException] = {}
        self.taken, self.lock, self.interrupted = 0, Lock(), False

    def work_off(self) -> None:
        """Take items while there are any."""
        while (at := self._next()) is not None:
            try:
                self.done[at] = self.work(self.items[at], partial(self._goes_on, at))
            except BaseException as error:
                self.failed[at] = error
                self.interrupted |= not isinstance(error, Exception)  # everybody ends with the block they are at

    def results(self) -> list[T]:
        """In order; or the error of the earliest item that has one."""
        if self.failed:
            raise self.failed[min(self.failed)]
        return [self.done[at] for at in range(len(self.items))]

    def _next(self) -> int | None:
        with self.lock:
            at = self.taken
            if at == len(self.items) or not self._goes_on(at):
                return None
            self.taken += 1
            return at

    def _goes_on(self, at: int) -> bool:
        """Whether neither an earlier item nor the caller has given up."""
        return not self.interrupted and all(at < other for other in list(self.failed))
