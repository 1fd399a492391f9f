"""Made by `make registry` from the sources: do not edit."""

# ruff: noqa: I001

from suffice.features.structured.part_features import Amount as Amount
from suffice.features.encode.polynomial_features import Binarizer as Binarizer
from suffice.features.calibrate.calibrate import Calibrate as Calibrate
from suffice.features.construct.cartesian_product import CartesianProduct as CartesianProduct
from suffice.features.missing.class_imputer import ClassImputer as ClassImputer
from suffice.features.selection.column_scores import ColumnScores as ColumnScores
from suffice.features.describing.column_statistics import ColumnStatistics as ColumnStatistics
from suffice.features.structured.part_features import Count as Count
from suffice.features.selection.subset_scores import CrossValidated as CrossValidated
from suffice.features.discretise.discretizer import Discretizer as Discretizer
from suffice.features.structured.part_features import Exists as Exists
from suffice.features.encode.category_groups import GroupCategories as GroupCategories
from suffice.features.discretise.kbins_discretizer import KBinsDiscretizer as KBinsDiscretizer
from suffice.features.missing.knn_imputer import KNNImputer as KNNImputer
from suffice.features.selection.subset_scores import LeastSquaresFolds as LeastSquaresFolds
from suffice.features.ranks.min_max_scaler import MaxAbsScaler as MaxAbsScaler
from suffice.features.ranks.min_max_scaler import MinMaxScaler as MinMaxScaler
from suffice.features.missing.missing_as_value import MissingAsValue as MissingAsValue
from suffice.features.missing.normal_imputer import NormalImputer as NormalImputer
from suffice.features.encode.normalizer import Normalizer as Normalizer
from suffice.features.one_hot_encoder import OneHotEncoder as OneHotEncoder
from suffice.features.encode.category_groups import OrderCategories as OrderCategories
from suffice.features.encode.ordinal_encoder import OrdinalEncoder as OrdinalEncoder
from suffice.features.encode.polynomial_features import PolynomialFeatures as PolynomialFeatures
from suffice.features.missing.pooling import Pooled as Pooled
from suffice.features.encode.polynomial_features import ProductTerms as ProductTerms
from suffice.features.structured.propositionalise import Propositionalise as Propositionalise
from suffice.features.ranks.robust_scaler import RobustScaler as RobustScaler
from suffice.features.selection.select_best import SelectKBest as SelectKBest
from suffice.features.selection.select_best import SelectPercentile as SelectPercentile
from suffice.features.missing.simple_imputer import SimpleImputer as SimpleImputer
from suffice.features.scale_by_moments import SixSigmaScaler as SixSigmaScaler
from suffice.features.standard_scaler import StandardScaler as StandardScaler
from suffice.features.selection.subset_search import SubsetFound as SubsetFound
from suffice.features.describing.table_description import TableDescription as TableDescription
from suffice.features.encode.table_encoder import TableEncoder as TableEncoder
from suffice.features.calibrate.target_encoder import TargetEncoder as TargetEncoder
from suffice.features.encode.tfidf_transformer import TfidfTransformer as TfidfTransformer
from suffice.features.discretise.threshold import Threshold as Threshold
from suffice.features.transformations import Transformation as Transformation
from suffice.features.scale_by_moments import VarianceScaler as VarianceScaler
from suffice.features.selection.variance_threshold import VarianceThreshold as VarianceThreshold
from suffice.features.selection.column_scores import adjusted as adjusted
from suffice.features.selection.subset_search import all_subsets as all_subsets
from suffice.features.selection.random_search import annealing as annealing
from suffice.features.selection.subset_search import backward as backward
from suffice.features.discretise.class_shares import bin_chi_square as bin_chi_square
from suffice.features.structured.part_features import build as build
from suffice.features.calibrate.column_maps import calibrated_density as calibrated_density
from suffice.features.selection.contingency_scores import chi_square as chi_square
from suffice.features.selection.redundancy import correlation_based as correlation_based
from suffice.features.structured.curve_coefficients import curve_coefficients as curve_coefficients
from suffice.features.describing.table_description import describe as describe
from suffice.features.selection.redundancy import drop_redundant as drop_redundant
from suffice.features.selection.subset_search import floating as floating
from suffice.features.selection.subset_search import forward as forward
from suffice.features.selection.contingency_scores import gain_ratio as gain_ratio
from suffice.features.selection.random_search import genetic as genetic
from suffice.features.structured.text_parts import has_phrase as has_phrase
from suffice.features.selection.contingency_scores import information_gain as information_gain
from suffice.features.structured.text_parts import is_palindrome as is_palindrome
from suffice.features.structured.text_parts import longest_run as longest_run
from suffice.features.structured.part_features import pairs as pairs
from suffice.features.structured.conditions import part as part
from suffice.features.transformations import plan as plan
from suffice.features.missing.pooling import pool as pool
from suffice.features.selection.relief import regression_relief_f as regression_relief_f
from suffice.features.selection.relief import relief as relief
from suffice.features.selection.relief import relief_f as relief_f
from suffice.features.structured.text_parts import runs as runs
from suffice.features.structured.text_parts import shared_passage as shared_passage
from suffice.features.discretise.class_shares import split_gain as split_gain
from suffice.features.selection.stability import stability as stability
from suffice.features.describing.table_description import statistics as statistics
from suffice.features.selection.contingency_scores import value_departures as value_departures
from suffice.features.structured.text_parts import words as words

__all__ = [
    "Amount",
    "Binarizer",
    "Calibrate",
    "CartesianProduct",
    "ClassImputer",
    "ColumnScores",
    "ColumnStatistics",
    "Count",
    "CrossValidated",
    "Discretizer",
    "Exists",
    "GroupCategories",
    "KBinsDiscretizer",
    "KNNImputer",
    "LeastSquaresFolds",
    "MaxAbsScaler",
    "MinMaxScaler",
    "MissingAsValue",
    "NormalImputer",
    "Normalizer",
    "OneHotEncoder",
    "OrderCategories",
    "OrdinalEncoder",
    "PolynomialFeatures",
    "Pooled",
    "ProductTerms",
    "Propositionalise",
    "RobustScaler",
    "SelectKBest",
    "SelectPercentile",
    "SimpleImputer",
    "SixSigmaScaler",
    "StandardScaler",
    "SubsetFound",
    "TableDescription",
    "TableEncoder",
    "TargetEncoder",
    "TfidfTransformer",
    "Threshold",
    "Transformation",
    "VarianceScaler",
    "VarianceThreshold",
    "adjusted",
    "all_subsets",
    "annealing",
    "backward",
    "bin_chi_square",
    "build",
    "calibrated_density",
    "chi_square",
    "correlation_based",
    "curve_coefficients",
    "describe",
    "drop_redundant",
    "floating",
    "forward",
    "gain_ratio",
    "genetic",
    "has_phrase",
    "information_gain",
    "is_palindrome",
    "longest_run",
    "pairs",
    "part",
    "plan",
    "pool",
    "regression_relief_f",
    "relief",
    "relief_f",
    "runs",
    "shared_passage",
    "split_gain",
    "stability",
    "statistics",
    "value_departures",
    "words",
]
