"""How good predictions are: scores that add, each with an interval."""

from __future__ import annotations

from suffice.core.lazy import lazily

_HOMES = {
    "BrierParts": "suffice.evaluation.brier_parts",
    "ClassScores": "suffice.evaluation.class_scores",
    "Confusion": "suffice.evaluation.confusion",
    "CrossValidation": "suffice.evaluation.cross_validation",
    "Estimate": "suffice.evaluation.estimate",
    "GridSearch": "suffice.evaluation.parameter_grid",
    "Identities": "suffice.evaluation.identities",
    "RegressionScores": "suffice.evaluation.regression_scores",
    "Reliability": "suffice.evaluation.reliability",
    "Scorer": "suffice.evaluation.scorers",
    "Scores": "suffice.evaluation.scores",
    "calibration_identities": "suffice.evaluation.identities",
    "cross_val_predict": "suffice.evaluation.cross_validation",
    "cross_validate": "suffice.evaluation.cross_validation",
    "grid_search": "suffice.evaluation.parameter_grid",
    "scorer": "suffice.evaluation.scorers",
    "stratified_hold_out": "suffice.evaluation.stratified",
}

__all__ = sorted(_HOMES)
__getattr__ = lazily(__name__, _HOMES)
