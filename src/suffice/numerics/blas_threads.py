"""How many threads other libraries take: matrix products one each where several threads multiply at once.

Otherwise every product would ask for all processors, and they would wait for one another: five times as long. Loops of
OpenMP take one because the others outlive the call, and a process that forks then waits for them for ever.
"""

from __future__ import annotations

import sys
import threading
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import Any

from numpy import ndarray

SMALL = 256  # columns up to which more threads than one only delay what is solved, and what comes after it
FEW = 1 << 17  # cells of a table, likewise


def one_thread_if_small(columns: int) -> AbstractContextManager[None]:
    """Where matrices have few columns, what is solved inside takes one thread.

    Others would be woken for it and go on waiting for work, in the way of the threads that read the next rows.
    """
    return one_thread_each() if columns <= SMALL else nullcontext()


def one_thread_if_few(cells: int) -> AbstractContextManager[None]:
    """The same where a table has few cells: its products end sooner than another thread wakes up."""
    return one_thread_each() if cells <= FEW else nullcontext()


def one_thread_if_small_table(X: Any) -> AbstractContextManager[None]:
    """Both, where rows are an array: for all that a fit does, as each change of the number costs a percent of it."""
    few = type(X) is ndarray and X.ndim == 2 and X.size < FEW and X.shape[1] <= SMALL
    return one_thread_each() if few else nullcontext()


def one_thread_each() -> AbstractContextManager[None]:
    """Products inside take one thread each; nothing changes where nobody can tell how many they take."""
    return _Limited("blas", "scipy.linalg")


def one_thread_a_loop() -> AbstractContextManager[None]:
    """Loops of scikit-learn inside take one thread and leave none behind, so that the process may fork."""
    return _Limited("openmp", "sklearn.cluster")


class _Limited(AbstractContextManager[None]):
    """One thread for libraries of a kind; set directly, as asking for all they can tell costs more than a small fit."""

    __slots__ = ("kind", "loaded", "many", "outer")

    def __init__(self, kind: str, brought_by: str) -> None:
        """Take the kind, and the package that brings more of it."""
        self.kind, self.loaded = kind, brought_by in sys.modules

    def __enter__(self) -> None:
        """Begin; inside of another of the same kind and thread there is nothing to do."""
        self.outer, self.many = getattr(_inside, self.kind, False), []
        if self.outer:
            return
        setattr(_inside, self.kind, True)
        before = [(library, library.get_num_threads()) for library in _libraries(self.kind, self.loaded)]
        self.many = [(library, threads) for library, threads in before if threads not in (1, None)]
        for library, _ in self.many:
            library.set_num_threads(1)

    def __exit__(self, *error: object) -> None:
        """Be as before."""
        setattr(_inside, self.kind, self.outer)
        for library, threads in self.many:
            library.set_num_threads(threads)


_inside = threading.local()  # whether this thread is inside, by kind


@cache
def _libraries(kind: str, brought: bool) -> tuple[Any, ...]:
    """Which libraries of a kind are loaded so far; a package that is loaded later brings more."""
    try:
        from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]
    except ImportError:
        return ()
    return tuple(library for library in ThreadpoolController().lib_controllers if library.user_api == kind)
