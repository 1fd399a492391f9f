"""How things are measured: medians of warmed runs, and the growth of the peak resident memory."""

from __future__ import annotations

import ctypes
import gc
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple


class Line(NamedTuple):
    """One line of the table."""

    case: str
    ours: float  # seconds
    peer: float  # seconds
    bar: str
    met: bool
    growth: float | None = None  # megabytes of peak resident memory while ours ran
    size: float | None = None  # megabytes of the input

    def __str__(self) -> str:
        """Aligned columns."""
        memory = "" if self.growth is None else f"+{self.growth:.0f} MB of {self.size:.0f}"
        sign = "ok" if self.met else "BELOW"
        ratio = self.peer / self.ours
        times = f"{self.ours * 1e3:9.1f} {self.peer * 1e3:9.1f} {ratio:8.2f}x"
        return f"{self.case:44} {times}  {self.bar:22} {sign:6} {memory}"


HEAD = f"{'case':44} {'ours ms':>9} {'peer ms':>9} {'ratio':>9}  {'bar':22} {'':6} peak memory while fitting"


def race(*runners: Callable[[], Any], runs: int = 7) -> list[float]:
    """Median seconds of each: one after the other, each warmed up by two runs of its own just before.

    Taking turns would be fairer to slow drifts of the machine, but a processor that idles while a single-threaded peer
    runs takes milliseconds to wake on a virtual machine (31 -> 44 ms for the fit of GaussianNB).
    """
    return [_median(run, runs) for run in runners]


def _median(run: Callable[[], Any], runs: int) -> float:
    run()
    run()
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def warm(run: Callable[[], Any], seconds: float = 1.0) -> None:
    """Repeat it: what is short and repeated takes loops in the place of NumPy twins, once these were waited for."""
    start = time.perf_counter()
    while time.perf_counter() - start < seconds:
        run()


def peak_growth(run: Callable[[], Any]) -> float:
    """Megabytes by which the peak resident memory exceeds what was resident before (Linux)."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)  # pages that were only kept for reuse would hide the growth
    Path("/proc/self/clear_refs").write_text("5")  # the peak starts anew
    before = _status("VmRSS")
    run()
    return (_status("VmHWM") - before) / 1024


def _status(name: str) -> float:
    """Kilobytes from the process's own account."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(name + ":"):
            return float(line.split()[1])
    raise LookupError(name)
