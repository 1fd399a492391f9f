"""Estimators around estimators: ours and scikit-learn's."""

from __future__ import annotations

from suffice.core.lazy import lazily

_HOMES = {
    "AdaBoostClassifier": "suffice.compose.ensembles.ada_boost",
    "BaggingClassifier": "suffice.compose.ensembles.bagging",
    "BaggingRegressor": "suffice.compose.ensembles.bagging",
    "BoostedRules": "suffice.compose.ensembles.boosted_rules",
    "CalibratedClassifier": "suffice.compose.calibration.calibrated_classifier",
    "Chain": "suffice.compose.chain",
    "Decide": "suffice.compose.decide",
    "Forest": "suffice.compose.ensembles.forest",
    "ModelAverage": "suffice.compose.model_average",
    "ModelImputer": "suffice.compose.model_imputer",
    "OneVsOneClassifier": "suffice.compose.many_from_two.one_vs_one",
    "OneVsRestClassifier": "suffice.compose.many_from_two.one_vs_rest",
    "RandomForestClassifier": "suffice.compose.ensembles.random_forest",
    "RandomForestRegressor": "suffice.compose.ensembles.random_forest",
    "RegressionForest": "suffice.compose.ensembles.forest",
    "SelectFromModel": "suffice.compose.selecting.select_from_model",
    "SequentialFeatureSelector": "suffice.compose.selecting.sequential_feature_selector",
    "StackingClassifier": "suffice.compose.ensembles.stacking",
    "StackingRegressor": "suffice.compose.ensembles.stacking",
    "VotingClassifier": "suffice.compose.ensembles.voting",
    "VotingRegressor": "suffice.compose.ensembles.voting",
    "boost_step": "suffice.compose.ensembles.boosting_steps",
    "combine": "suffice.compose.ensembles.forest_readings",
    "exponential_loss": "suffice.compose.ensembles.boosting_steps",
    "rule_weight": "suffice.compose.ensembles.boosting_steps",
}

_TOP = _HOMES.keys() - {"boost_step", "combine", "exponential_loss", "rule_weight"}  # names of `suffice` too

__all__ = sorted(_HOMES)
__getattr__ = lazily(__name__, _HOMES)
