"""Generative classifiers: naive Bayes of every kind and mixed, and joint tables."""

from __future__ import annotations

from suffice.core.lazy import lazily

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
__getattr__ = lazily(__name__, _HOMES)
