"""All or nothing: an estimator that fails, or is interrupted, is as it was before; and one change at a time.

A verb reads what was learned, adds to it and puts the sum back; of two at once, one would be lost, so that what changes
a model waits for what is changing it. Nobody who only reads waits. The lock is no attribute: parameters, copies,
clones, pickles and files know nothing of it, and each copy has its own.
"""

from __future__ import annotations

import os
import weakref
from contextlib import AbstractContextManager
from threading import Lock, RLock
from typing import Any

from suffice.core.errors import BadCell

_locks: dict[int, Any] = {}  # by the identity of each living estimator that ever changed
_guard = Lock()


class alone(AbstractContextManager[None]):
    """Nobody else changes the estimator meanwhile; a verb may call another of its own."""

    __slots__ = ("estimator", "lock")  # a class, as a generator costs small fits four times as much

    def __init__(self, estimator: Any) -> None:
        """Take the estimator."""
        self.estimator = estimator

    def __enter__(self) -> None:
        """Wait for whoever changes it."""
        self.lock = _lock_of(self.estimator)
        self.lock.acquire()

    def __exit__(self, *error: Any) -> None:
        """Let others go on."""
        self.lock.release()


def _lock_of(estimator: Any) -> Any:
    with _guard:
        lock = _locks.get(id(estimator))
        if lock is None:
            lock = _locks[id(estimator)] = RLock()
            weakref.finalize(estimator, _locks.pop, id(estimator), None).atexit = False
        return lock


def _start_anew() -> None:
    """A forked process has one thread: nobody is left there who could open what was locked."""
    global _guard
    _guard = Lock()
    for key in _locks:
        _locks[key] = RLock()


if hasattr(os, "register_at_fork"):  # not on every system
    os.register_at_fork(after_in_child=_start_anew)


class all_or_nothing(alone):
    """Put every attribute back if the block does not end well. Values are replaced, never written: that is enough.

    Another thread that wants to change the estimator waits; one that only predicts does not.
    """

    __slots__ = ("before",)

    def __enter__(self) -> None:
        """Begin, once nobody else changes it."""
        super().__enter__()
        try:
            self.before = dict(vars(self.estimator))
        except BaseException:
            self.lock.release()
            raise

    def __exit__(self, kind: type[BaseException] | None, error: object = None, *where: object) -> None:
        """Be as before after any error, an interruption too; let others go on. A cell is refused by who was asked."""
        try:
            if isinstance(error, BadCell) and error.owner == "X":
                error.say(owner=self.estimator._owner)
            if kind is not None:  # in one step, so that a thread that predicts finds all or nothing of it too
                self.estimator.__dict__ = self.before
        finally:
            self.lock.release()
