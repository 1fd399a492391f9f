"""The class prior that a fitted classifier's probabilities assume."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import BadInput
from suffice.decision.decide.read_wishes import uniform
from suffice.estimators.faces.probabilistic import prior_of


def _estimated(fitted: Any) -> Any:
    """What one of our classifiers estimated, or nothing if it has no prior."""
    try:
        return prior_of(fitted.model)
    except (AttributeError, BadInput):  # it has none, or says why
        return np.nan


READINGS: dict[str, Callable[[Any], Any]] = {  # fitted attributes by which classifiers tell their prior
    "fitted_": _estimated,
    "prior_": np.asarray,
    "class_prior_": np.asarray,
    "priors_": np.asarray,
    "class_log_prior_": np.exp,
}


def told_prior(model: Any) -> Array | None:
    """The prior (K,) that a fitted classifier itself tells, by one of scikit-learn's attributes or ours; else None."""
    last = _last(model)
    for name, read in READINGS.items():
        if hasattr(last, name):
            shares = np.asarray(read(getattr(last, name)), dtype=np.float64)
            if shares.shape == (len(model.classes_),):
                return np.asarray(shares / shares.sum())
    return None


def trained_prior(model: Any, shares: Array) -> Array:
    """The prior of a classifier that tells none: the class shares of its rows, as its `class_weight` counts them.

    Parameters
    ----------
    model : a fitted classifier
    shares : (K,) of the rows it was trained on, in the order of its classes
    """
    last = _last(model)
    asked = (
        last.steps[-1] if hasattr(last, "steps") else last
    )  # a chain of ours tells its own prior, not its parameters
    wish = asked.get_params(deep=False).get("class_weight") if hasattr(asked, "get_params") else None
    if wish is None:
        return shares
    if not isinstance(wish, Mapping):  # "balanced": rows are weighed until every class has the same share
        return uniform(len(shares))
    counted = shares * [wish.get(label, 1.0) for label in np.asarray(model.classes_).tolist()]
    return np.asarray(counted / counted.sum())


def _last(model: Any) -> Any:
    """The classifier at the end of a pipeline, inside a frozen estimator or a search; otherwise the model itself."""
    for name in ("estimator", "best_estimator_"):
        inner = getattr(model, name, None)
        if inner is not None and hasattr(inner, "classes_") and not hasattr(model, "prior_"):
            return _last(inner)
    steps = getattr(model, "steps", None)
    return _last(steps[-1][1]) if steps and isinstance(steps[-1], tuple) else model
