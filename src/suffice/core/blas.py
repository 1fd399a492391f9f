"""Matrix products in threads: where several threads multiply at once, each product takes one of them.

Otherwise every product would ask for all processors, and they would wait for one another: five times as long.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cache
from typing import Any

SMALL = 256  # columns up to which more threads than one only delay what is solved, and what comes after it


def one_thread_if_small(columns: int) -> AbstractContextManager[None]:
    """Where matrices have few columns, what is solved inside takes one thread.

    Others would be woken for it and go on waiting for work, in the way of the threads that read the next rows.
    """
    return one_thread_each() if columns <= SMALL else nullcontext()


@contextmanager
def one_thread_each() -> Iterator[None]:
    """Products inside take one thread each; nothing changes where nobody can tell how many they take."""
    controller = _controller("scipy.linalg" in sys.modules)
    if controller is None:
        yield
        return
    with controller.limit(limits=1, user_api="blas"):
        yield


@cache
def _controller(scipy: bool) -> Any:
    """What sets the number of threads of the libraries loaded so far; SciPy brings one of its own."""
    try:
        from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]
    except ImportError:
        return None
    return ThreadpoolController()
