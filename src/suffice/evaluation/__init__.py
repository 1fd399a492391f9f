"""How good predictions are: scores that add, each with an interval."""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HOMES = {
    "Confusion": "suffice.evaluation.confusion",
    "Estimate": "suffice.evaluation.estimate",
    "Scores": "suffice.evaluation.scores",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    """Import a name when it is first asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module 'suffice.evaluation' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
