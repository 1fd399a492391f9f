"""Maps that know all they need before they are fitted, and so map before it, as scikit-learn's do."""

from __future__ import annotations

from copy import copy
from typing import Any

from suffice.estimators.state.fitted import FittedModel


def state_of(estimator: Any, X: Any) -> tuple[FittedModel, Any]:
    """What a fit on these rows would learn: how wide they are. The estimator itself stays as it is."""
    fitted: tuple[FittedModel, Any] = copy(estimator).fit(X)._state(X)
    return fitted
