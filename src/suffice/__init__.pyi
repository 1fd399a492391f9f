"""Made by `make registry` from the sources: do not edit."""

# ruff: noqa: I001

from suffice.compose import AdaBoostClassifier as AdaBoostClassifier
from suffice.clusters import AffinityPropagation as AffinityPropagation
from suffice.clusters import AgglomerativeClustering as AgglomerativeClustering
from suffice.neural import Autoassociator as Autoassociator
from suffice.compose import BaggingClassifier as BaggingClassifier
from suffice.compose import BaggingRegressor as BaggingRegressor
from suffice.linear import BasicLinearClassifier as BasicLinearClassifier
from suffice.bayes import BernoulliNB as BernoulliNB
from suffice.families import BetaBernoulli as BetaBernoulli
from suffice.features import Binarizer as Binarizer
from suffice.decision import BinnedMap as BinnedMap
from suffice.clusters import BisectingKMeans as BisectingKMeans
from suffice.compose import BoostedRules as BoostedRules
from suffice.features import Calibrate as Calibrate
from suffice.compose import CalibratedClassifier as CalibratedClassifier
from suffice.features import CartesianProduct as CartesianProduct
from suffice.bayes import CategoricalNB as CategoricalNB
from suffice.compose import Chain as Chain
from suffice.features import ClassImputer as ClassImputer
from suffice.projections import ClassicalMDS as ClassicalMDS
from suffice.bayes import ComplementNB as ComplementNB
from suffice.decision import CoverageCurve as CoverageCurve
from suffice.clusters import DBSCAN as DBSCAN
from suffice.compose import Decide as Decide
from suffice.decision import Decision as Decision
from suffice.trees import DecisionStump as DecisionStump
from suffice.trees import DecisionTreeClassifier as DecisionTreeClassifier
from suffice.trees import DecisionTreeRegressor as DecisionTreeRegressor
from suffice.families import DirichletCategorical as DirichletCategorical
from suffice.families import DirichletMultinomial as DirichletMultinomial
from suffice.features import Discretizer as Discretizer
from suffice.linear import ElasticNet as ElasticNet
from suffice.linear import ElasticNetCV as ElasticNetCV
from suffice.clusters import FeatureAgglomeration as FeatureAgglomeration
from suffice.bayes import Featureless as Featureless
from suffice.compose import Forest as Forest
from suffice.clusters import FuzzyCMeans as FuzzyCMeans
from suffice.families import GammaPoisson as GammaPoisson
from suffice.mixtures import GaussianMixture as GaussianMixture
from suffice.bayes import GaussianNB as GaussianNB
from suffice.features import GroupCategories as GroupCategories
from suffice.mixtures import HiddenCounts as HiddenCounts
from suffice.projections import IncrementalPCA as IncrementalPCA
from suffice.families import InverseGammaNormal as InverseGammaNormal
from suffice.families import InverseWishartNormal as InverseWishartNormal
from suffice.projections import Isomap as Isomap
from suffice.decision import IsotonicMap as IsotonicMap
from suffice.bayes import JointTable as JointTable
from suffice.features import KBinsDiscretizer as KBinsDiscretizer
from suffice.clusters import KExemplars as KExemplars
from suffice.clusters import KMeans as KMeans
from suffice.clusters import KMedoids as KMedoids
from suffice.features import KNNImputer as KNNImputer
from suffice.neighbours import KNeighborsClassifier as KNeighborsClassifier
from suffice.neighbours import KNeighborsRegressor as KNeighborsRegressor
from suffice.neighbours import KernelDensity as KernelDensity
from suffice.clusters import KernelKMeans as KernelKMeans
from suffice.margin import KernelPerceptron as KernelPerceptron
from suffice.neighbours import KernelRegression as KernelRegression
from suffice.mixtures import KnownShares as KnownShares
from suffice.clusters import LandmarkKernelKMeans as LandmarkKernelKMeans
from suffice.linear import Lasso as Lasso
from suffice.linear import LassoCV as LassoCV
from suffice.linear import LeastSquaresClassifier as LeastSquaresClassifier
from suffice.mixtures import LinearCells as LinearCells
from suffice.bayes import LinearDiscriminantAnalysis as LinearDiscriminantAnalysis
from suffice.linear import LinearRegression as LinearRegression
from suffice.decision import LogisticMap as LogisticMap
from suffice.neural import LogisticNeuron as LogisticNeuron
from suffice.linear import LogisticRegression as LogisticRegression
from suffice.linear import LogisticRegressionCV as LogisticRegressionCV
from suffice.projections import MDS as MDS
from suffice.neural import MLPClassifier as MLPClassifier
from suffice.neural import MLPRegressor as MLPRegressor
from suffice.projections import MatrixCompletion as MatrixCompletion
from suffice.features import MaxAbsScaler as MaxAbsScaler
from suffice.features import MinMaxScaler as MinMaxScaler
from suffice.clusters import MiniBatchKMeans as MiniBatchKMeans
from suffice.features import MissingAsValue as MissingAsValue
from suffice.mixtures import MixedMixture as MixedMixture
from suffice.compose import ModelAverage as ModelAverage
from suffice.compose import ModelImputer as ModelImputer
from suffice.bayes import MultinomialNB as MultinomialNB
from suffice.projections import NMF as NMF
from suffice.bayes import NaiveBayes as NaiveBayes
from suffice.neighbours import NearestCentroid as NearestCentroid
from suffice.neighbours import NearestNeighbors as NearestNeighbors
from suffice.features import NormalImputer as NormalImputer
from suffice.features import Normalizer as Normalizer
from suffice.features import OneHotEncoder as OneHotEncoder
from suffice.compose import OneVsOneClassifier as OneVsOneClassifier
from suffice.compose import OneVsRestClassifier as OneVsRestClassifier
from suffice.features import OrderCategories as OrderCategories
from suffice.features import OrdinalEncoder as OrdinalEncoder
from suffice.projections import PCA as PCA
from suffice.margin import Perceptron as Perceptron
from suffice.margin import PerceptronRegressor as PerceptronRegressor
from suffice.features import PolynomialFeatures as PolynomialFeatures
from suffice.linear import PolynomialRegression as PolynomialRegression
from suffice.decision import Posterior as Posterior
from suffice.features import ProductTerms as ProductTerms
from suffice.bayes import QuadraticDiscriminantAnalysis as QuadraticDiscriminantAnalysis
from suffice.neighbours import RadiusNeighborsClassifier as RadiusNeighborsClassifier
from suffice.neighbours import RadiusNeighborsRegressor as RadiusNeighborsRegressor
from suffice.compose import RandomForestClassifier as RandomForestClassifier
from suffice.compose import RandomForestRegressor as RandomForestRegressor
from suffice.compose import RegressionForest as RegressionForest
from suffice.trees import RegressionTree as RegressionTree
from suffice.linear import Ridge as Ridge
from suffice.linear import RidgeCV as RidgeCV
from suffice.linear import RidgeClassifier as RidgeClassifier
from suffice.features import RobustScaler as RobustScaler
from suffice.decision import RocCurve as RocCurve
from suffice.trees import RuleList as RuleList
from suffice.margin import SVC as SVC
from suffice.evaluation import Scores as Scores
from suffice.compose import SelectFromModel as SelectFromModel
from suffice.features import SelectKBest as SelectKBest
from suffice.features import SelectPercentile as SelectPercentile
from suffice.projections import SelfOrganizingMap as SelfOrganizingMap
from suffice.compose import SequentialFeatureSelector as SequentialFeatureSelector
from suffice.features import SimpleImputer as SimpleImputer
from suffice.features import SixSigmaScaler as SixSigmaScaler
from suffice.compose import StackingClassifier as StackingClassifier
from suffice.compose import StackingRegressor as StackingRegressor
from suffice.features import StandardScaler as StandardScaler
from suffice.trees import SubgroupFeatures as SubgroupFeatures
from suffice.projections import TSNE as TSNE
from suffice.features import TableEncoder as TableEncoder
from suffice.features import TargetEncoder as TargetEncoder
from suffice.decision import TemperatureMap as TemperatureMap
from suffice.features import TfidfTransformer as TfidfTransformer
from suffice.features import Threshold as Threshold
from suffice.linear import TotalLeastSquares as TotalLeastSquares
from suffice.trees import Tree as Tree
from suffice.projections import TruncatedSVD as TruncatedSVD
from suffice.features import VarianceScaler as VarianceScaler
from suffice.features import VarianceThreshold as VarianceThreshold
from suffice.compose import VotingClassifier as VotingClassifier
from suffice.compose import VotingRegressor as VotingRegressor
from suffice.families import bayes_factor as bayes_factor
from suffice.evaluation import compare as compare
from suffice.mixtures import compare_mixtures as compare_mixtures
from suffice.evaluation import cross_validate as cross_validate
from suffice.features import describe as describe
from suffice.mixtures import em as em
from suffice.decision import estimate_prior as estimate_prior
from suffice.decision import fuse as fuse
from suffice.evaluation import grid_search as grid_search
from suffice.families import huffman_lengths as huffman_lengths
from suffice.estimators import load as load
from suffice.bayes import maximum_a_posteriori as maximum_a_posteriori
from suffice.bayes import metropolis as metropolis
from suffice.decision import recalibrate as recalibrate
from suffice.decision import shift_prior as shift_prior
from suffice.features import statistics as statistics

