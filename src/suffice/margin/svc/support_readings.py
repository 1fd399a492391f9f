"""What a support vector machine tells beside its answers, from an estimator or from a file. No scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.estimators.boundary.sparse_form import as_came
from suffice.estimators.faces.classifier import Classifier
from suffice.estimators.reading import reading
from suffice.spaces.given_kernels import GivenKernel
from suffice.spaces.kernels import LinearKernel


class SupportReadings:
    """Vectors, multipliers, thresholds, and how well they were found."""

    kernel_ = reading("kernel", "The kernel, with its numbers.")
    support_ = reading("search.support", "Numbers of the rows that are support vectors (m,).")
    n_support_ = reading("numbers", "How many support vectors each class has (K,).")
    class_weight_ = reading("search.class_weight", "Factor of C of each class (K,).")
    shape_fit_ = reading("search.shape", "Shape of the table of training.")
    kkt_gap_ = reading("search.gap", "By how much the conditions of an optimum are missed (P,).")
    n_iter_ = reading("search.steps", "Steps of each pair of classes (P,).")

    @property
    def dual_coef_(self: Any) -> Any:
        """Multipliers with the signs of their classes (K - 1, m)."""
        return as_came(self, self._state()[0].model.dual_coef)

    @property
    def support_vectors_(self: Any) -> Any:
        """The support vectors (m, d), as they came."""
        model = self._state()[0].model
        if isinstance(model.kernel, GivenKernel):
            return np.empty((0, 0))
        return as_came(self, model.rows if model.search.rows is None else np.asarray(model.search.rows))

    @property
    def intercept_(self: Any) -> Array:
        """-t of each pair (P,)."""
        model = self._state()[0].model
        return np.asarray(model.intercept - model.offset)

    @property
    def threshold_interval_(self: Any) -> Array:
        """The thresholds t that are optimal (P, 2)."""
        model = self._state()[0].model
        return np.asarray((model.offset - model.search.interval.T[::-1]).T)

    @property
    def fit_status_(self: Any) -> int:
        """0 where an optimum was found, 1 where `max_iter` ended the search."""
        return 0 if self._state()[0].model.search.settled else 1

    @property
    def coef_(self: Any) -> Any:
        """w of each pair (P, d), with a linear kernel."""
        model = self._state()[0].model
        if not isinstance(model.kernel, LinearKernel):
            raise AttributeError("coef_ is there with a linear kernel: others have their weights in another space.")
        coef = np.array(model.weights)
        coef.flags.writeable = False
        return as_came(self, coef)

    @property
    def margin_width_(self: Any) -> Array:
        """1 / norm(w) of each pair (P,)."""
        with np.errstate(divide="ignore"):
            return np.asarray(1.0 / np.sqrt(np.maximum(self._state()[0].model.norms, 0.0)))

    @property
    def dual_objective_(self: Any) -> Array:
        """sum of alpha - 1/2 norm(w)^2 of each pair (P,)."""
        model = self._state()[0].model
        return np.asarray(np.abs(model.coef).sum(axis=0) - 0.5 * model.norms)


class ScoreReadings:
    """The scores of a machine that gives probabilities too."""

    decision_function = Classifier.decision_function
