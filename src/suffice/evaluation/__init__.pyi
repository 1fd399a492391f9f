"""Made by `make registry` from the sources: do not edit."""

# ruff: noqa: I001

from suffice.plots.numbers.bars import Bars as Bars
from suffice.evaluation.resampling.bootstrap import Bootstrap as Bootstrap
from suffice.evaluation.resampling.bootstrap_intervals import BootstrapInterval as BootstrapInterval
from suffice.plots.numbers.box_numbers import Box as Box
from suffice.evaluation.scores.brier_parts import BrierParts as BrierParts
from suffice.evaluation.theory.hypotheses import Circles as Circles
from suffice.evaluation.scores.class_scores import ClassScores as ClassScores
from suffice.evaluation.selection.penalty_path import CoefficientPath as CoefficientPath
from suffice.evaluation.comparing.model_comparison import ComparedModel as ComparedModel
from suffice.evaluation.selection.complexity_curve import ComplexityCurve as ComplexityCurve
from suffice.evaluation.scores.confusion import Confusion as Confusion
from suffice.evaluation.selection.cross_validation import CrossValidation as CrossValidation
from suffice.plots.numbers.window_lines import DensityLines as DensityLines
from suffice.evaluation.scores.error_count import ErrorCount as ErrorCount
from suffice.evaluation.scores.estimate import Estimate as Estimate
from suffice.evaluation.theory.version_space import Exhaustion as Exhaustion
from suffice.plots.numbers.feature_grid import FeatureGrid as FeatureGrid
from suffice.evaluation.comparing.mean_ranks import Friedman as Friedman
from suffice.evaluation.theory.gap_curve import GapCurve as GapCurve
from suffice.evaluation.selection.parameter_grid import GridSearch as GridSearch
from suffice.evaluation.theory.hypotheses import HalfPlanes as HalfPlanes
from suffice.evaluation.theory.shattering import HalfSpaces as HalfSpaces
from suffice.evaluation.selection.held_out_errors import HoldOutErrors as HoldOutErrors
from suffice.evaluation.scores.identities import Identities as Identities
from suffice.evaluation.resampling.permutation_importance import Importances as Importances
from suffice.evaluation.theory.hypotheses import Intervals as Intervals
from suffice.plots.numbers.support_margins import Margins as Margins
from suffice.evaluation.comparing.model_comparison import ModelComparison as ModelComparison
from suffice.evaluation.comparing.model_pair import ModelPair as ModelPair
from suffice.evaluation.resampling.out_of_bag import OutOfBag as OutOfBag
from suffice.evaluation.comparing.paired_errors import PairedErrors as PairedErrors
from suffice.evaluation.comparing.paired_tests import PairedT as PairedT
from suffice.plots.numbers.percentiles import Percentiles as Percentiles
from suffice.evaluation.scores.regression_scores import RegressionScores as RegressionScores
from suffice.evaluation.scores.reliability import Reliability as Reliability
from suffice.evaluation.theory.empirical_risk import RiskMinimum as RiskMinimum
from suffice.evaluation.scores.scorers import Scorer as Scorer
from suffice.evaluation.scores.classification_scores import Scores as Scores
from suffice.evaluation.selection.selection_curve import SelectionCurve as SelectionCurve
from suffice.evaluation.theory.shattering import Shattering as Shattering
from suffice.evaluation.comparing.significance import Significance as Significance
from suffice.evaluation.selection.smallest_error import SmallestOf as SmallestOf
from suffice.evaluation.resampling.squared_error_parts import SquaredErrorParts as SquaredErrorParts
from suffice.evaluation.theory.hypotheses import Thresholds as Thresholds
from suffice.evaluation.selection.train_validate_test import Validation as Validation
from suffice.evaluation.comparing.paired_tests import Wins as Wins
from suffice.evaluation.resampling.zero_one_parts import ZeroOneParts as ZeroOneParts
from suffice.evaluation.theory.sample_bounds import agnostic_gap as agnostic_gap
from suffice.evaluation.theory.sample_bounds import agnostic_rows as agnostic_rows
from suffice.plots.numbers.row_curves import andrews_curves as andrews_curves
from suffice.evaluation.resampling.bias_variance import bias_variance as bias_variance
from suffice.evaluation.resampling.bootstrap_intervals import bootstrap_interval as bootstrap_interval
from suffice.evaluation.resampling.bootstrap import bootstrap_rows as bootstrap_rows
from suffice.plots.numbers.box_numbers import boxes as boxes
from suffice.evaluation.scores.identities import calibration_identities as calibration_identities
from suffice.evaluation.selection.penalty_path import coefficient_path as coefficient_path
from suffice.evaluation.comparing.compare_models import compare as compare
from suffice.evaluation.selection.complexity_curve import complexity_curve as complexity_curve
from suffice.evaluation.theory.sample_bounds import consistent_doubt as consistent_doubt
from suffice.evaluation.theory.sample_bounds import consistent_error as consistent_error
from suffice.evaluation.theory.sample_bounds import consistent_rows as consistent_rows
from suffice.evaluation.selection.cross_validation import cross_val_predict as cross_val_predict
from suffice.evaluation.selection.cross_validation import cross_validate as cross_validate
from suffice.plots.numbers.window_lines import density_lines as density_lines
from suffice.evaluation.resampling.bootstrap import distinct_share as distinct_share
from suffice.evaluation.theory.version_space import exhaust as exhaust
from suffice.evaluation.comparing.mean_ranks import friedman as friedman
from suffice.evaluation.theory.gap_curve import gap_by_rows as gap_by_rows
from suffice.evaluation.selection.parameter_grid import grid_search as grid_search
from suffice.plots.numbers.bars import histogram_bars as histogram_bars
from suffice.evaluation.theory.sample_bounds import hoeffding as hoeffding
from suffice.evaluation.theory.sample_bounds import hoeffding_gap as hoeffding_gap
from suffice.evaluation.theory.sample_bounds import hoeffding_rows as hoeffding_rows
from suffice.evaluation.selection.held_out_errors import hold_out_errors as hold_out_errors
from suffice.evaluation.comparing.significance import holm as holm
from suffice.evaluation.theory.shattering import labellings as labellings
from suffice.evaluation.theory.shattering import largest_shattered as largest_shattered
from suffice.evaluation.theory.shattering import linear_dimension as linear_dimension
from suffice.plots.numbers.support_margins import margins as margins
from suffice.evaluation.theory.empirical_risk import minimise_risk as minimise_risk
from suffice.evaluation.theory.sample_bounds import minimiser_gap as minimiser_gap
from suffice.plots.numbers.inner_normals import normal_components as normal_components
from suffice.evaluation.resampling.out_of_bag import out_of_bag_error as out_of_bag_error
from suffice.plots.numbers.row_distances import pair_distances as pair_distances
from suffice.evaluation.comparing.paired_tests import paired_t as paired_t
from suffice.evaluation.selection.row_parts import part_mean_deviation as part_mean_deviation
from suffice.evaluation.resampling.permutation_importance import permutation_importance as permutation_importance
from suffice.evaluation.theory.sample_bounds import probably_approximately_correct as probably_approximately_correct
from suffice.plots.numbers.row_curves import radial_points as radial_points
from suffice.evaluation.selection.row_parts import random_parts as random_parts
from suffice.plots.numbers.classed_columns import read_classed as read_classed
from suffice.evaluation.selection.selection_readings import read_selection as read_selection
from suffice.evaluation.scores.scorers import scorer as scorer
from suffice.evaluation.theory.shattering import shatters as shatters
from suffice.evaluation.comparing.paired_tests import sign_test as sign_test
from suffice.evaluation.comparing.paired_tests import signed_ranks as signed_ranks
from suffice.evaluation.selection.smallest_error import smallest_normal as smallest_normal
from suffice.evaluation.selection.smallest_error import smallest_of as smallest_of
from suffice.evaluation.selection.hold_out import stratified_hold_out as stratified_hold_out
from suffice.evaluation.selection.train_validate_test import train_validate_test as train_validate_test
from suffice.evaluation.theory.sample_bounds import unbiased_rows as unbiased_rows
from suffice.evaluation.theory.sample_bounds import union_bound as union_bound
from suffice.evaluation.theory.sample_bounds import vc_term as vc_term
from suffice.evaluation.theory.version_space import version_space as version_space

