"""Loops: compiled with numba when first called, so that importing the library never imports numba.

A loop is single-threaded, releases the global lock, and runs over one chunk of rows into arrays its caller allocates;
threads come from the source. Below `WORTH` cells the NumPy twin is faster than waiting for numba; a source that cuts a
table into blocks says with `whole` how large the table is, so that small blocks of a large table are looped over.
A loop that is there already serves small tables too (`Loop.pays`), and so does one whose twin was waited for long.
Where numba cannot be imported, the twins do all the work.
"""

from __future__ import annotations

import sys
import threading
import warnings
from collections.abc import Callable
from fractions import Fraction
from functools import cache, cached_property
from importlib import import_module
from inspect import signature
from pathlib import Path
from time import perf_counter
from typing import Any, TypeVar

from suffice.numerics.threads import in_threads

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])

CHUNK = 4096  # rows a loop or its twin sees at a time: a chunk of some 30 columns stays in the second-level cache
WORTH = 2_000_000  # cells from which loading numba (0.4 to 0.8 s a process) can pay
LOADING = 0.5  # seconds that loading takes
ONE_MORE = 0.1  # seconds that loading another loop takes where numba is loaded already
ONCE_MORE = 0.02  # the same where it was compiled before and lies in a cache beside its file: 10 to 20 milliseconds
LEARNS = True  # whether small tables may take to loops; tests of the twins say no
_lock = threading.RLock()
_whole = threading.local()
_instructions: dict[Callable[..., Any], Callable[..., Any]] = {}
_inner: list[Callable[..., Any]] = []
_taught: set[Callable[..., Any]] = set()


def pays(cells: int) -> bool:
    """Whether a loop over so many cells, or over the table they are part of, is worth compiling, and can be."""
    return max(cells, _told()[0]) >= WORTH and available()


class whole:
    """What this thread does inside is part of a table of so many cells, while so many other threads may be idle."""

    __slots__ = ("before", "inside")

    def __init__(self, cells: int, idle: int = 0) -> None:
        """Take what is to hold inside."""
        self.inside = cells, idle

    def __enter__(self) -> None:
        """Begin."""
        self.before = _told()
        _whole.told = self.inside

    def __exit__(self, *error: object) -> None:
        """Be as before."""
        _whole.told = self.before


def _told() -> tuple[int, int]:
    """Cells of the table that this thread works on, 0 where nobody said so, and how many others may be idle."""
    return getattr(_whole, "told", (0, 0))


def spare_threads() -> int:
    """How many threads may work on what this one does, itself included.

    >>> spare_threads()
    1
    """
    return 1 + _told()[1]


def side_by_side(first: Callable[[], T], second: Callable[[], Any]) -> T:
    """Run two independent loops, at the same time where the source has a thread to spare; the result of the first.

    >>> side_by_side(lambda: 1, lambda: 2)
    1
    """
    both: tuple[Callable[[], Any], ...] = (first, second)
    result: T = in_threads(lambda run, go_on: run(), both, 2 if _told()[1] else 1)[0]
    return result


def available() -> bool:
    """Whether loops can be compiled; says so once where they cannot. Imports numba."""
    with _lock:
        return _available()


@cache
def _available() -> bool:
    try:
        import numba
    except ImportError as error:
        warnings.warn(
            f"numba cannot be imported ({error}). Answers stay the same, but large tables take longer.",
            RuntimeWarning,
            stacklevel=4,
        )
        return False
    return not getattr(numba.config, "DISABLE_JIT", 0) and _multiplies_and_adds()


def _multiplies_and_adds() -> bool:
    """Whether the processor does so in one instruction; where it is a call, as before 2013, the twins are faster."""
    binding: Any = import_module("llvmlite.binding")
    return bool(binding.get_host_cpu_features().get("fma", True))  # other makes than Intel's and AMD's do not list it


