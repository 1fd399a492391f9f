"""Matrix products in threads: where several threads multiply at once, each product takes one of them.

Otherwise every product would ask for all processors, and they would wait for one another: five times as long.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any


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
