"""How often neighbours are right: on given rows, or on those of training, each left out of its own vote."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.errors import Said, bad
from suffice.estimators.faces.accuracy import accuracy


def left_out_score(model: Any, score: Any, X: Any, y: Any, sample_weight: Any) -> float:
    """Accuracy on rows, or on those of training where there are none."""
    if X is not None:
        return float(score(X, y, sample_weight))
    answers = model.predict(None)
    if np.shape(y) != answers.shape:
        rule, got = f"one a row of training, {len(answers)}", Said(f"shape {np.shape(y)}")
        raise bad(model._owner, "y", rule, got, "Give the labels of training, or rows X.")
    return accuracy(model._owner, answers, y, sample_weight)
