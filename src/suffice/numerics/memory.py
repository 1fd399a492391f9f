"""How much memory there is."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

NO_LIMIT = 1 << 62
CONTAINER = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")  # of Linux, new and old


@cache
def memory() -> int:
    """Bytes of memory of this machine, or of the container that this process is in."""
    try:
        there = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # not on every system
        there = 1 << 33
    return min(there, *(_limit(path) for path in CONTAINER))


def _limit(path: str) -> int:
    """Bytes that a file of the system allows; very many where there is none, or it says "max"."""
    try:
        said = int(Path(path).read_text())
    except (OSError, ValueError):
        return NO_LIMIT
    return said if said > 0 else NO_LIMIT
