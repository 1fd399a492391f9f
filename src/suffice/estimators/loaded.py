"""Models from files: what a file of a classifier holds, and the classifier that works without scikit-learn."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from typing import Any

from suffice.core.registry import saved
from suffice.estimators.fitted import Fitted


@saved
@dataclass(frozen=True)
class SavedModel:
    """What a file of a one-pass model holds."""

    name: str  # of the estimator that trained it
    fitted: Fitted
    refusal: Any = None


def load(path: str | PathLike[str]) -> Any:
    """What `save` wrote: a model that predicts, decides, explains, learns on, merges and forgets; or a summary or schema.

    Nothing in the file is executed, and neither scikit-learn nor numba is needed to predict. `model.estimator()` turns a
    loaded model into the scikit-learn estimator it was.
    """
    from suffice import persistence

    value = persistence.load(path)
    return value.fitted.plan.loaded(value) if isinstance(value, SavedModel) else value
