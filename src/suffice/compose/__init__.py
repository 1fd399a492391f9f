"""Estimators around estimators: ours and scikit-learn's."""

from __future__ import annotations

from suffice.core.lazy import lazily

_HOMES = {
    "CalibratedClassifier": "suffice.compose.calibration.calibrated_classifier",
    "Chain": "suffice.compose.chain",
    "Decide": "suffice.compose.decide",
    "ModelAverage": "suffice.compose.model_average",
    "OneVsOneClassifier": "suffice.compose.one_vs_one",
    "OneVsRestClassifier": "suffice.compose.one_vs_rest",
}

_TOP = _HOMES.keys()  # names of `suffice` too

__all__ = sorted(_HOMES)
__getattr__ = lazily(__name__, _HOMES)
