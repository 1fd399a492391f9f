"""How good predictions are: scores that add, each with an interval."""

from __future__ import annotations

from suffice.core.lazy import lazily

_HOMES = {
    "Confusion": "suffice.evaluation.confusion",
    "Estimate": "suffice.evaluation.estimate",
    "Scores": "suffice.evaluation.scores",
}

__all__ = sorted(_HOMES)
__getattr__ = lazily(__name__, _HOMES)
