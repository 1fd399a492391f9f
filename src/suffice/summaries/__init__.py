"""What is kept of the rows: moments (of columns, of pairs of columns), counts (of symbols, of words), rankings."""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HOMES = {
    "Counts": "suffice.summaries.counts",
    "FullMoments": "suffice.summaries.full_moments",
    "Moments": "suffice.summaries.moments",
    "Rankings": "suffice.summaries.rankings",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    """Import a name when it is first asked for: a file's list of classes needs no NumPy."""
    if name not in _HOMES:
        raise AttributeError(f"module 'suffice.summaries' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
