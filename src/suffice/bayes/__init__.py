"""Generative classifiers: naive Bayes of every kind and mixed, and joint tables."""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HOMES = {
    "BernoulliNB": "suffice.bayes.bernoulli_nb",
    "CategoricalNB": "suffice.bayes.categorical_nb",
    "ComplementNB": "suffice.bayes.complement_nb",
    "GaussianNB": "suffice.bayes.gaussian_nb",
    "JointTable": "suffice.bayes.joint_table",
    "MultinomialNB": "suffice.bayes.multinomial_nb",
    "NaiveBayes": "suffice.bayes.naive_bayes",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    """Import a name when it is first asked for: loading a model needs no scikit-learn."""
    if name not in _HOMES:
        raise AttributeError(f"module 'suffice.bayes' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
