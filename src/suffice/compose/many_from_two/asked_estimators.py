"""How an estimator of two classes is asked for the second, and above what it says yes."""

from __future__ import annotations

from typing import Any

from sklearn.base import is_classifier, is_regressor


def ask_of(model: Any) -> str:
    """How a model of two classes is asked for the second: one of ASKS."""
    if is_regressor(model):
        return "predict"
    return "decision_function" if hasattr(model, "decision_function") else "predict_proba"


def limit_of(model: Any) -> float:
    """Above which a model of two classes says yes."""
    return 0.0 if hasattr(model, "decision_function") and is_classifier(model) else 0.5
