"""Learning on, merging and forgetting where the estimator inside can: copies to change, and what rows were met."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from numbers import Real
from typing import Any

import numpy as np

from suffice.compose.decided_model import DecidedModel
from suffice.compose.held import is_frozen
from suffice.core.block import Array
from suffice.core.errors import NotASummary, Said, bad, refusal
from suffice.estimators.boundary.targets import read_weights
from suffice.estimators.glue.estimator import Estimator
from suffice.sources.tables.labels import code_labels


def passes_on(verb: str) -> Callable[[Any], bool]:
    """Whether the estimator inside has a verb; what is frozen has none that changes it."""

    def check(around: Any) -> bool:
        inner = around._inner()
        if is_frozen(inner):
            raise AttributeError(f"{type(around).__name__} has no {verb} around a frozen estimator.")
        getattr(inner, verb)  # says what is missing
        return True

    return check


def to_change(model: Any) -> Any:
    """A copy that can change while the model stays as it is: estimators of ours exchange their state whole."""
    return copy.copy(model) if isinstance(model, Estimator) else copy.deepcopy(model)


def check_no_share(owner: str, outliers: Any) -> None:
    """Refuse a share of outliers: it needs the densities of all rows under the model of all rows."""
    if isinstance(outliers, Real):
        rule = "None or Outliers where rows are added or taken away"
        raise bad(owner, "outliers", rule, outliers, "The rows met before are gone; fit all of them together.")


def weights_by_class(owner: str, classes: Sequence[Any], y: Any, sample_weight: Any) -> Array:
    """The weight of the rows of each class (K,)."""
    coded = code_labels(y)
    w = read_weights(owner, sample_weight, len(coded.codes), some=False)
    found = dict(zip(coded.labels[0], np.bincount(coded.codes[:, 0], w, len(coded.labels[0])).tolist(), strict=True))
    return np.array([found.get(label, 0.0) for label in classes])


def aligned(model: DecidedModel, classes: Sequence[Any]) -> Array | None:
    """The weights that a model has met, in the order of other classes."""
    if model.met is None:
        return None
    met = dict(zip(model.classes, model.met.tolist(), strict=True))
    return np.array([met.get(label, 0.0) for label in classes])


def decided_models(owner: str, others: Sequence[Any]) -> list[DecidedModel]:
    """What other estimators or models from files hold, which must be of the same kind."""
    for other in others:
        if getattr(other, "_owner", None) != owner:
            name = getattr(other, "_owner", type(other).__name__)
            rule, remedy = "of its own kind", "Train the same kind on each shard."
            raise refusal(NotASummary, owner, "models to merge", rule, Said(name), remedy)
    return [other._state()[0].model for other in others]
