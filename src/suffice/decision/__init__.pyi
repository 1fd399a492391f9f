"""Made by `make registry` from the sources: do not edit."""

# ruff: noqa: I001

from suffice.decision.curves.reject_curve import Answering as Answering
from suffice.decision.maps.binned_map import BinnedMap as BinnedMap
from suffice.decision.curves.contingency import Contingency as Contingency
from suffice.decision.curves.cost_curve import CostCurve as CostCurve
from suffice.decision.curves.coverage_curve import CoverageCurve as CoverageCurve
from suffice.decision.curves.best_cut import Cut as Cut
from suffice.decision.decide.decision import Decision as Decision
from suffice.decision.curves.isometrics import InformationGain as InformationGain
from suffice.decision.maps.isotonic_map import IsotonicMap as IsotonicMap
from suffice.decision.curves.isometrics import LinearMeasure as LinearMeasure
from suffice.decision.maps.logistic_map import LogisticMap as LogisticMap
from suffice.decision.decide.outliers import OUTLIER as OUTLIER
from suffice.decision.curves.isometrics import OperatingPoint as OperatingPoint
from suffice.decision.decide.outliers import Outliers as Outliers
from suffice.decision.decide.posterior import Posterior as Posterior
from suffice.decision.curves.precision_recall import PrecisionRecallCurve as PrecisionRecallCurve
from suffice.decision.decide.prior_estimation import PriorEstimate as PriorEstimate
from suffice.decision.decide.decision import REFUSE as REFUSE
from suffice.decision.decide.recalibration import Recalibration as Recalibration
from suffice.decision.curves.reject_curve import RejectCurve as RejectCurve
from suffice.decision.curves.roc_curve import RocCurve as RocCurve
from suffice.decision.maps.score_map import ScoreMap as ScoreMap
from suffice.decision.maps.temperature_map import TemperatureMap as TemperatureMap
from suffice.decision.decide.voting import Votes as Votes
from suffice.decision.decide.fusion import average as average
from suffice.decision.curves.best_cut import best_cut as best_cut
from suffice.decision.decide.odds import break_even_odds as break_even_odds
from suffice.decision.decide.odds import break_even_prior as break_even_prior
from suffice.decision.curves.many_class_auc import class_auc as class_auc
from suffice.decision.decide.voting import count_votes as count_votes
from suffice.decision.decide.prior_estimation import estimate_prior as estimate_prior
from suffice.decision.decide.odds import even_odds as even_odds
from suffice.decision.decide.fusion import fuse as fuse
from suffice.decision.curves.many_class_auc import hand_till_auc as hand_till_auc
from suffice.decision.decide.odds import likelihood_ratio as likelihood_ratio
from suffice.numerics.log_space import log_sum_exp as log_sum_exp
from suffice.decision.curves.convex_hull import lower_hull as lower_hull
from suffice.decision.decide.voting import majority_right as majority_right
from suffice.decision.curves.cost_curve import normalised_cost as normalised_cost
from suffice.numerics.log_space import normalize as normalize
from suffice.decision.curves.many_class_auc import one_vs_rest_auc as one_vs_rest_auc
from suffice.decision.curves.many_class_auc import pairwise_auc as pairwise_auc
from suffice.decision.curves.cost_curve import probability_cost as probability_cost
from suffice.decision.curves.ranked_scores import rank_scores as rank_scores
from suffice.decision.decide.costs import read_costs as read_costs
from suffice.decision.decide.read_wishes import read_prior as read_prior
from suffice.decision.decide.recalibration import recalibrate as recalibrate
from suffice.decision.curves.ranked_scores import score_moments as score_moments
from suffice.decision.decide.posterior import shift_prior as shift_prior
from suffice.decision.curves.scored_distance import signed_distance as signed_distance
from suffice.decision.decide.read_wishes import uniform as uniform
from suffice.decision.curves.convex_hull import upper_hull as upper_hull
from suffice.decision.decide.voting import vote as vote

__all__ = [
    "Answering",
    "BinnedMap",
    "Contingency",
    "CostCurve",
    "CoverageCurve",
    "Cut",
    "Decision",
    "InformationGain",
    "IsotonicMap",
    "LinearMeasure",
    "LogisticMap",
    "OUTLIER",
    "OperatingPoint",
    "Outliers",
    "Posterior",
    "PrecisionRecallCurve",
    "PriorEstimate",
    "REFUSE",
    "Recalibration",
    "RejectCurve",
    "RocCurve",
    "ScoreMap",
    "TemperatureMap",
    "Votes",
    "average",
    "best_cut",
    "break_even_odds",
    "break_even_prior",
    "class_auc",
    "count_votes",
    "estimate_prior",
    "even_odds",
    "fuse",
    "hand_till_auc",
    "likelihood_ratio",
    "log_sum_exp",
    "lower_hull",
    "majority_right",
    "normalised_cost",
    "normalize",
    "one_vs_rest_auc",
    "pairwise_auc",
    "probability_cost",
    "rank_scores",
    "read_costs",
    "read_prior",
    "recalibrate",
    "score_moments",
    "shift_prior",
    "signed_distance",
    "uniform",
    "upper_hull",
    "vote",
]
