"""Processor seconds of this process and all that it started: of Java, of workers, of those that ended meanwhile too."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

LOOKS = 0.2  # seconds between looks: what a process did after the last one before its end is missed


class ProcessSeconds:
    """A look at the processes every now and then (Linux)."""

    def __init__(self) -> None:
        """Nothing seen yet."""
        self.seen: dict[tuple[int, str], float] = {}  # by number and start, seconds
        self.lock = threading.Lock()

    def look(self) -> float:
        """Seconds of all that were ever seen."""
        tick = os.sysconf("SC_CLK_TCK")
        stats = dict(_stats())
        children: dict[int, list[int]] = {}
        for pid, fields in stats.items():
            children.setdefault(int(fields[1]), []).append(pid)
        with self.lock:
            ours = [os.getpid()]
            for pid in ours:  # grows as it goes
                ours += children.get(pid, [])
                if pid in stats:
                    fields = stats[pid]
                    self.seen[pid, fields[19]] = (int(fields[11]) + int(fields[12])) / tick
            return sum(self.seen.values())

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Look on from a thread."""
        end = threading.Event()

        def watch() -> None:
            while not end.wait(LOOKS):
                self.look()

        thread = threading.Thread(target=watch, daemon=True)
        thread.start()
        try:
            yield
        finally:
            end.set()
            thread.join()


def _stats() -> Iterator[tuple[int, list[str]]]:
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                yield int(folder.name), (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue


def seconds_of(run: Callable[[], Any]) -> tuple[float, float]:
    """Seconds by the clock, and processor seconds of all processes."""
    processes = ProcessSeconds()
    before, start = processes.look(), time.perf_counter()
    with processes.watched():
        run()
    return time.perf_counter() - start, processes.look() - before