def instruction(function: Callable[..., Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Say by which machine instructions a loop does what a function says in Python; they are told to numba later.

    The function gives a float, or nothing; its annotation says which.
    """

    def say(builds: Callable[..., Any]) -> Callable[..., Any]:
        _instructions[function] = builds
        return builds

    return say


def inner(function: F) -> F:
    """Mark a function that loops may call; outside of them it is what it says. A change of it reaches a cached loop
    only when the file of the loop changes too.
    """
    _inner.append(function)
    return function


def fma(a: float, b: float, c: float) -> float:
    """a * b + c rounded once: one instruction inside a loop, exact fractions outside."""
    return float(Fraction(a) * Fraction(b) + Fraction(c))


@instruction(fma)
def _fma(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return builder.fma(*arguments)


def _loading(loop: Loop) -> float:
    """Seconds that loading a loop takes now."""
    if "numba" not in sys.modules:
        return LOADING
    return min(LOADING, ONCE_MORE if loop.waited >= ONCE_MORE and loop.compiled_before else ONE_MORE)


class Loop:
    """A function compiled at its first call. `plain` is the same function, uncompiled."""

    def __init__(self, function: Callable[..., Any]) -> None:
        """Take the function; nothing is compiled yet."""
        self.plain = function
        self.waited = 0.0  # seconds that its twin has taken in this process
        self._compiled: Callable[..., Any] | None = None

    @property
    def ready(self) -> bool:
        """Whether it was compiled in this process, so that small inputs need not wait for it."""
        return self._compiled is not None

    @cached_property
    def compiled_before(self) -> bool:
        """Whether numba has an index of it in the cache where it looks first, when that was first asked."""
        code = self.plain.__code__
        file = Path(code.co_filename)
        return any((file.parent / "__pycache__").glob(f"{file.stem}.{code.co_name}-{code.co_firstlineno}.*.nbi"))

    def pays(self, cells: int) -> bool:
        """Whether to fit by it: in a large table, or once its twin has taken as long as loading it does.

        Nobody then waits more than twice as long as if it had been known beforehand what is best.
        """
        return pays(cells) or (LEARNS and (self.ready or self.waited >= _loading(self)) and available())

    def instead(self, twin: Callable[..., T], *arguments: Any) -> T:
        """Run the twin, and take note of how long it takes."""
        start = perf_counter()
        try:
            return twin(*arguments)
        finally:
            self.waited += perf_counter() - start

    def __call__(self, *arguments: Any) -> Any:
        """Run compiled."""
        if self._compiled is None:
            with _lock:
                self._compiled = self._compiled or _compile(self.plain)
        try:
            return self._compiled(*arguments)
        except OSError:  # a loop reads no files: the cache was full or gone, before the loop had begun
            self._compiled = _compile(self.plain, cached=False)
            return self._compiled(*arguments)


def loop(function: Callable[..., Any]) -> Loop:
    """Mark a function as a loop."""
    return Loop(function)


def _compile(function: Callable[..., Any], cached: bool = True) -> Callable[..., Any]:
    """numba's njit with a cache, or without one where no folder for it can be written."""
    import numba

    _teach()
    compiled: Callable[..., Any]
    try:
        compiled = numba.njit(cache=cached, nogil=True)(function)
    except RuntimeError:  # "no locator available": neither the package's folder nor the user's cache is writable
        compiled = numba.njit(nogil=True)(function)
    return compiled


def _teach() -> None:
    """Tell numba of the instructions and inner functions that were said since it was last told."""
    from numba import extending, types

    tell: Any = extending  # typed in some versions of numba only
    kinds: Any = types
    for function, builds in _instructions.items():
        if function not in _taught:
            number = function.__annotations__["return"] == "float"
            tell.type_callable(function)(_typing(function, kinds.float64 if number else kinds.void))
            tell.lower_builtin(function, kinds.VarArg(kinds.Any))(builds)
            _taught.add(function)
    while _inner:
        tell.register_jitable(_inner.pop())


def _typing(function: Callable[..., Any], result: Any) -> Callable[[Any], Callable[..., Any]]:
    """What numba asks: which type a call has, for arguments of the same names."""

    def typed(*arguments: Any) -> Any:
        return result

    typed.__signature__ = signature(function)  # type: ignore[attr-defined]
    return lambda context: typed
