"""Generative classifiers: naive Bayes of every kind and mixed, and joint tables."""

from __future__ import annotations

from suffice.core.lazy import lazily

_HOMES = {
    "BernoulliNB": "suffice.bayes.bernoulli_nb",
    "CategoricalNB": "suffice.bayes.categorical_nb",
    "ComplementNB": "suffice.bayes.complement_nb",
    "Description": "suffice.bayes.description_length",
    "Featureless": "suffice.bayes.featureless",
    "FlatAngle": "suffice.bayes.flat_priors",
    "FlatSlope": "suffice.bayes.flat_priors",
    "GaussianNB": "suffice.bayes.gaussian_nb",
    "JointTable": "suffice.bayes.joint_table",
    "LearnedPrior": "suffice.bayes.class_priors",
    "LinearDiscriminantAnalysis": "suffice.bayes.linear_discriminant",
    "ModelAverage": "suffice.bayes.model_average",
    "ModelPosterior": "suffice.bayes.model_posterior",
    "MultinomialNB": "suffice.bayes.multinomial_nb",
    "NaiveBayes": "suffice.bayes.naive_bayes",
    "QuadraticDiscriminantAnalysis": "suffice.bayes.quadratic_discriminant",
    "choose_degree": "suffice.bayes.polynomial_code",
    "describe_classifier": "suffice.bayes.description_length",
    "describe_labels": "suffice.bayes.description_length",
    "maximum_a_posteriori": "suffice.bayes.posterior_mode",
    "metropolis": "suffice.bayes.random_walk",
    "shortest": "suffice.bayes.description_length",
}

_TOP = _HOMES.keys() - {
    "Description",
    "FlatAngle",
    "FlatSlope",
    "LearnedPrior",
    "ModelPosterior",
    "choose_degree",
    "describe_classifier",
    "describe_labels",
    "shortest",
}  # names of `suffice` too

__all__ = sorted(_HOMES)
__getattr__ = lazily(__name__, _HOMES)
