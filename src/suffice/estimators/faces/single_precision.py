"""Answers in single precision where rows were learned and are asked about in it, as scikit-learn's. No scikit-learn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from suffice.core.block import Array, Block
from suffice.estimators.holder import Holder
from suffice.estimators.state.fitted import FittedModel
from suffice.estimators.state.origin import narrow


def answered(holder: Holder, state: FittedModel, X: Any, answers: Callable[[Block], Array]) -> Array:
    """What a model answers each row; of plans that are `single`, in the type of the rows.

    All is computed in double precision, and rounded once, block by block, so that no array of the double is made.
    """
    if getattr(state.plan, "single", False) and holder._origin.single and narrow(X):
        return state.map(X, lambda block: answers(block).astype(np.float32), holder.threads)
    return state.map(X, answers, holder.threads)


def in_double(model: Any) -> Any:
    """A model of one's own, which from now on answers in double precision, whatever the rows; so do those it holds."""
    state, _ = model._state()
    for held in getattr(state.model, "helds", ()):
        if hasattr(type(held.live), "_adopt"):  # others, such as frozen ones, belong to somebody else
            in_double(held.live)
    if getattr(state.plan, "single", False) and model._origin.single:
        model._adopt(state, replace(model._origin, cell_type=None))
    return model
