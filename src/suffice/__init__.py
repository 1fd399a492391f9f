"""Machine learning from summaries that add, ending in decisions."""

from __future__ import annotations

from suffice.core.lazy import lazily

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
__getattr__ = lazily(__name__, _HOMES)


def __dir__() -> list[str]:
    """The public names."""
    return [*__all__, "__version__"]