__version__: str
__all__ = [
    "AdaBoostClassifier",
    "AffinityPropagation",
    "AgglomerativeClustering",
    "Autoassociator",
    "BaggingClassifier",
    "BaggingRegressor",
    "BasicLinearClassifier",
    "BernoulliNB",
    "BetaBernoulli",
    "Binarizer",
    "BinnedMap",
    "BisectingKMeans",
    "BoostedRules",
    "Calibrate",
    "CalibratedClassifier",
    "CartesianProduct",
    "CategoricalNB",
    "Chain",
    "ClassImputer",
    "ClassicalMDS",
    "ComplementNB",
    "CoverageCurve",
    "DBSCAN",
    "Decide",
    "Decision",
    "DecisionStump",
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "DirichletCategorical",
    "DirichletMultinomial",
    "Discretizer",
    "ElasticNet",
    "ElasticNetCV",
    "FeatureAgglomeration",
    "Featureless",
    "Forest",
    "FuzzyCMeans",
    "GammaPoisson",
    "GaussianMixture",
    "GaussianNB",
    "GroupCategories",
    "HiddenCounts",
    "IncrementalPCA",
    "InverseGammaNormal",
    "InverseWishartNormal",
    "Isomap",
    "IsotonicMap",
    "JointTable",
    "KBinsDiscretizer",
    "KExemplars",
    "KMeans",
    "KMedoids",
    "KNNImputer",
    "KNeighborsClassifier",
    "KNeighborsRegressor",
    "KernelDensity",
    "KernelKMeans",
    "KernelPerceptron",
    "KernelRegression",
    "KnownShares",
    "LandmarkKernelKMeans",
    "Lasso",
    "LassoCV",
    "LeastSquaresClassifier",
    "LinearCells",
    "LinearDiscriminantAnalysis",
    "LinearRegression",
    "LogisticMap",
    "LogisticNeuron",
    "LogisticRegression",
    "LogisticRegressionCV",
    "MDS",
    "MLPClassifier",
    "MLPRegressor",
    "MatrixCompletion",
    "MaxAbsScaler",
    "MinMaxScaler",
    "MiniBatchKMeans",
    "MissingAsValue",
    "MixedMixture",
    "ModelAverage",
    "ModelImputer",
    "MultinomialNB",
    "NMF",
    "NaiveBayes",
    "NearestCentroid",
    "NearestNeighbors",
    "NormalImputer",
    "Normalizer",
    "OneHotEncoder",
    "OneVsOneClassifier",
    "OneVsRestClassifier",
    "OrderCategories",
    "OrdinalEncoder",
    "PCA",
    "Perceptron",
    "PerceptronRegressor",
    "PolynomialFeatures",
    "PolynomialRegression",
    "Posterior",
    "ProductTerms",
    "QuadraticDiscriminantAnalysis",
    "RadiusNeighborsClassifier",
    "RadiusNeighborsRegressor",
    "RandomForestClassifier",
    "RandomForestRegressor",
    "RegressionForest",
    "RegressionTree",
    "Ridge",
    "RidgeCV",
    "RidgeClassifier",
    "RobustScaler",
    "RocCurve",
    "RuleList",
    "SVC",
    "Scores",
    "SelectFromModel",
    "SelectKBest",
    "SelectPercentile",
    "SelfOrganizingMap",
    "SequentialFeatureSelector",
    "SimpleImputer",
    "SixSigmaScaler",
    "StackingClassifier",
    "StackingRegressor",
    "StandardScaler",
    "SubgroupFeatures",
    "TSNE",
    "TableEncoder",
    "TargetEncoder",
    "TemperatureMap",
    "TfidfTransformer",
    "Threshold",
    "TotalLeastSquares",
    "Tree",
    "TruncatedSVD",
    "VarianceScaler",
    "VarianceThreshold",
    "VotingClassifier",
    "VotingRegressor",
    "bayes_factor",
    "compare",
    "compare_mixtures",
    "cross_validate",
    "describe",
    "em",
    "estimate_prior",
    "fuse",
    "grid_search",
    "huffman_lengths",
    "load",
    "maximum_a_posteriori",
    "metropolis",
    "recalibrate",
    "shift_prior",
    "statistics",
]
