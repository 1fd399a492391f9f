"""What follows a posterior, in plain NumPy: exchange the prior, weigh the costs, refuse, fuse, decide."""

from suffice.decision.binned_map import BinnedMap
from suffice.decision.contingency import Contingency
from suffice.decision.cost_curve import CostCurve, normalised_cost, probability_cost
from suffice.decision.costs import read_costs
from suffice.decision.coverage_curve import CoverageCurve
from suffice.decision.cut import Cut, best_cut
from suffice.decision.decision import REFUSE, Decision
from suffice.decision.estimate_prior import PriorEstimate, estimate_prior
from suffice.decision.fuse import average, fuse
from suffice.decision.hull import lower_hull, upper_hull
from suffice.decision.isometrics import InformationGain, LinearMeasure, OperatingPoint
from suffice.decision.isotonic_map import IsotonicMap
from suffice.decision.log_space import log_sum_exp, normalize
from suffice.decision.logistic_map import LogisticMap
from suffice.decision.many_class_auc import class_auc, hand_till_auc, one_vs_rest_auc, pairwise_auc
from suffice.decision.odds import break_even_odds, break_even_prior, even_odds, likelihood_ratio
from suffice.decision.outliers import OUTLIER, Outliers
from suffice.decision.posterior import Posterior, shift_prior
from suffice.decision.precision_recall import PrecisionRecallCurve
from suffice.decision.reading import read_prior, uniform
from suffice.decision.recalibrate import Recalibration, recalibrate
from suffice.decision.reject_curve import Answering, RejectCurve
from suffice.decision.roc_curve import RocCurve
from suffice.decision.score_map import ScoreMap
from suffice.decision.scored import rank_scores, score_moments
from suffice.decision.signed_distance import signed_distance
from suffice.decision.temperature_map import TemperatureMap
from suffice.decision.vote import Votes, count_votes, majority_right, vote

__all__ = [
    "OUTLIER",
    "REFUSE",
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
    "OperatingPoint",
    "Outliers",
    "Posterior",
    "PrecisionRecallCurve",
    "PriorEstimate",
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
