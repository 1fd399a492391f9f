"""Machine learning from summaries that add, ending in decisions."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_HOMES = {
    "BernoulliNB": "suffice.bayes",
    "CategoricalNB": "suffice.bayes",
    "ComplementNB": "suffice.bayes",
    "Decision": "suffice.decision",
    "GaussianNB": "suffice.bayes",
    "JointTable": "suffice.bayes",
    "MultinomialNB": "suffice.bayes",
    "NaiveBayes": "suffice.bayes",
    "Posterior": "suffice.decision",
    "load": "suffice.estimators.loaded",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for: `import suffice` costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module 'suffice' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """The public names."""
    return [*__all__, "__version__"]
