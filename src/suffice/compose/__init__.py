"""Estimators around estimators: ours and scikit-learn's."""

from __future__ import annotations

from suffice.core.lazy import lazily

_HOMES = {
    "CalibratedClassifier": "suffice.compose.calibration.calibrated_classifier",
    "Chain": "suffice.compose.chain",
    "Decide": "suffice.compose.decide",
    "OneVsOneClassifier": "suffice.compose.one_vs_one",
    "OneVsRestClassifier": "suffice.compose.one_vs_rest",
    "RandomForestClassifier": "suffice.compose.ensembles.random_forest",
    "RandomForestRegressor": "suffice.compose.ensembles.random_forest",
    "combine": "suffice.compose.ensembles.forest_readings",
}

_TOP = _HOMES.keys() - {"combine"}  # names of `suffice` too

__all__ = sorted(_HOMES)
__getattr__ = lazily(__name__, _HOMES)
