"""How good predictions are: scores that add, each with an interval."""

from __future__ import annotations

from suffice.core.lazy import lazily

_HOMES = {
    "BrierParts": "suffice.evaluation.brier_parts",
    "ClassScores": "suffice.evaluation.class_scores",
    "Confusion": "suffice.evaluation.confusion",
    "Estimate": "suffice.evaluation.estimate",
    "Identities": "suffice.evaluation.identities",
    "RegressionScores": "suffice.evaluation.regression_scores",
    "Reliability": "suffice.evaluation.reliability",
    "Scorer": "suffice.evaluation.scorers",
    "Scores": "suffice.evaluation.scores",
    "calibration_identities": "suffice.evaluation.identities",
    "scorer": "suffice.evaluation.scorers",
}

__all__ = sorted(_HOMES)
__getattr__ = lazily(__name__, _HOMES)
