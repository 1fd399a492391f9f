"""Made by `make registry` from the sources: do not edit."""

# ruff: noqa: I001

from suffice.compose.ensembles.ada_boost import AdaBoostClassifier as AdaBoostClassifier
from suffice.compose.ensembles.bagging import BaggingClassifier as BaggingClassifier
from suffice.compose.ensembles.bagging import BaggingRegressor as BaggingRegressor
from suffice.compose.ensembles.boosted_rules import BoostedRules as BoostedRules
from suffice.compose.calibration.calibrated_classifier import CalibratedClassifier as CalibratedClassifier
from suffice.compose.chain import Chain as Chain
from suffice.compose.decide import Decide as Decide
from suffice.compose.ensembles.forest import Forest as Forest
from suffice.compose.model_average import ModelAverage as ModelAverage
from suffice.compose.model_imputer import ModelImputer as ModelImputer
from suffice.compose.many_from_two.one_vs_one import OneVsOneClassifier as OneVsOneClassifier
from suffice.compose.many_from_two.one_vs_rest import OneVsRestClassifier as OneVsRestClassifier
from suffice.compose.ensembles.random_forest import RandomForestClassifier as RandomForestClassifier
from suffice.compose.ensembles.random_forest import RandomForestRegressor as RandomForestRegressor
from suffice.compose.ensembles.forest import RegressionForest as RegressionForest
from suffice.compose.selecting.select_from_model import SelectFromModel as SelectFromModel
from suffice.compose.selecting.sequential_feature_selector import SequentialFeatureSelector as SequentialFeatureSelector
from suffice.compose.ensembles.stacking import StackingClassifier as StackingClassifier
from suffice.compose.ensembles.stacking import StackingRegressor as StackingRegressor
from suffice.compose.ensembles.voting import VotingClassifier as VotingClassifier
from suffice.compose.ensembles.voting import VotingRegressor as VotingRegressor
from suffice.compose.ensembles.boosting_steps import boost_step as boost_step
from suffice.compose.ensembles.forest_readings import combine as combine
from suffice.compose.ensembles.boosting_steps import exponential_loss as exponential_loss
from suffice.compose.ensembles.boosting_steps import rule_weight as rule_weight

__all__ = [
    "AdaBoostClassifier",
    "BaggingClassifier",
    "BaggingRegressor",
    "BoostedRules",
    "CalibratedClassifier",
    "Chain",
    "Decide",
    "Forest",
    "ModelAverage",
    "ModelImputer",
    "OneVsOneClassifier",
    "OneVsRestClassifier",
    "RandomForestClassifier",
    "RandomForestRegressor",
    "RegressionForest",
    "SelectFromModel",
    "SequentialFeatureSelector",
    "StackingClassifier",
    "StackingRegressor",
    "VotingClassifier",
    "VotingRegressor",
    "boost_step",
    "combine",
    "exponential_loss",
    "rule_weight",
]
