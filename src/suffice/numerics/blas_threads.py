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
_here = threading.local()  # in this thread: how many of our own may work, and which libraries are limited


def one_thread_if_small(columns: int) -> AbstractContextManager[None]:
    """Where matrices have few columns, what is solved inside takes one thread.

    Others would be woken for it and go on waiting for work, in the way of the threads that read the next rows, and of
    those of other libraries: NumPy and SciPy have threads of their own, which wait for one another for 16 ms and more.
    """
    return _Limited("blas", "scipy.linalg", ours=True) if columns <= SMALL else nullcontext()


def one_thread_if_few(cells: int) -> AbstractContextManager[None]:
    """The same where a table has few cells: its products end sooner than another thread wakes up."""
    return one_thread_each() if cells <= FEW else nullcontext()


def one_thread_if_small_table(X: Any) -> AbstractContextManager[None]:
    """Both, where rows are an array: for all that a fit does, as each change of the number costs a percent of it."""
    few = type(X) is ndarray and X.ndim == 2 and X.size < FEW and min(X.shape) <= SMALL
    return one_thread_each() if few else nullcontext()


def one_thread_each() -> AbstractContextManager[None]:
    """Products inside take one thread each; nothing changes where nobody can tell how many they take."""
    return _Limited("blas", "scipy.linalg")


def threads_of_ours() -> int:
    """How many threads of our own a product may take: those that BLAS would, unless several work at once already."""
    given: int = getattr(_here, "given", 0)
    loaded = _libraries("blas", "scipy.linalg" in sys.modules)
    return given or max((library.get_num_threads() or 1 for library in loaded), default=1)


def one_thread_a_loop() -> AbstractContextManager[None]:
    """Loops of scikit-learn inside take one thread and leave none behind, so that the process may fork."""
    return _Limited("openmp", "sklearn.cluster")


class _Limited(AbstractContextManager[None]):
    """One thread for libraries of a kind; set directly, as asking for all they can tell costs more than a small fit."""

    __slots__ = ("given", "kind", "loaded", "many", "ours", "outer")

    def __init__(self, kind: str, brought_by: str, ours: bool = False) -> None:
        """Take the kind, the package that brings more of it, and whether threads of our own may work in their place."""
        self.kind, self.loaded, self.ours = kind, brought_by in sys.modules, ours

    def __enter__(self) -> None:
        """Begin; inside of another of the same kind and thread the libraries are limited already."""
        self.given, self.outer, self.many = getattr(_here, "given", 0), getattr(_here, self.kind, None), []
        if self.kind == "blas":
            _here.given = threads_of_ours() if self.ours else 1
        if self.outer == self.loaded:
            return
        setattr(_here, self.kind, self.loaded)
        before = [(library, library.get_num_threads()) for library in _libraries(self.kind, self.loaded)]
        self.many = [(library, threads) for library, threads in before if threads not in (1, None)]
        for library, _ in self.many:
            library.set_num_threads(1)

    def __exit__(self, *error: object) -> None:
        """Be as before."""
        _here.given = self.given
        setattr(_here, self.kind, self.outer)
        for library, threads in self.many:
            library.set_num_threads(threads)


@cache
def _libraries(kind: str, brought: bool) -> tuple[Any, ...]:
    """Which libraries of a kind are loaded so far; a package that is loaded later brings more."""
    try:
        from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]
    except ImportError:
        return ()
    return tuple(library for library in ThreadpoolController().lib_controllers if library.user_api == kind)
