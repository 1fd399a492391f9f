"""Made by `make registry` from the sources: do not edit."""

# ruff: noqa: I001

from suffice.bayes.naive.bernoulli_nb import BernoulliNB as BernoulliNB
from suffice.bayes.naive.categorical_nb import CategoricalNB as CategoricalNB
from suffice.bayes.naive.complement_nb import ComplementNB as ComplementNB
from suffice.bayes.inference.description_length import Description as Description
from suffice.bayes.naive.featureless import Featureless as Featureless
from suffice.bayes.inference.flat_priors import FlatAngle as FlatAngle
from suffice.bayes.inference.flat_priors import FlatSlope as FlatSlope
from suffice.bayes.naive.gaussian_nb import GaussianNB as GaussianNB
from suffice.bayes.joint.joint_table import JointTable as JointTable
from suffice.bayes.class_priors import LearnedPrior as LearnedPrior
from suffice.bayes.discriminants.linear_discriminant import LinearDiscriminantAnalysis as LinearDiscriminantAnalysis
from suffice.bayes.inference.model_posterior import ModelPosterior as ModelPosterior
from suffice.bayes.naive.multinomial_nb import MultinomialNB as MultinomialNB
from suffice.bayes.naive.naive_bayes import NaiveBayes as NaiveBayes
from suffice.bayes.discriminants.quadratic_discriminant import QuadraticDiscriminantAnalysis as QuadraticDiscriminantAnalysis
from suffice.bayes.inference.polynomial_code import choose_degree as choose_degree
from suffice.bayes.inference.description_length import describe_classifier as describe_classifier
from suffice.bayes.inference.description_length import describe_labels as describe_labels
from suffice.bayes.inference.posterior_mode import maximum_a_posteriori as maximum_a_posteriori
from suffice.bayes.inference.metropolis import metropolis as metropolis
from suffice.bayes.inference.description_length import shortest as shortest

__all__ = [
    "BernoulliNB",
    "CategoricalNB",
    "ComplementNB",
    "Description",
    "Featureless",
    "FlatAngle",
    "FlatSlope",
    "GaussianNB",
    "JointTable",
    "LearnedPrior",
    "LinearDiscriminantAnalysis",
    "ModelPosterior",
    "MultinomialNB",
    "NaiveBayes",
    "QuadraticDiscriminantAnalysis",
    "choose_degree",
    "describe_classifier",
    "describe_labels",
    "maximum_a_posteriori",
    "metropolis",
    "shortest",
]
