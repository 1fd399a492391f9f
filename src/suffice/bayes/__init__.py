"""Generative classifiers: naive Bayes of every kind and mixed, and joint tables."""

from __future__ import annotations

from suffice.core.lazy import lazily

_HOMES = {
    "BernoulliNB": "suffice.bayes.naive.bernoulli_nb",
    "CategoricalNB": "suffice.bayes.naive.categorical_nb",
    "ComplementNB": "suffice.bayes.naive.complement_nb",
    "Description": "suffice.bayes.inference.description_length",
    "Featureless": "suffice.bayes.naive.featureless",
    "FlatAngle": "suffice.bayes.inference.flat_priors",
    "FlatSlope": "suffice.bayes.inference.flat_priors",
    "GaussianNB": "suffice.bayes.naive.gaussian_nb",
    "JointTable": "suffice.bayes.joint.joint_table",
    "LearnedPrior": "suffice.bayes.class_priors",
    "LinearDiscriminantAnalysis": "suffice.bayes.discriminants.linear_discriminant",
    "ModelPosterior": "suffice.bayes.inference.model_posterior",
    "MultinomialNB": "suffice.bayes.naive.multinomial_nb",
    "NaiveBayes": "suffice.bayes.naive.naive_bayes",
    "QuadraticDiscriminantAnalysis": "suffice.bayes.discriminants.quadratic_discriminant",
    "choose_degree": "suffice.bayes.inference.polynomial_code",
    "describe_classifier": "suffice.bayes.inference.description_length",
    "describe_labels": "suffice.bayes.inference.description_length",
    "maximum_a_posteriori": "suffice.bayes.inference.posterior_mode",
    "metropolis": "suffice.bayes.inference.metropolis",
    "shortest": "suffice.bayes.inference.description_length",
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
