"""Made by `make registry` from the sources: do not edit."""

# ruff: noqa: I001

from suffice.linear import BasicLinearClassifier as BasicLinearClassifier
from suffice.bayes import BernoulliNB as BernoulliNB
from suffice.families import BetaBernoulli as BetaBernoulli
from suffice.decision import BinnedMap as BinnedMap
from suffice.compose import CalibratedClassifier as CalibratedClassifier
from suffice.bayes import CategoricalNB as CategoricalNB
from suffice.compose import Chain as Chain
from suffice.bayes import ComplementNB as ComplementNB
from suffice.decision import CoverageCurve as CoverageCurve
from suffice.compose import Decide as Decide
from suffice.decision import Decision as Decision
from suffice.families import DirichletCategorical as DirichletCategorical
from suffice.families import DirichletMultinomial as DirichletMultinomial
from suffice.linear import ElasticNet as ElasticNet
from suffice.linear import ElasticNetCV as ElasticNetCV
from suffice.bayes import Featureless as Featureless
from suffice.families import GammaPoisson as GammaPoisson
from suffice.mixtures import GaussianMixture as GaussianMixture
from suffice.bayes import GaussianNB as GaussianNB
from suffice.mixtures import HiddenCounts as HiddenCounts
from suffice.families import InverseGammaNormal as InverseGammaNormal
from suffice.families import InverseWishartNormal as InverseWishartNormal
from suffice.decision import IsotonicMap as IsotonicMap
from suffice.bayes import JointTable as JointTable
from suffice.neighbours import KernelDensity as KernelDensity
from suffice.margin import KernelPerceptron as KernelPerceptron
from suffice.neighbours import KernelRegression as KernelRegression
from suffice.mixtures import KnownShares as KnownShares
from suffice.linear import Lasso as Lasso
from suffice.linear import LassoCV as LassoCV
from suffice.linear import LeastSquaresClassifier as LeastSquaresClassifier
from suffice.mixtures import LinearCells as LinearCells
from suffice.bayes import LinearDiscriminantAnalysis as LinearDiscriminantAnalysis
from suffice.linear import LinearRegression as LinearRegression
from suffice.decision import LogisticMap as LogisticMap
from suffice.linear import LogisticRegression as LogisticRegression
from suffice.linear import LogisticRegressionCV as LogisticRegressionCV
from suffice.mixtures import MixedMixture as MixedMixture
from suffice.bayes import ModelAverage as ModelAverage
from suffice.bayes import MultinomialNB as MultinomialNB
from suffice.bayes import NaiveBayes as NaiveBayes
from suffice.features import OneHotEncoder as OneHotEncoder
from suffice.compose import OneVsOneClassifier as OneVsOneClassifier
from suffice.compose import OneVsRestClassifier as OneVsRestClassifier
from suffice.margin import Perceptron as Perceptron
from suffice.margin import PerceptronRegressor as PerceptronRegressor
from suffice.linear import PolynomialRegression as PolynomialRegression
from suffice.decision import Posterior as Posterior
from suffice.bayes import QuadraticDiscriminantAnalysis as QuadraticDiscriminantAnalysis
from suffice.linear import Ridge as Ridge
from suffice.linear import RidgeCV as RidgeCV
from suffice.linear import RidgeClassifier as RidgeClassifier
from suffice.decision import RocCurve as RocCurve
from suffice.margin import SVC as SVC
from suffice.evaluation import Scores as Scores
from suffice.features import StandardScaler as StandardScaler
from suffice.decision import TemperatureMap as TemperatureMap
from suffice.linear import TotalLeastSquares as TotalLeastSquares
from suffice.families import bayes_factor as bayes_factor
from suffice.mixtures import compare_mixtures as compare_mixtures
from suffice.mixtures import em as em
from suffice.decision import estimate_prior as estimate_prior
from suffice.decision import fuse as fuse
from suffice.families import huffman_lengths as huffman_lengths
from suffice.estimators import load as load
from suffice.bayes import maximum_a_posteriori as maximum_a_posteriori
from suffice.bayes import metropolis as metropolis
from suffice.decision import recalibrate as recalibrate
from suffice.decision import shift_prior as shift_prior

__version__: str
__all__ = [
    "BasicLinearClassifier",
    "BernoulliNB",
    "BetaBernoulli",
    "BinnedMap",
    "CalibratedClassifier",
    "CategoricalNB",
    "Chain",
    "ComplementNB",
    "CoverageCurve",
    "Decide",
    "Decision",
    "DirichletCategorical",
    "DirichletMultinomial",
    "ElasticNet",
    "ElasticNetCV",
    "Featureless",
    "GammaPoisson",
    "GaussianMixture",
    "GaussianNB",
    "HiddenCounts",
    "InverseGammaNormal",
    "InverseWishartNormal",
    "IsotonicMap",
    "JointTable",
    "KernelDensity",
    "KernelPerceptron",
    "KernelRegression",
    "KnownShares",
    "Lasso",
    "LassoCV",
    "LeastSquaresClassifier",
    "LinearCells",
    "LinearDiscriminantAnalysis",
    "LinearRegression",
    "LogisticMap",
    "LogisticRegression",
    "LogisticRegressionCV",
    "MixedMixture",
    "ModelAverage",
    "MultinomialNB",
    "NaiveBayes",
    "OneHotEncoder",
    "OneVsOneClassifier",
    "OneVsRestClassifier",
    "Perceptron",
    "PerceptronRegressor",
    "PolynomialRegression",
    "Posterior",
    "QuadraticDiscriminantAnalysis",
    "Ridge",
    "RidgeCV",
    "RidgeClassifier",
    "RocCurve",
    "SVC",
    "Scores",
    "StandardScaler",
    "TemperatureMap",
    "TotalLeastSquares",
    "bayes_factor",
    "compare_mixtures",
    "em",
    "estimate_prior",
    "fuse",
    "huffman_lengths",
    "load",
    "maximum_a_posteriori",
    "metropolis",
    "recalibrate",
    "shift_prior",
]
