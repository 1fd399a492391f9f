"""All or nothing: an estimator that fails, or is interrupted, is as it was before; and one change at a time.

A verb reads what was learned, adds to it and puts the sum back; of two at once, one would be lost, so that what changes
a model waits for what is changing it. Nobody who only reads waits. The lock is no attribute: parameters, copies,
clones, pickles and files know nothing of it, and each copy has its own.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock, RLock
from typing import Any

_locks: dict[int, Any] = {}  # by the identity of each living estimator that ever changed
_guard = Lock()


@contextmanager
def alone(estimator: Any) -> Iterator[None]:
    """Nobody else changes the estimator meanwhile; a verb may call another of its own."""
    with _lock_of(estimator):
        yield


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


@contextmanager
def all_or_nothing(estimator: Any) -> Iterator[None]:
    """Put every attribute back if the block does not end well. Values are replaced, never written: that is enough.

    Another thread that wants to change the estimator waits; one that only predicts does not.
    """
    with alone(estimator):
        before = dict(vars(estimator))
        try:
            yield
        except BaseException:  # an interruption too
            estimator.__dict__ = before  # in one step, so that a thread that predicts finds all or nothing of it too
            raise
