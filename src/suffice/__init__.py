"""Machine learning from summaries that add, ending in decisions."""

from __future__ import annotations

from importlib import import_module

from suffice.core.lazy import lazily

__version__ = "0.1.0"

# Rooms whose names are ours too, where the room says so (`_TOP`): a new model is named in its room alone. A room only
# says where its names live, so that importing all of them imports neither NumPy nor any model.
_ROOMS = (
    "bayes",
    "clusters",
    "decision",
    "estimators",
    "evaluation",
    "families",
    "features",
    "linear",
    "margin",
    "compose",
    "mixtures",
    "neighbours",
    "projections",
    "trees",
    "neural",
)
_HOMES = {name: f"{__name__}.{room}" for room in _ROOMS for name in import_module(f"{__name__}.{room}")._TOP}

__all__ = sorted(_HOMES)
__getattr__ = lazily(__name__, _HOMES)


def __dir__() -> list[str]:
    """The public names."""
    return [*__all__, "__version__"]
