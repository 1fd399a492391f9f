"""Loops: compiled with numba when first called, so that importing the library never imports numba.

A loop is single-threaded, releases the global lock, and runs over one chunk of rows into arrays its caller allocates;
threads come from the source. Below `WORTH` cells the NumPy twin is faster than waiting for numba.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

CHUNK = 4096  # rows a loop or its twin sees at a time: a chunk of some 30 columns stays in the second-level cache
WORTH = 2_000_000  # cells from which loading numba (0.4 to 0.8 s a process) can pay
_lock = threading.Lock()


def fma(a: float, b: float, c: float) -> float:
    """a * b + c rounded once; a name for the compiler, which puts the machine's instruction in its place."""
    raise TypeError("fma: only meant inside a loop")


class Loop:
    """A function compiled at its first call. `plain` is the same text, uncompiled."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.plain = function
        self._compiled: Callable[..., Any] | None = None

    def __call__(self, *arguments: Any) -> Any:
        """Run compiled."""
        if self._compiled is None:
            with _lock:
                self._compiled = self._compiled or _compile(self.plain)
        return self._compiled(*arguments)


def loop(function: Callable[..., Any]) -> Loop:
    """Mark a function as a loop."""
    return Loop(function)


def _compile(function: Callable[..., Any]) -> Callable[..., Any]:
    """numba's njit with a cache, or without one where no folder for it can be written."""
    import numba

    if "fma" in function.__code__.co_names:
        function.__globals__["fma"] = _fma_intrinsic()
    try:
        return numba.njit(cache=True, nogil=True)(function)  # type: ignore[no-any-return]
    except RuntimeError:  # "no locator available": neither the package's folder nor the user's cache is writable
        return numba.njit(nogil=True)(function)  # type: ignore[no-any-return]


def _fma_intrinsic() -> Any:
    from numba import types
    from numba.extending import intrinsic

    @intrinsic
    def fma(typing_context: Any, a: Any, b: Any, c: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.fma(*arguments)

        return types.float64(types.float64, types.float64, types.float64), codegen

    return fma
