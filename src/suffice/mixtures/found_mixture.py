"""The end of a climb as the state of a fitted mixture, and `fit_predict`: for the estimators."""

from __future__ import annotations

import warnings
from numbers import Real
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils._param_validation import Interval

from suffice.core.block import Array
from suffice.core.learner import Passes
from suffice.estimators.state.fitted import Found
from suffice.mixtures.learner import MixtureModel

ALPHA = [Interval(Real, 0.0, np.inf, closed="both")]  # what the parameter of that name may be


def found_mixture(run: Passes[MixtureModel]) -> Found:
    """A run as a state; warns where passes ran out. Called by `_pass_over`, which `fit` calls by way of `_fit`."""
    if not run.settled and run.passes:
        warnings.warn(
            "Best performing initialization did not converge. Try different init parameters, or increase max_iter, "
            "tol, or check for degenerate data.",
            ConvergenceWarning,
            stacklevel=5,
        )
    return Found(run.model, run.passes, run.settled)


def fit_predict(self: Any, X: Any, y: Any = None, sample_weight: Any = None) -> Array:
    """Learn from these rows, then the number of the most probable component of each."""
    answers: Array = self.fit(X, y, sample_weight).predict(X)
    return answers
