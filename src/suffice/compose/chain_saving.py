"""Chains in files, where the last is an estimator around others: these are written as their own files would be."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sklearn.base import clone

from suffice.compose.held import to_save
from suffice.estimators.state.fitted import FittedModel, Found
from suffice.estimators.state.loaded import SavedModel
from suffice.estimators.state.origin import Origin


def last_to_save(value: SavedModel, owner: str) -> SavedModel:
    """What a file holds of a chain, such that it holds what its last, an `owner`, is around."""
    state = value.fitted.state
    if not (isinstance(state, Found) and _holds(state.model.last)):
        return value
    kept = replace(state.model, last=to_save(owner, state.model.last))
    return value.holding(replace(value.fitted, state=replace(state, model=kept)))


def last_restored(value: SavedModel, last: Any, owner: str) -> Any:
    """The last of a chain: one around others knows from the file which they are."""
    fitted = getattr(value.fitted.model, "last", None)
    if fitted is None or not _holds(fitted):
        return last
    told = value.parameters["steps"][-1]["parameters"]
    origin = Origin(len(fitted.schema.columns), None, label_type=value.origin.label_type)
    return clone(last)._restore(SavedModel(owner, fitted, origin, told))


def _holds(fitted: FittedModel) -> bool:
    return hasattr(fitted.model, "holding")