__all__ = [
    "Bars",
    "Bootstrap",
    "BootstrapInterval",
    "Box",
    "BrierParts",
    "Circles",
    "ClassScores",
    "CoefficientPath",
    "ComparedModel",
    "ComplexityCurve",
    "Confusion",
    "CrossValidation",
    "DensityLines",
    "ErrorCount",
    "Estimate",
    "Exhaustion",
    "FeatureGrid",
    "Friedman",
    "GapCurve",
    "GridSearch",
    "HalfPlanes",
    "HalfSpaces",
    "HoldOutErrors",
    "Identities",
    "Importances",
    "Intervals",
    "Margins",
    "ModelComparison",
    "ModelPair",
    "OutOfBag",
    "PairedErrors",
    "PairedT",
    "Percentiles",
    "RegressionScores",
    "Reliability",
    "RiskMinimum",
    "Scorer",
    "Scores",
    "SelectionCurve",
    "Shattering",
    "Significance",
    "SmallestOf",
    "SquaredErrorParts",
    "Thresholds",
    "Validation",
    "Wins",
    "ZeroOneParts",
    "agnostic_gap",
    "agnostic_rows",
    "andrews_curves",
    "bias_variance",
    "bootstrap_interval",
    "bootstrap_rows",
    "boxes",
    "calibration_identities",
    "coefficient_path",
    "compare",
    "complexity_curve",
    "consistent_doubt",
    "consistent_error",
    "consistent_rows",
    "cross_val_predict",
    "cross_validate",
    "density_lines",
    "distinct_share",
    "exhaust",
    "friedman",
    "gap_by_rows",
    "grid_search",
    "histogram_bars",
    "hoeffding",
    "hoeffding_gap",
    "hoeffding_rows",
    "hold_out_errors",
    "holm",
    "labellings",
    "largest_shattered",
    "linear_dimension",
    "margins",
    "minimise_risk",
    "minimiser_gap",
    "normal_components",
    "out_of_bag_error",
    "pair_distances",
    "paired_t",
    "part_mean_deviation",
    "permutation_importance",
    "probably_approximately_correct",
    "radial_points",
    "random_parts",
    "read_classed",
    "read_selection",
    "scorer",
    "shatters",
    "sign_test",
    "signed_ranks",
    "smallest_normal",
    "smallest_of",
    "stratified_hold_out",
    "train_validate_test",
    "unbiased_rows",
    "union_bound",
    "vc_term",
    "version_space",
]
