"""What a model that knows two classes says for the second of them. No scikit-learn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from suffice.compose.held import Held
from suffice.core.block import Array

ASKS: Mapping[str, Callable[[Any, Any], Array]] = {
    "predict": lambda model, X: np.asarray(model.predict(X)),  # the number of a regressor
    "decision_function": lambda model, X: np.ravel(model.decision_function(X)),
    "predict_proba": lambda model, X: np.asarray(model.predict_proba(X))[:, 1],
}


def said(helds: Sequence[Held], asks: Sequence[str], tables: Sequence[Any]) -> Array:
    """What each model says about its table (n, m)."""
    asked = zip(helds, asks, tables, strict=True)
    return np.array([ASKS[ask](held.live, X) for held, ask, X in asked], dtype=np.float64).T
